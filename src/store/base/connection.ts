import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../../lib/errors.ts';
import { checkOwner, type DatabaseKind, migrate, newestVersion, readSchemaVersion } from '../../lib/migrations.ts';
import { openDatabase, toStoreError } from '../../lib/sqlite.ts';
import { GroupCommit, reserveBeside } from './group-commit.ts';
import { assertSound, assertSoundToWrite, factsOf, markClosed, markOf, markOpen } from './health.ts';
import { assetFile } from '../../lib/package-files.ts';
import { type Lock, takeLock } from '../../lib/file-lock.ts';

/** 'CHFR' */
export const storeKind: DatabaseKind = {
  applicationId: 0x43484652,
  folder: assetFile('store/migrations/'),
  migrations: [],
  role: 'as checkpoint store',
  hints: {
    foreign: 'Pass --store with the path of a new file',
    newer: 'Update Chatferry',
    early: 'Finish it with that version, or plan again into a new store (--store)',
  },
};

/** A checkpoint store with its database: what the doors are made of. It does not leave this folder. */
export interface Connection {
  readonly path: string;
  readonly db: Database;
  /** Commits what was queued in the same turn together. */
  readonly commits: GroupCommit;
  /**
   * Called before work begins; absent if the store is only read. When a store that no process has touched since it was closed is opened for a plan or an
   * import, it is not checked completely, because usually there is nothing to do.
   *
   * @throws StoreError if it is damaged.
   */
  readonly assertSound?: () => void;
  close(): void;
}

/** @throws StoreError if it is locked, not ours, damaged, newer than this program, made before 0.1, or cannot be opened. */
export function openConnection(
  path: string,
  options: { readonly command: string; readonly nowMs: number },
): Connection {
  const lock = takeLock(path, options.command, options.nowMs);
  let db: Database | undefined;
  try {
    const isUntouched = lock.left !== undefined && lock.left === markOf(path);
    const isLight = isUntouched && expectsLittle.has(options.command);
    inspect(path, isLight);
    db = openDatabase(path, { synchronous: 'FULL', pageSize: 8192 });
    boundMemory(db, 8000);
    checkOwner(db, path, storeKind);
    migrate(db, storeKind);
    markOpen(db, path);
    return writableStore(path, db, lock, isLight);
  } catch (error) {
    if (db) closeAfterFailure(db, path);
    lock.release();
    throw toStoreError(error, path) ?? error;
  }
}

/** Commands that mostly find nothing to do, and look at the store again before they do something. */
const expectsLittle: ReadonlySet<string> = new Set(['plan', 'import']);

function writableStore(path: string, db: Database, lock: Lock, isLight: boolean): Connection {
  // Reading order is counted from 1, so this needs no pass over the messages.
  const countMessages = () => (db.prepare('SELECT max(seq) FROM message').pluck().get() as number | null) ?? 0;
  const reserve = reserveBeside(path, countMessages);
  let isChecked = !isLight;
  const commits = new GroupCommit(db, reserve);
  const close = () => {
    reserve.spend();
    const isClean = commits.isSound && canMarkClosed(db);
    if (isClean) db.close();
    else closeAfterFailure(db, path);
    lock.release(isClean ? markOf(path) : undefined);
  };
  const assertSound = () => {
    if (!isChecked) assertSoundToWrite(db, path);
    isChecked = true;
  };
  return { path, db, commits, assertSound, close };
}

function canMarkClosed(db: Database): boolean {
  try {
    if (db.inTransaction) db.exec('ROLLBACK');
    markClosed(db);
    return true;
  } catch {
    return false; // a disk that takes no more
  }
}

/**
 * Closes a store as a kill would: the log stays next to it, for the process that opens it next. SQLite cleans up when
 * the last connection closes, and would flush what could not be flushed before; a second, read-only connection prevents
 * that.
 */
function closeAfterFailure(db: Database, path: string): void {
  const reader = openDatabase(path, { readonly: true });
  reader.prepare('SELECT count(*) FROM sqlite_schema').get();
  db.close();
  reader.close();
}

/** Opens a store to look at; works while another process writes. @throws StoreError if there is none. */
export function openConnectionToRead(path: string): Connection {
  if (!existsSync(path)) {
    throw new StoreError(`Cannot open the checkpoint store "${path}": there is no such file`, {
      path,
      hint: 'Run "chatferry plan EXPORT" or "chatferry import EXPORT" first, or pass --store',
    });
  }
  const db = openToRead(path);
  if (readSchemaVersion(db) < newestVersion(storeKind)) {
    db.close();
    throw new StoreError(`Cannot read the checkpoint store "${path}": it is not up to date`, {
      path,
      hint: 'Run "chatferry plan" or "chatferry import" once; it brings the store up to date',
    });
  }
  return { path, db, commits: new GroupCommit(db), close: () => db.close() };
}

/**
 * Looks at a file before anything is written to it, by a connection that cannot: closing it leaves file and log as they were.
 * A file whose very first writes were cut off holds nothing yet.
 */
function inspect(path: string, isLight: boolean): void {
  const before = factsOf(path);
  if (before.sizeBytes === 0 || before.hasJournal) return;
  const db = openToRead(path);
  try {
    if (readSchemaVersion(db) === 0) return;
    assertSound(db, path, before, isLight);
  } catch (error) {
    throw toStoreError(error, path) ?? error;
  } finally {
    db.close();
  }
}

/** The binding's default is 16 MB for each, which one pass over the files of a large export fills. */
function boundMemory(db: Database, kibibytes: number): void {
  db.pragma(`cache_size = -${kibibytes}`);
  // The binding's default is memory: sorting for an index would take 40 bytes a message.
  db.pragma('temp_store = FILE');
  // Behind it, for it forgets this.
  db.pragma('temp.cache_size = -2000');
}

function openToRead(path: string): Database {
  const db = openDatabase(path, { readonly: true });
  try {
    checkOwner(db, path, storeKind);
    boundMemory(db, 2000);
    return db;
  } catch (error) {
    db.close();
    throw toStoreError(error, path) ?? error;
  }
}
