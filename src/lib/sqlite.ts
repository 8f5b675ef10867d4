import { closeSync, existsSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ChatferryError, StoreError } from './errors.ts';
import { assertNoLink } from './files/no-link.ts';
import { oneLine } from './text/plain-text.ts';

/** 3.51.3: the first version without the WAL-reset corruption bug. */
const versionMin = [3, 51, 3] as const;

interface OpenOptions {
  readonly readonly?: boolean;
  /** `wal` by default; `delete` for the lock file, which is not read while it changes. */
  readonly journal?: 'wal' | 'delete';
  /** FULL by default: a commit survives a power cut. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /** Page size of a new file, in bytes; SQLite's own default is 4096. Larger pages suit wide rows. */
  readonly pageSize?: number;
}

/**
 * Opens a SQLite file as everything here uses it: mode 0600, WAL, the wanted `synchronous` set and read back,
 * because a file that is opened again silently falls back to NORMAL.
 *
 * @throws StoreError if the file cannot be opened or is not a database; UsageError if it is to be written, and is a link.
 */
export function openDatabase(path: string, options: OpenOptions = {}): Database.Database {
  const { readonly = false } = options;
  let db: Database.Database | undefined;
  try {
    if (!readonly) {
      for (const end of ['', '-wal', '-shm', '-journal']) assertNoLink(`${path}${end}`);
      createPrivately(path);
    }
    db = new Database(path, { readonly, fileMustExist: readonly });
    assertVersion(db, path);
    db.pragma('busy_timeout = 5000');
    db.pragma('foreign_keys = ON');
    if (!readonly) makeDurable(db, path, options);
    return db;
  } catch (error) {
    db?.close();
    throw toStoreError(error, path) ?? error;
  }
}

/**
 * Opens a private database in the folder for temporary files. It grows onto the disk as needed, is visible to no other
 * process, and disappears when it is closed or the process ends. Nothing in it outlives a fault, so nothing is
 * synchronised and no journal is kept.
 */
export function openTemporaryDatabase(): Database.Database {
  const db = new Database('');
  assertVersion(db, 'a temporary database');
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  return db;
}

/** Both settings are read back: a folder that cannot share memory refuses WAL, and both refusals are silent. */
function makeDurable(
  db: Database.Database,
  path: string,
  { journal = 'wal', synchronous = 'FULL', pageSize }: OpenOptions,
): void {
  // Before anything is written: a file that has pages keeps their size.
  if (pageSize !== undefined) db.pragma(`page_size = ${pageSize}`);
  const journalFound = db.pragma(`journal_mode = ${journal}`, { simple: true });
  if (journalFound !== journal && path !== ':memory:') {
    throw new StoreError(`Cannot use "${path}": its folder does not allow journal mode "${journal}"`, {
      path,
      hint: 'Pass a path on a local disk',
    });
  }
  db.pragma(`synchronous = ${synchronous}`);
  const level = db.pragma('synchronous', { simple: true });
  if (level !== (synchronous === 'FULL' ? 2 : 1)) throw new Error(`synchronous is ${level}, not ${synchronous}`);
}

/** A new file gets its mode before SQLite sees it; an existing one is not touched: closing it here would drop SQLite's locks. */
function createPrivately(path: string): void {
  if (path === ':memory:' || existsSync(path)) return;
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    // Another process made it a moment ago, with the same mode.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

export const sqliteVersion = (db: Database.Database): string =>
  db.prepare<[], string>('SELECT sqlite_version()').pluck().get()!;

/** The library is the same for every database of a process. */
let isVersionKnown = false;

function assertVersion(db: Database.Database, path: string): void {
  if (isVersionKnown) return;
  const version = sqliteVersion(db);
  const parts = version.split('.').map(Number);
  for (const [index, wanted] of versionMin.entries()) {
    const found = parts[index] ?? 0;
    if (found > wanted) break;
    if (found < wanted) {
      throw new StoreError(`Cannot use SQLite ${version}: ${versionMin.join('.')} or newer is needed`, {
        path,
        hint: 'Reinstall the better-sqlite3 package',
      });
    }
  }
  isVersionKnown = true;
}

const faults: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  SQLITE_FULL: ['the disk is full', 'Free some space; the same command continues'],
  SQLITE_IOERR_SHMSIZE: ['the disk is full', 'Free some space; the same command continues'],
  SQLITE_IOERR: ['the disk reports an error', 'Check the disk; the same command continues'],
  SQLITE_CORRUPT: [
    'the file is damaged',
    'Keep it; put a copy back, or move it away and let "chatferry reconcile EXPORT" rebuild it',
  ],
  SQLITE_NOTADB: ['it is not a SQLite database', 'Pass --store with the path of another file'],
  SQLITE_READONLY_ROLLBACK: ['its last writer was cut off', 'Run the command again that writes to it'],
  SQLITE_READONLY: ['it cannot be written', 'Check the permissions of the file and its folder'],
  SQLITE_CANTOPEN: ['it cannot be opened', 'Check that the folder exists and may be written'],
  SQLITE_BUSY: ['another process is writing to it', 'Wait until it ends'],
  EACCES: ['permission denied', 'Check the permissions of the file and its folder'],
  ENOENT: ['its folder does not exist', 'Make the folder, or pass another path'],
  ENOSPC: ['the disk is full', 'Free some space; the same command continues'],
  EDQUOT: ['the disk quota is used up', 'Free some space; the same command continues'],
  EFBIG: ['the file may not grow', 'Raise the limit for the size of files (ulimit -f); the same command continues'],
  EIO: ['the disk reports an error', 'Check the disk; the same command continues'],
  EMFILE: ['too many files are open', 'Raise the limit for open files (ulimit -n); the same command continues'],
  ENFILE: ['too many files are open on this machine', 'Close some; the same command continues'],
  EROFS: ['the file system is read-only', 'Pass a path that may be written'],
  EEXIST: ['a file exists where its folder should be', 'Move it away, or pass another path'],
  ENOTDIR: ['a file exists where its folder should be', 'Move it away, or pass another path'],
  EISDIR: ['it is a folder', 'Pass the path of a file'],
};

/** Whether an error says that there is no room: nothing of the write is there, and it may be tried again. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'SQLITE_FULL' || error.code === 'SQLITE_IOERR_SHMSIZE');

/** Returns the error if it is one of ours, or a StoreError for a fault of SQLite or the file system; nothing for an internal error. */
export const toKnownError = (error: unknown, path: string): ChatferryError | undefined =>
  error instanceof ChatferryError ? error : toStoreError(error, path);

/** An unexpected error in a log: a sentence if the disk or a database failed, else the stack. */
export function faultWords(error: unknown): string {
  const known = toKnownError(error, 'the disk');
  if (known) return oneLine([known.message, known.hint].filter(Boolean).join('. '));
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A fault of SQLite or the file system as a StoreError; nothing if the error is something else. */
export function toStoreError(error: unknown, path: string): StoreError | undefined {
  if (!(error instanceof Error) || !('code' in error) || error instanceof StoreError) return undefined;
  const code = String(error.code);
  const known = Object.keys(faults).find((prefix) => code === prefix || code.startsWith(`${prefix}_`));
  if (known === undefined) return undefined;
  const [what, hint] = faults[known]!;
  return new StoreError(`Cannot use "${path}": ${what} (${code})`, { path, hint, cause: error });
}
