import { exitCodes } from '../report/exit-codes.ts';
import type { JobResult } from './events.ts';

/** What a run came to, for people who watch: done, done but for some messages, ended before its end on purpose, or failed. */
export type RunOutcome = 'done' | 'some-failed' | 'interrupted' | 'failed';

/** An interrupted run neither failed nor succeeded: somebody stopped it, or its hours were over, and it goes on later. */
export function outcomeOf({ exit }: Pick<JobResult, 'exit'>): RunOutcome {
  if (exit === exitCodes.done) return 'done';
  if (exit === exitCodes.someFailed) return 'some-failed';
  return exit === exitCodes.interrupted || exit === exitCodes.terminated ? 'interrupted' : 'failed';
}

/** Whether the run came to its end. What was rejected or refused is in the report, and does not come right by itself. */
export function isSuccess(result: Pick<JobResult, 'exit'>): boolean {
  const outcome = outcomeOf(result);
  return outcome === 'done' || outcome === 'some-failed';
}

/** `support-12`: as the run is called in logs, notices and reports. */
export const runIdOf = ({ job, number }: Pick<JobResult, 'job' | 'number'>): string => `${job}-${number}`;

/** What earlier processes left of a job, as far as alarms need it: a restart must not look like a recovery, or like silence. */
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
