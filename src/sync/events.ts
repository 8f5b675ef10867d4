import type { VerifyResult } from '../model/totals.ts';

/** Result of one run of a job. Counts are messages of this run unless stated otherwise; times are epoch milliseconds. */
export interface JobResult {
  readonly job: string;
  /** Number of the run within the job, from 1: `support-12` in logs and reports. */
  readonly number: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** As the command line has it: 0 done, 3 some rows invalid or messages failed, 5 stopped and resumable ... */
  readonly exit: number;
  /** Whether the export differed from the last one that was read. */
  readonly isChanged: boolean;
  /** Counts that this run added to the totals. */
  readonly added: {
    readonly read: number;
    readonly skipped: number;
    readonly invalid: number;
    readonly imported: number;
    readonly existing: number;
    readonly failed: number;
    readonly late: number;
    /** Changes noticed, by kind: edited, deleted, reactions ... */
    readonly drift: Readonly<Record<string, number>>;
    /** Actions done, by kind: reactions, friends, blocks, deactivations. */
    readonly actions: Readonly<Record<string, number>>;
  };
  /** Messages remaining after the run. */
  readonly remaining: { readonly pending: number; readonly unconfirmed: number };
  readonly requests: {
    readonly import: number;
    readonly list: number;
    readonly retried: number;
    readonly rateLimited: number;
  };
  readonly verify: VerifyResult | null;
  /** Why it ended before its end, in words without content or secrets. */
  readonly stopped: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
  /** Folder of its report, where one was written. */
  readonly report: string | null;
}

/** Why a job runs now. */
export type JobCause = 'schedule' | 'made-up' | 'resumed' | 'once';

/** Notified of the scheduler's actions. A listener never throws and never waits: anything it starts runs concurrently with the jobs. */
export interface SyncListener {
  started?(jobs: readonly string[]): void;
  /** The next run of a job, or none. */
  scheduled?(job: string, atMs: number | null): void;
  runStarted?(
    job: string,
    run: { readonly number: number; readonly startedAtMs: number; readonly cause: JobCause },
  ): void;
  /** A line of progress, counts and reasons only. */
  runProgress?(job: string, number: number, line: Readonly<Record<string, unknown>>): void;
  runEnded?(result: JobResult): void;
  /** The loop is alive. */
  beat?(atMs: number): void;
  stopping?(cause: string): void;
  /** Resolves when what it began is done: the last webhook, the port. */
  close?(): Promise<void>;
}
