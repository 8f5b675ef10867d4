import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { describeHolder, holderOf, takeLock } from '../lib/file-lock.ts';
import { errorCode } from '../io/input/file-errors.ts';
import { StoreError } from '../lib/errors.ts';
import { checkOwner, type DatabaseKind, migrate, newestVersion, versionOf } from '../lib/migrations.ts';
import { assetFile } from '../lib/package-files.ts';
import { openDatabase, storeErrorOf } from '../lib/sqlite.ts';

const startAgain = 'Move it away: the next start begins a new one, and reads every export again; nothing is sent twice';

/** 'CHJB' */
const kind: DatabaseKind = {
  applicationId: 0x43484a42,
  folder: assetFile('sync/state/migrations/'),
  migrations: [],
  role: 'for the state of jobs',
  hints: {
    foreign: 'Name a file of its own under sync.state',
    newer: 'Update Chatferry',
    early: startAgain,
  },
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
    throw ofState(storeErrorOf(error, path) ?? error, path);
  }
}

/** Adapts the error to the state of jobs: the advice for a checkpoint store differs. */
function ofState(error: unknown, path: string): unknown {
  if (!(error instanceof StoreError) || !/^SQLITE_(?:NOTADB|CORRUPT)/.test(errorCode(error.cause) ?? '')) return error;
  return new StoreError(error.message, {
    path,
    hint: startAgain,
    cause: error.cause,
  });
}

function take(path: string, nowMs: number): { release(): void } {
  try {
    return takeLock(path, 'sync', nowMs);
  } catch (cause) {
    const holder = cause instanceof StoreError ? holderOf(path) : undefined;
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
    if (versionOf(db) === newestVersion(kind)) return { path, db, close: () => db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
  db.close();
  return undefined;
}
