import type { Answered } from './decide.ts';
import type { Page } from './state.ts';

export interface PersonRow {
  readonly id: string;
  readonly name: string;
  readonly handle: string;
  readonly email: string;
  readonly messages: number;
  readonly uid: string;
  readonly setBy: 'template' | 'table' | 'mapping' | 'merged';
  readonly mergedInto: string | null;
  /** Another person with this uid. */
  readonly sharedWith: string | null;
  readonly isKnown: boolean;
  readonly isBot: boolean;
  readonly isDeleted: boolean;
}

export interface PeoplePage extends Page<PersonRow> {
  readonly version: string;
  readonly people: number | null;
  readonly isReady: boolean;
  /** People whose id begins like a formula: not in the table of uids. */
  readonly leftOut: number;
}

export interface DuplicateGroup {
  readonly by: 'email' | 'name' | 'handle';
  readonly value: string;
  readonly people: readonly PersonRow[];
  /** People beyond these. */
  readonly more: number;
}

export interface DuplicatePage extends Page<DuplicateGroup> {
  readonly version: string;
}

/** A table of uids that was read. */
export interface PeopleTaken {
  readonly set: number;
  readonly faults: readonly string[];
}

export interface PeopleRoutes {
  'GET people': PeoplePage;
  'GET duplicates': DuplicatePage;
  'POST person': PersonRow;
  'POST merge': Answered;
}
