import type { Database } from 'better-sqlite3';

/** What is known of the next run of a job. */
export interface NextRun {
  /** Null where the schedule names none. */
  readonly dueAtMs: number | null;
  /** The last one was stopped or killed before its end. */
  readonly isCut: boolean;
  /** Under which it was worked out. */
  readonly schedule: string;
}

export function nextRun(db: Database, job: string): NextRun | undefined {
  const row = db
    .prepare<[string], { schedule: string; due_at: number | null; is_cut: number }>(
      'SELECT schedule, due_at, is_cut FROM job WHERE name = ?',
    )
    .get(job);
  return row && { dueAtMs: row.due_at, isCut: row.is_cut === 1, schedule: row.schedule };
}

export function saveDue(db: Database, job: string, schedule: string, dueAtMs: number | undefined): void {
  db.prepare(
    `INSERT INTO job (name, schedule, due_at) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET schedule = excluded.schedule, due_at = excluded.due_at`,
  ).run(job, schedule, dueAtMs ?? null);
}
