import { exitCodes } from '../model/exit-codes.ts';
import type { JobResult } from './events.ts';

/** Result of a run, for people who watch: done, done except for some messages, ended early on purpose, or failed. */
export type RunOutcome = 'done' | 'some-failed' | 'interrupted' | 'failed';

/**
 * Returns the outcome of a run. An interrupted run neither failed nor succeeded: it was stopped, or its hours were
 * over, and it continues later.
 */
export function outcomeOf({ exit }: Pick<JobResult, 'exit'>): RunOutcome {
  if (exit === exitCodes.done) return 'done';
  if (exit === exitCodes.someFailed) return 'some-failed';
  return exit === exitCodes.interrupted || exit === exitCodes.terminated ? 'interrupted' : 'failed';
}

/** Whether the run came to its end. Invalid rows and failed messages are in the report, and no later run changes them by itself. */
export function isSuccess(result: Pick<JobResult, 'exit'>): boolean {
  const outcome = outcomeOf(result);
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
  return outcomeOf(result) === 'failed' ? before + 1 : before;
}

/** The first that applies is what a command with several parts ends with. */
const precedence = [
  ...[exitCodes.interrupted, exitCodes.terminated, exitCodes.fault, exitCodes.store, exitCodes.usage],
  ...[exitCodes.source, exitCodes.stopped, exitCodes.differences, exitCodes.someFailed],
];

/** Returns the most severe of several exit codes; 0 if there is none. */
export function worstExit(exits: readonly number[]): number {
  return precedence.find((exit) => exits.includes(exit)) ?? exitCodes.done;
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
