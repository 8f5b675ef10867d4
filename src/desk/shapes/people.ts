import type { Page } from './state.ts';

/** A person of the plan, as the next plan would have them. */
export interface PersonRow {
  /** In the export. */
  readonly id: string;
  readonly name: string;
  /** Empty if they have none. */
  readonly handle: string;
  readonly email: string;
  /** Planned messages that they wrote. */
  readonly messages: number;
  readonly uid: string;
  /** What decides the uid: `people.uid` of the mapping, the table of uids, `people.uids`, or the person they are merged into. */
  readonly setBy: 'template' | 'table' | 'mapping' | 'merged';
  /** Id of the person whom they become; null unless the mapping merges them. */
  readonly mergedInto: string | null;
  /** Id of another person with the same uid, which a plan refuses. */
  readonly sharedWith: string | null;
  /** Whether the export describes them. */
  readonly isKnown: boolean;
  readonly isBot: boolean;
  readonly isDeleted: boolean;
}

/** People, those of most messages first. */
export interface PeoplePage extends Page<PersonRow> {
  readonly version: string;
  /** Null before there is a plan. */
  readonly people: number | null;
  /** Those whom the export does not describe: messages name them. */
  readonly unknown: number;
  readonly isReady: boolean;
  /** People whom a table of uids cannot name. */
  readonly leftOut: number;
}

/** People who may be one person: they have the same e-mail address, name or handle. */
export interface DuplicateGroup {
  readonly by: 'email' | 'name' | 'handle';
  /** In lower case. */
  readonly value: string;
  /** Those of most messages. */
  readonly people: readonly PersonRow[];
  /** How many there are besides. */
  readonly more: number;
}

export interface DuplicatePage extends Page<DuplicateGroup> {
  readonly version: string;
}

/** A person after a change, and the version of the files that made it. */
export interface ChangedPerson extends PersonRow {
  readonly version: string;
}

export interface MergedPeople {
  readonly version: string;
  /** Paths of changed files. */
  readonly written: readonly string[];
  /** The command that does the same in the terminal. */
  readonly command: string;
}

/** Result of a table of uids that was given back. With faults, nothing was changed. */
export interface ImportedPeople {
  readonly version: string;
  /** Uids in the table. */
  readonly set: number;
  /** Uids that were others, or missing, before. */
  readonly changed: number;
  /** Uids that the table does not have any more. */
  readonly cleared: number;
  /** Uids of people who are not in the plan. */
  readonly unmatched: number;
  /** Uids that several people have: a plan refuses them. */
  readonly shared: number;
  /** The first 20, each with its line. */
  readonly faults: readonly string[];
  readonly faultCount: number;
}

export interface PeopleRoutes {
  'GET people': PeoplePage;
  'GET duplicates': DuplicatePage;
  'POST person': ChangedPerson;
  'POST merge': MergedPeople;
  'POST people-seen': object;
  'PUT people.csv': ImportedPeople;
}
