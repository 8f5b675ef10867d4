import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../../lib/errors.ts';
import { Facts } from '../facts.ts';

/**
 * Size up to which a store is checked completely each time it is opened. 0.6 s; SQLite checks a gigabyte in 1.2 s if
 * the file is in memory (measured).
 */
const smallBytes = 512 * 1024 * 1024;
/** Size up to which a store is checked completely after an unclean end. 5 s, or half a minute if the disk has to be read. */
const largeBytes = 4 * 1024 * 1024 * 1024;
/** Tables that are not checked in a larger store: they are what makes it large. */
const wideTables = ['message', 'delivery', 'delivery_history'];

/**
 * Mark of the current state of the file, for the process that opens it next: it shows that this is the same file and
 * that nothing has written to it since. The system sets the time of the last change itself; no program sets it.
 * Undefined if there is no file, or if there is a log, which belongs to it.
 */
export function markOf(path: string): string | undefined {
  if (factsOf(path).hasLog) return undefined;
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (!stats) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

const smallTables = ['meta', 'run', 'destination'];

/** Facts about a store before SQLite opens it, which creates and removes the log. */
export interface FileFacts {
  /** Device and number of the file: a copy has others. Empty if there is no file yet. */
  readonly identity: string;
  readonly sizeBytes: number;
  readonly hasLog: boolean;
  /** A write from before the file had a log was cut off: only a connection that may write can take it back. */
  readonly hasJournal: boolean;
}

/** Asks for names and sizes only: opening the file here would end the locks that SQLite holds on it (POSIX). */
export function factsOf(path: string): FileFacts {
  const file = statSync(path, { throwIfNoEntry: false, bigint: true });
  const sizeOf = (suffix: string) => statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0;
  return {
    identity: file ? `${file.dev}:${file.ino}` : '',
    sizeBytes: Number(file?.size ?? 0),
    hasLog: sizeOf('-wal') > 0,
    hasJournal: sizeOf('-journal') > 0,
  };
}

/**
 * Checks whether the file can be trusted. While a process writes, the store itself records that (`markOpen`). If that
 * process could not record that it was done, the log next to the file has the latest commits, and must be there.
 *
 * A copy that was made in between, or put back later, is not damage: it is older, and the first check of each
 * conversation shows what it does not know.
 *
 * @param before The facts from before the store was opened.
 * @param isLight Checks only that everything is there, and the tables that every run reads: for a file that nothing has
 *   written to since it was checked completely.
 * @throws StoreError if it is damaged. Nothing is changed or removed.
 */
export function assertSound(db: Database, path: string, before: FileFacts, isLight = false): void {
  const openedAs = new Facts(db).read('openedAs');
  if (openedAs === before.identity && !before.hasLog) {
    throw damaged(path, `its log "${path}-wal" is missing, and the last writes are lost with it`);
  }
  const wasCleanlyClosed = openedAs === undefined;
  const isSmall = before.sizeBytes <= (wasCleanlyClosed ? smallBytes : largeBytes);
  assertPages(path, isLight ? checkTables(db, smallTables) : check(db, isSmall));
}

/** Runs the checks that were skipped when the store was opened lightly. @throws StoreError if it is damaged. */
export function assertSoundToWrite(db: Database, path: string): void {
  assertPages(path, check(db, factsOf(path).sizeBytes <= smallBytes));
}

function assertPages(path: string, findings: readonly string[]): void {
  const finding = findings.find((found) => found !== 'ok');
  if (finding !== undefined) throw damaged(path, `the file is damaged: ${finding}`);
}

/** Returns the first finding of each part that is checked; "ok" if there is none. */
function check(db: Database, isWhole: boolean): string[] {
  if (isWhole) return checkTables(db, [1]);
  const tables = db.prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
  return checkTables(
    db,
    tables.filter((table) => !wideTables.includes(table)),
  );
}

const checkTables = (db: Database, tables: readonly (string | number)[]): string[] =>
  tables.map((table) => db.pragma(`quick_check(${table})`, { simple: true }) as string);

/**
 * Says in the file itself that a process writes. It reaches the file before anything else does, so that it can be read there
 * without the log.
 */
export function markOpen(db: Database, path: string): void {
  new Facts(db).write('openedAs', factsOf(path).identity);
  db.pragma('wal_checkpoint(PASSIVE)');
}

export function markClosed(db: Database): void {
  new Facts(db).drop('openedAs');
}

export const damaged = (path: string, what: string, rescue = 'put a copy back') =>
  new StoreError(`Cannot use the checkpoint store "${path}": ${what}`, {
    path,
    hint: `Keep it; ${rescue}, or move it away and let "chatferry reconcile EXPORT" rebuild it from the export and the destination`,
  });
