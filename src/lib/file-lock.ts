import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Database } from 'better-sqlite3';
import { StoreError } from './errors.ts';
import { openDatabase, toStoreError } from './sqlite.ts';

export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly command: string;
  readonly since: number;
}

export interface Lock {
  /** State of the store as the last holder recorded it on release; undefined if it recorded nothing, or died. */
  readonly left: string | undefined;
  /** @param leaving Passed to the next holder. */
  release(leaving?: string): void;
}

/**
 * Takes the store for this process: a write transaction, which stays open, on a database next to it. The kernel ends it
 * with the process, however that dies, so there are no stale locks. The name of the holder stays readable all the time.
 * Never open the lock file with `fs`: closing it would release the lock (POSIX).
 *
 * @throws StoreError that names the holder and the time since when.
 */
export function takeLock(storePath: string, command: string, nowMs: number): Lock {
  const db = openDatabase(`${storePath}.lock`, { journal: 'delete' });
  let left: string | undefined;
  // A process that only asks who holds the lock takes it for an instant.
  db.pragma('busy_timeout = 100');
  try {
    db.exec('CREATE TABLE IF NOT EXISTS holder (pid INTEGER, host TEXT, command TEXT, since INTEGER) STRICT');
    db.exec('CREATE TABLE IF NOT EXISTS leaving (word TEXT) STRICT');
    db.transaction(() => {
      left = db.prepare<[], string>('SELECT word FROM leaving').pluck().get();
      db.exec('DELETE FROM leaving; DELETE FROM holder');
      db.prepare('INSERT INTO holder VALUES (?, ?, ?, ?)').run(process.pid, hostname(), command, nowMs);
    }).immediate();
    db.exec('BEGIN IMMEDIATE');
  } catch (cause) {
    const holder = readHolder(db);
    db.close();
    if (!isBusy(cause)) throw toStoreError(cause, storePath) ?? cause;
    throw new StoreError(`Cannot take the checkpoint store "${storePath}": ${describeHolder(holder)}`, {
      path: storePath,
      hint: 'Wait until it ends, or stop it; for another migration at the same time, pass --store with another file',
      cause,
    });
  }
  const release = (leaving?: string) => {
    // Inside the transaction that is the lock.
    if (leaving !== undefined) db.prepare('INSERT INTO leaving VALUES (?)').run(leaving);
    if (leaving !== undefined) db.exec('COMMIT');
    db.close();
  };
  return { left, release };
}

/** The process that holds a store at this moment. @throws StoreError if the lock's file cannot be opened. */
export function readLockHolder(storePath: string): Holder | undefined {
  const path = `${storePath}.lock`;
  if (!existsSync(path)) return undefined;
  const db = openDatabase(path, { journal: 'delete' });
  try {
    db.pragma('busy_timeout = 0');
    // The row outlives its process; the lock does not.
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return undefined;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return readHolder(db) ?? unnamedHolder;
  } finally {
    db.close();
  }
}

const unnamedHolder: Holder = { pid: 0, host: '', command: '', since: 0 };

const isBusy = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');

function readHolder(db: Database): Holder | undefined {
  try {
    return db.prepare<[], Holder>('SELECT * FROM holder').get();
  } catch {
    return undefined; // taken this very moment: the holder has not written its name yet
  }
}

/** `held by "chatferry import", process 812 on host, since …`. */
export const describeHolder = (holder: Holder | undefined): string =>
  holder && holder !== unnamedHolder
    ? `held by "chatferry ${holder.command}", process ${holder.pid} on ${holder.host}, since ${new Date(holder.since).toISOString()}`
    : 'held by another process';

/** How long a process waits for its turn, in ms. */
const turnMs = 10_000;

/**
 * Reads, changes and writes a file as one step: another process that does the same with the same path waits, for 10 s at most. The lock is
 * a write transaction on a database next to the file, which stays; the kernel ends the transaction with the process. Not to be called inside itself.
 *
 * @param work Takes some ms: it blocks the process, and those that wait.
 * @throws StoreError if the database cannot be opened, and after 10 s; what `work` throws.
 */
export function inTurn<Result>(path: string, work: () => Result, waitMs: number = turnMs): Result {
  const db = openDatabase(`${path}.lock`, { journal: 'delete' });
  try {
    db.pragma(`busy_timeout = ${waitMs}`);
    begin(db, path);
    return work();
  } finally {
    db.close();
  }
}

function begin(db: Database, path: string): void {
  try {
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    throw toStoreError(error, path) ?? error;
  }
}
