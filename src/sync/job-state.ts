import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { describeHolder, readLockHolder, takeLock } from '../lib/file-lock.ts';
import { errorCode } from '../io/input/file-errors.ts';
import { StoreError } from '../lib/errors.ts';
import { checkOwner, type DatabaseKind, migrate, newestVersion, readSchemaVersion } from '../lib/migrations.ts';
import { assetFile } from '../lib/package-files.ts';
import { openDatabase, toStoreError } from '../lib/sqlite.ts';
import { type JobCause, type JobResult, failuresAfter, isSuccess, type JobPast } from './job-result.ts';

const startAgain = 'Move it away: the next start begins a new one, and reads every export again; nothing is sent twice';

/** 'CHJB' */
const kind: DatabaseKind = {
  applicationId: 0x43484a42,
  folder: assetFile('sync/state/migrations/'),
  migrations: [],
  role: 'for the state of jobs',
  hints: { foreign: 'Name a file of its own under sync.state', newer: 'Update Chatferry', early: startAgain },
};

/** State of jobs between their runs. One process writes; any process may read. */
export interface JobState {
  readonly path: string;
  readonly db: Database;
  close(): void;
}

/** @throws StoreError if another process runs these jobs, or the file is not ours, newer than this program, or damaged. */
export function openJobState(path: string, nowMs: number): JobState {
  const lock = take(path, nowMs);
  try {
    const db = openDatabase(path);
    try {
      checkOwner(db, path, kind);
      migrate(db, kind);
    } catch (error) {
      db.close();
      throw error;
    }
    const close = () => {
      db.close();
      lock.release();
    };
    return { path, db, close };
  } catch (error) {
    lock.release();
    throw ofState(toStoreError(error, path) ?? error, path);
  }
}

/** Adapts the error to the state of jobs: the advice for a checkpoint store differs. */
function ofState(error: unknown, path: string): unknown {
  if (!(error instanceof StoreError) || !/^SQLITE_(?:NOTADB|CORRUPT)/.test(errorCode(error.cause) ?? '')) return error;
  return new StoreError(error.message, { path, hint: startAgain, cause: error.cause });
}

function take(path: string, nowMs: number): { release(): void } {
  try {
    return takeLock(path, 'sync', nowMs);
  } catch (cause) {
    const holder = cause instanceof StoreError ? readLockHolder(path) : undefined;
    if (!holder) throw cause;
    throw new StoreError(`Cannot run the jobs of "${path}": ${describeHolder(holder)}`, {
      path,
      hint: 'chatferry jobs shows its activity; for separate jobs, name another file under sync.state',
      cause,
    });
  }
}

