import type { RequestCounts } from '../delivery/destination.ts';
import type { VerifyResult } from '../model/totals.ts';
import { exitCodes } from '../model/exit-codes.ts';
import { ChatferryError, DestinationError } from '../lib/errors.ts';

/** Result of one run of a job. Counts are messages of this run unless stated otherwise; times are epoch milliseconds. */
export interface JobResult {
  readonly job: string;
  /** Number of the run within the job, from 1: `support-12` in logs and reports. */
  readonly number: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** As the command line has it: 0 done, 3 some invalid or failed, 5 resumable, 8 needs a person ... */
  readonly exit: number;
  /** Whether the export differed from the last one that was read. */
  readonly isChanged: boolean;
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
    /** People, groups and members, by kind. */
    readonly arrivals: Readonly<Record<string, Readonly<Record<string, number>>>>;
    /** Actions done, by kind: reactions, friends, blocks, deactivations. */
    readonly actions: Readonly<Record<string, number>>;
  };
  readonly remaining: { readonly pending: number; readonly unconfirmed: number };
  readonly requests: Omit<RequestCounts, 'action'>;
  readonly verify: VerifyResult | null;
  /** Why it ended before its end, in words without content or secrets. */
  readonly stopped: RunNote | null;
  /** Facts that a person who watches should know although nothing failed. */
  readonly notes: readonly RunNote[];
  /** Folder of its report, where one was written. */
  readonly report: string | null;
}

/** A code of ours or of a service, and words for people. */
export interface RunNote {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export type JobCause = 'schedule' | 'made-up' | 'resumed' | 'once';

/** Notified of the scheduler's actions. It never throws and never waits: anything that it starts runs while the jobs do. */
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
  /** @internal The loop is alive. */
  beat?(atMs: number): void;
  /** @internal */
  stopping?(cause: string): void;
  /** @internal Resolves when what it began is done: the last webhook, the port. */
  close?(): Promise<void>;
}

/**
 * Result of a run, for people who watch: done, done except for some messages, ended early on purpose, failed until a person has acted (a key
 * is refused), or failed in another way.
 */
export type RunOutcome = 'done' | 'some-failed' | 'interrupted' | 'needs-person' | 'failed';

/**
 * Returns the outcome of a run. An interrupted run neither failed nor succeeded: it was stopped, or its hours were
 * over, and it continues later.
 */
export function toOutcome({ exit }: Pick<JobResult, 'exit'>): RunOutcome {
  if (exit === exitCodes.done) return 'done';
  if (exit === exitCodes.someFailed) return 'some-failed';
  if (exit === exitCodes.needsPerson) return 'needs-person';
  return exit === exitCodes.interrupted || exit === exitCodes.terminated ? 'interrupted' : 'failed';
}

/** Whether the run came to its end. Invalid rows and failed messages are in the report, and no later run changes them by itself. */
export function isSuccess(result: Pick<JobResult, 'exit'>): boolean {
  const outcome = toOutcome(result);
  return outcome === 'done' || outcome === 'some-failed';
}

/** `support-12`: as the run is called in logs, notices and reports. */
export const runIdOf = ({ job, number }: Pick<JobResult, 'job' | 'number'>): string => `${job}-${number}`;

/** State that earlier processes left of a job, as far as alarms need it: a restart must not look like a recovery, or like silence. */
export interface JobPast {
  readonly job: string;
  readonly lastExit: number | null;
  readonly lastEndAtMs: number | null;
  readonly lastSuccessAtMs: number | null;
  readonly failuresInARow: number;
}

/** Failures in a row after this run. An interrupted one changes nothing. */
export function failuresAfter(before: number, result: Pick<JobResult, 'exit'>): number {
  if (isSuccess(result)) return 0;
  return toOutcome(result) === 'interrupted' ? before : before + 1;
}

/** Why a run was asked to stop before its end: it goes on later. */
export class RunStop extends Error {
  override readonly name = 'RunStop';
  readonly code: 'interrupted' | 'outside-hours';
  readonly exit: number;
  readonly hint: string;

  private constructor(code: RunStop['code'], message: string, { exit, hint }: { exit: number; hint: string }) {
    super(message);
    this.code = code;
    this.exit = exit;
    this.hint = hint;
  }

  /** @param exit 130 or 143. */
  static byUser(exit: number): RunStop {
    return new RunStop('interrupted', 'Stopped: the process was asked to end', {
      exit,
      hint: 'The next start continues where this run ended',
    });
  }

  static byHours(): RunStop {
    return new RunStop('outside-hours', 'Stopped: the hours in which the job may run are over', {
      exit: exitCodes.terminated,
      hint: 'The job continues when they begin again',
    });
  }
}

const codes: Readonly<Record<string, string>> = {
  UsageError: 'usage',
  SourceError: 'export-unreadable',
  StoreError: 'store',
};

/** Names no more than that it was an internal error: its words may hold anything. */
export function inWords(error: unknown): RunNote {
  if (!(error instanceof ChatferryError))
    return { code: 'fault', message: 'An internal error of Chatferry', hint: null };
  const { name, message, hint } = error;
  return { code: error instanceof DestinationError ? error.code : (codes[name] ?? name), message, hint: hint ?? null };
}
