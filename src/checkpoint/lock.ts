import { hostname } from 'node:os';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../lib/errors.ts';
import { openDatabase } from '../lib/sqlite.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly command: string;
  readonly since: number;
}

/**
 * Takes the store for this process: a write transaction on a database beside it that stays open.
 * The kernel ends it with the process, however that dies, so there are no stale locks; and the holder's name
 * stays readable meanwhile. Never open the lock file with `fs`: closing it would release the lock (POSIX).
 *
 * @throws StoreError that says who holds it and since when.
 */
export function takeLock(storePath: string, command: string, nowMs: number): { release(): void } {
  const db = openDatabase(`${storePath}.lock`, { journal: 'delete' });
  db.pragma('busy_timeout = 0');
  try {
    db.exec('CREATE TABLE IF NOT EXISTS holder (pid INTEGER, host TEXT, command TEXT, since INTEGER) STRICT');
    db.transaction(() => {
      db.exec('DELETE FROM holder');
      db.prepare('INSERT INTO holder VALUES (?, ?, ?, ?)').run(process.pid, hostname(), command, nowMs);
    }).immediate();
    db.exec('BEGIN IMMEDIATE');
  } catch (cause) {
    const holder = readHolder(db);
    db.close();
    if (!(cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_BUSY'))) throw cause;
    throw new StoreError(`Cannot take the checkpoint store "${storePath}": ${describe(holder)}`, {
      path: storePath,
      hint: 'Wait until it ends or stop it; for another migration beside it, pass --store with another file',
      cause,
    });
  }
  return { release: () => db.close() };
}

function readHolder(db: Database): Holder | undefined {
  try {
    return db.prepare<[], Holder>('SELECT * FROM holder').get();
  } catch {
    return undefined; // taken this very moment: the holder has not written its name yet
  }
}

const describe = (holder: Holder | undefined) =>
  holder
    ? `held by "chatferry ${holder.command}", process ${holder.pid} on ${holder.host}, since ${new Date(holder.since).toISOString()}`
    : 'held by another process';