/** To look at while another process runs the jobs. @returns Nothing before the first run. */
export function openJobStateToRead(path: string): JobState | undefined {
  if (!existsSync(path)) return undefined;
  const db = openDatabase(path, { readonly: true });
  try {
    checkOwner(db, path, kind);
    if (readSchemaVersion(db) === newestVersion(kind)) return { path, db, close: () => db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
  db.close();
  return undefined;
}

export interface JobRunRow {
  readonly number: number;
  readonly cause: JobCause;
  readonly startedAtMs: number;
  /** Null while it runs, and permanently if it was killed. */
  readonly endedAtMs: number | null;
  readonly result: JobResult | null;
}

/** Rows of a job that stay: three weeks of a run every half an hour. */
const rowsMax = 1000;

/** Opens a run, and says when the one after it is due: a kill between the two would lose or repeat one. @returns Its number. */
export const recordRunStart = (
  db: Database,
  job: string,
  {
    cause,
    nowMs,
    schedule,
    dueAtMs,
  }: { cause: JobCause; nowMs: number; schedule: string; dueAtMs: number | undefined },
): number =>
  db.transaction(() => {
    const number = (db.prepare('SELECT max(number) FROM job_run WHERE job = ?').pluck().get(job) as number | null) ?? 0;
    db.prepare('INSERT INTO job_run (job, number, cause, started_at) VALUES (?, ?, ?, ?)').run(
      job,
      number + 1,
      cause,
      nowMs,
    );
    db.prepare(
      `INSERT INTO job (name, schedule, due_at, is_cut) VALUES (?, ?, ?, 1)
       ON CONFLICT (name) DO UPDATE SET schedule = excluded.schedule, due_at = excluded.due_at, is_cut = 1`,
    ).run(job, schedule, dueAtMs ?? null);
    db.prepare('DELETE FROM job_run WHERE job = ? AND number <= ? AND report IS NULL').run(job, number + 1 - rowsMax);
    return number + 1;
  })();

/** @param isCut It was stopped before its end, and is to go on. */
export function endRun(db: Database, result: JobResult, isCut: boolean): void {
  db.transaction(() => {
    db.prepare('UPDATE job_run SET ended_at = ?, exit = ?, result = ?, report = ? WHERE job = ? AND number = ?').run(
      result.endedAtMs,
      result.exit,
      JSON.stringify(result),
      result.report,
      result.job,
      result.number,
    );
    db.prepare('UPDATE job SET is_cut = ? WHERE name = ?').run(isCut ? 1 : 0, result.job);
  })();
}

export const lastJobRun = (db: Database, job: string): JobRunRow | undefined =>
  toRunRow(
    db.prepare<[string], Row>(`SELECT ${columns} FROM job_run WHERE job = ? ORDER BY number DESC LIMIT 1`).get(job),
  );

/** The last one that came to an end, however that was. */
export function lastEndedRun(db: Database, job: string): JobRunRow | undefined {
  const sql = `SELECT ${columns} FROM job_run WHERE job = ? AND ended_at IS NOT NULL ORDER BY number DESC LIMIT 1`;
  return toRunRow(db.prepare<[string], Row>(sql).get(job));
}

type Row = Omit<JobRunRow, 'result'> & { readonly result: string | null };

const columns = 'number, cause, started_at AS startedAtMs, ended_at AS endedAtMs, result';

function toRunRow(row: Row | undefined): JobRunRow | undefined {
  if (!row) return undefined;
  const known = row.result === null ? null : (JSON.parse(row.result) as Omit<JobResult, 'notes'> & Partial<JobResult>);
  return { ...row, result: known && { notes: [], ...known } };
}

export interface NextRun {
  /** Null if the schedule names none. */
  readonly dueAtMs: number | null;
  /** The last one was stopped or killed before its end. */
  readonly isCut: boolean;
  /** Under which it was worked out. */
  readonly schedule: string;
}

export function nextRun(db: Database, job: string): NextRun | undefined {
  const row = db
    .prepare<[string], Omit<NextRun, 'isCut'> & { readonly isCut: 0 | 1 }>(
      'SELECT schedule, due_at AS dueAtMs, is_cut AS isCut FROM job WHERE name = ?',
    )
    .get(job);
  return row && { ...row, isCut: row.isCut === 1 };
}

export function saveDue(db: Database, job: string, schedule: string, dueAtMs: number | undefined): void {
  db.prepare(
    `INSERT INTO job (name, schedule, due_at) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET schedule = excluded.schedule, due_at = excluded.due_at`,
  ).run(job, schedule, dueAtMs ?? null);
}

/** Returns the results of a job's runs so far; undefined if none has ended. */
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

/** A report that a run of the job wrote and that has not been removed. */
export interface KeptReport {
  readonly number: number;
  readonly folder: string;
  readonly endedAtMs: number;
}

/** Latest first. */
export const keptReports = (db: Database, job: string): readonly KeptReport[] =>
  db
    .prepare<[string], KeptReport>(
      `SELECT number, report AS folder, ended_at AS endedAtMs FROM job_run
       WHERE job = ? AND report IS NOT NULL ORDER BY number DESC`,
    )
    .all(job);

export function forgetReport(db: Database, job: string, number: number): void {
  db.prepare('UPDATE job_run SET report = NULL WHERE job = ? AND number = ?').run(job, number);
}
