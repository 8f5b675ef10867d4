import type { Database } from 'better-sqlite3';
import { failuresAfter, isSuccess, type JobPast } from '../outcome.ts';

/** What the runs of a job came to so far; nothing where none has ended. */
export function jobPast(db: Database, job: string): JobPast | undefined {
  const rows = db
    .prepare<[string], { exit: number; endedAtMs: number }>(
      'SELECT exit, ended_at AS endedAtMs FROM job_run WHERE job = ? AND exit IS NOT NULL ORDER BY number',
    )
    .all(job);
  const last = rows.at(-1);
  if (!last) return undefined;
  return {
    job,
    lastExit: last.exit,
    lastEndAtMs: last.endedAtMs,
    lastSuccessAtMs: rows.findLast(isSuccess)?.endedAtMs ?? null,
    failuresInARow: rows.reduce(failuresAfter, 0),
  };
}
