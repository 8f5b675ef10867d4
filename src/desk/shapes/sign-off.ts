import type { ReportData } from '../../report/report-data.ts';
import type { DeskError } from './state.ts';

/** A report, and what it comes to. */
export interface ReportView {
  readonly version: string;
  readonly of: 'plan' | 'rehearsal';
  /** The report in one sentence; empty without one. */
  readonly verdict: string;
  /** Null without a report. `plain`: a plan, of which nothing is to be said. */
  readonly tone: 'good' | 'notice' | 'bad' | 'plain' | null;
  readonly isGood: boolean;
  /** False if the configuration, the mapping or the table of uids was written since; of a rehearsal, if it is of another plan. */
  readonly isCurrent: boolean;
  /** Null if there is none. That of the plan has the decisions of this moment. */
  readonly report: ReportData | null;
  readonly error: DeskError | null;
}

export interface SignOffRequest {
  readonly version: string;
  /** Name of the person who signs. */
  readonly by: string;
  readonly note: string;
}

export interface SignOffRoutes {
  'GET report': ReportView;
  'POST sign-off': ReportView;
}
