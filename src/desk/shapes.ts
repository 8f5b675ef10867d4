/** JSON data for the desk's page. The page and the program that answers it share these shapes and nothing else. */

import type { ChoiceRoutes } from './shapes/choices.ts';
import type { ConversationRoutes } from './shapes/conversations.ts';
import type { DecideRoutes } from './shapes/decide.ts';
import type { PeopleRoutes } from './shapes/people.ts';
import type { FetchRoutes, SourceRoutes } from './shapes/source.ts';
import type { StateRoutes, DeskError } from './shapes/state.ts';
import type { peopleWays } from '../model/arrival.ts';
import type { ReportData } from '../report/report-data.ts';

export type * from './shapes/choices.ts';
export type * from './shapes/conversations.ts';
export type * from './shapes/decide.ts';
export type * from './shapes/people.ts';
export type * from './shapes/source.ts';
export type * from './shapes/state.ts';

/**
 * Every question of the page with its answer: the table of the answers has this type, so that none is forgotten. Each step has its own
 * questions.
 */
export interface DeskRoutes
  extends StateRoutes,
    SourceRoutes,
    FetchRoutes,
    DecideRoutes,
    ChoiceRoutes,
    ConversationRoutes,
    PeopleRoutes,
    SignOffRoutes,
    GoRoutes {}

export interface DestinationView {
  readonly version: string;
  /** `none`: the sandbox alone. */
  readonly kind: 'none' | 'app' | 'address';
  /** Empty unless it is of that kind. */
  readonly appId: string;
  readonly region: string;
  readonly to: string;
  /** Days, or `unlimited`; empty: what is usual there. */
  readonly retentionDays: string;
  /** How people and groups come; empty: as the destination has it. */
  readonly people: (typeof peopleWays)[number] | '';
  /** Whether a rehearsal goes by the limits of the hosted service. */
  readonly rehearsesHosted: boolean;
  /** The source of the API key of the commands. The key itself is never here. */
  readonly key: {
    readonly from: 'variable' | 'file' | 'typed' | 'none';
    readonly path: string | null;
    /** Why it cannot be used. */
    readonly fault: string | null;
  };
  /** The address that the key is sent to; empty without a destination. */
  readonly address: string;
  /** Whether a key was sent to this address before. */
  readonly isKnownAddress: boolean;
  /** Set by a variable of the environment: it cannot be changed here. */
  readonly isFixed: boolean;
}

/** Absent fields are not changed. */
export interface DestinationRequest {
  readonly version: string;
  readonly kind?: DestinationView['kind'] | undefined;
  readonly appId?: string | undefined;
  readonly region?: string | undefined;
  readonly to?: string | undefined;
  readonly retentionDays?: string | undefined;
  readonly people?: DestinationView['people'] | undefined;
  readonly rehearsesHosted?: boolean | undefined;
  /** Path of a file with the key; null: from the environment. */
  readonly keyFile?: string | null | undefined;
}

export interface GoRoutes {
  'GET destination': DestinationView;
  'POST destination': DestinationView;
  'POST key': DestinationView;
}

export interface ReportView {
  readonly version: string;
  readonly of: 'plan' | 'rehearsal';
  /** The report in one sentence; empty without one. */
  readonly verdict: string;
  /** Null without a report. `plain`: a plan, of which nothing is to be said. */
  readonly tone: 'good' | 'notice' | 'bad' | 'plain' | null;
  /** HTML of the sections that were asked for, in this order, names with blanks between them; see `report/sections.ts`. */
  readonly sections: string;
  /** False if the configuration, the mapping or the table of uids was written since; of a rehearsal, if it is of another plan. */
  readonly isCurrent: boolean;
  /** Null if there is none. That of the plan has the decisions of this moment. */
  readonly report: ReportData | null;
  readonly error: DeskError | null;
}

export interface SignOffRoutes {
  'GET report': ReportView;
  'POST sign-off': ReportView;
}
