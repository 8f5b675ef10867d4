import { closeSync, existsSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../../lib/errors.ts';
import { checkOwner, readSchemaVersion } from '../../lib/migrations.ts';
import { isDiskFull, openDatabase, toStoreError } from '../../lib/sqlite.ts';
import { storeKind } from './connection.ts';
import { stampAges } from '../batches/attempt-ages.ts';

/**
 * Copies of a store that travel to another machine. The state that the job keeps about its location is inside the copy:
 * a table of pieces, which is in every copy and in no store.
 */

/** Bytes of the file in one row of that table. */
const pieceBytes = 1024 * 1024;

/** SQLite's own cache while a database is copied, in KiB. */
const cacheKib = 2048;

/**
 * Writes the store as it is at one instant, even while other processes write to it; its log cannot be shortened until
 * this ends.
 *
 * @param into Must not exist yet. If this fails, half a file is left there.
 * @throws StoreError if the store is damaged, is not a Chatferry store, is newer than this program, or the disk is
 *   full.
 */
export function copyStore(path: string, into: string): void {
  copyDatabase(path, into, (db) => checkOwner(db, path, storeKind));
}

/** The same of any database. */
export function copyDatabase(path: string, into: string, check: (db: Database) => void = () => {}): void {
  // Its mode is set before there is anything in it.
  closeSync(openSync(into, 'wx', 0o600));
  const db = openDatabase(path, { readonly: true });
  try {
    check(db);
    db.pragma(`cache_size = -${cacheKib}`);
    db.pragma('temp_store = FILE');
    db.exec(`VACUUM INTO '${into.replaceAll("'", "''")}'`);
  } catch (error) {
    throw toStoreError(error, isDiskFull(error) ? into : path) ?? error;
  } finally {
    db.close();
  }
}

/**
 * Turns a copy into one that any machine can open: no process holds it open, and the age of unconfirmed deliveries
 * replaces this machine's uptimes.
 *
 * @param state A file that is packed into the copy, if there is one.
 * @throws StoreError if the disk is full.
 */
export function loadCopy(copy: string, state: string | undefined): void {
  const db = openToChange(copy);
  try {
    db.exec('CREATE TABLE job_state (part INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT');
    db.exec(`DELETE FROM meta WHERE key = 'openedAs'`);
    stampAges(db);
    if (state !== undefined) carry(db, state);
  } catch (error) {
    throw toStoreError(error, copy) ?? error;
  } finally {
    db.close();
  }
}

function carry(db: Database, state: string): void {
  const insert = db.prepare('INSERT INTO job_state (bytes) VALUES (?)');
  const piece = Buffer.alloc(pieceBytes);
  const file = openSync(state, 'r');
  try {
    for (;;) {
      const count = readSync(file, piece);
      if (count === 0) return;
      insert.run(piece.subarray(0, count));
    }
  } finally {
    closeSync(file);
  }
}

/**
 * The other way: takes out what was packed into a copy, which is a store afterwards, flushed to the disk.
 *
 * @param stateInto There is nothing yet. Flushed.
 * @param name What the copy is called where it cannot be used.
 * @returns Whether there was a state.
 * @throws StoreError if it is no copy, newer than this program, or the disk is full.
 */
export function unloadCopy(copy: string, stateInto: string, name: string): boolean {
  const db = openToChange(copy);
  try {
    if (!isCopy(db))
      throw new StoreError(`Cannot restore "${name}": it is no copy of a checkpoint store`, { path: name });
    checkOwner(db, name, storeKind);
    const hasState = writeState(db, stateInto);
    db.exec('DROP TABLE job_state');
    return hasState;
  } catch (error) {
    throw toStoreError(error, copy) ?? error;
  } finally {
    db.close();
  }
}

const isCopy = (db: Database): boolean =>
  readSchemaVersion(db) > 0 &&
  db.pragma('application_id', { simple: true }) === storeKind.applicationId &&
  (db.pragma('table_info(job_state)') as unknown[]).length > 0;

function writeState(db: Database, path: string): boolean {
  const pieces = db.prepare<[], Buffer>('SELECT bytes FROM job_state ORDER BY part').pluck();
  let file: number | undefined;
  try {
    for (const piece of pieces.iterate()) {
      file ??= openSync(path, 'wx', 0o600);
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
    }
    if (file !== undefined) fsyncSync(file);
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return file !== undefined;
}

/** A file that is thrown away if anything fails: it needs no journal. */
function openToChange(path: string): Database {
  if (!existsSync(path)) throw new Error(`There is no "${path}"`);
  const db = openDatabase(path, { journal: 'delete' });
  db.pragma('journal_mode = OFF');
  db.pragma(`cache_size = -${cacheKib}`);
  return db;
}
