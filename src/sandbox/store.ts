import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../lib/errors.ts';
import { openDatabase } from '../lib/sqlite.ts';

/** 'CHSB': marks the file as a sandbox's. */
const applicationId = 0x43485342;

/** The data file of a sandbox. Whoever opened it closes it. */
export interface SandboxStore {
  readonly path: string;
  readonly db: Database;
  /** Made with the file: tells one sandbox from another, wherever the file is moved. */
  readonly id: string;
  close(): void;
}

/**
 * Opens the file, or makes it. `:memory:` makes one that is gone with the process.
 *
 * @param options.synchronous FULL by default: what was answered survives a power cut. NORMAL may then forget the last requests.
 * @throws StoreError if it cannot be opened or is no sandbox's file.
 */
export function openSandboxStore(
  path: string,
  options: { readonly synchronous?: 'FULL' | 'NORMAL' } = {},
): SandboxStore {
  const db = openDatabase(path, options);
  // 16 MB each. Muids are random, so every request changes many pages: fewer checkpoints write each page less often.
  db.pragma('wal_autocheckpoint = 4000');
  db.pragma('cache_size = -16000');
  try {
    if (isEmpty(db)) create(db);
    checkOwner(db, path);
    const id = db.prepare(`SELECT value FROM meta WHERE key = 'id'`).pluck().get() as string;
    return { path, db, id, close: () => db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}

const isEmpty = (db: Database): boolean => db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;

function create(db: Database): void {
  const schema = readFileSync(new URL('./schema.sql', import.meta.url), 'utf8');
  db.transaction(() => {
    // Another process may have been quicker.
    if (!isEmpty(db)) return;
    db.exec(schema);
    db.prepare(`INSERT INTO meta (key, value) VALUES ('id', ?)`).run(randomUUID());
    db.pragma(`application_id = ${applicationId}`);
    db.pragma('user_version = 1');
  }).immediate();
}

function checkOwner(db: Database, path: string): void {
  const isOurs = db.pragma('application_id', { simple: true }) === applicationId;
  if (isOurs && db.pragma('user_version', { simple: true }) === 1) return;
  const what = isOurs ? 'another version of Chatferry wrote it' : 'it is a database of another program';
  throw new StoreError(`Cannot use "${path}" as data of a sandbox: ${what}`, {
    path,
    hint: 'Pass the path of a new file',
  });
}
