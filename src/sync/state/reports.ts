import type { Database } from 'better-sqlite3';

/** A report that a run of the job wrote and nobody has removed. */
export interface KeptReport {
  readonly number: number;
  readonly folder: string;
  readonly endedAtMs: number;
}

/** Latest first. */
export function keptReports(db: Database, job: string): readonly KeptReport[] {
  return db
    .prepare<[string], KeptReport>(
      `SELECT number, report AS folder, ended_at AS endedAtMs FROM job_run
       WHERE job = ? AND report IS NOT NULL ORDER BY number DESC`,
    )
    .all(job);
}

export function forgetReport(db: Database, job: string, number: number): void {
  db.prepare('UPDATE job_run SET report = NULL WHERE job = ? AND number = ?').run(job, number);
}
