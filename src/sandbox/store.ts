import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../lib/errors.ts';
import { openDatabase } from '../lib/sqlite.ts';

/** 'CHSB': marks the file as a sandbox's. */
const applicationId = 0x43485342;
/** Numbered migrations, applied in order; a file remembers the last one in `user_version`. */
const migrations = ['0001.sql', '0002.sql'];

/** The data file of a sandbox. Whoever opened it closes it. */
export interface SandboxStore {
  readonly path: string;
  readonly db: Database;
  /** Made with the file: tells one sandbox from another, wherever the file is moved. */
  readonly id: string;
  close(): void;
}

/**
 * Opens the file, or makes it; one of an older version is brought up to date first, which takes some 10 s for 1,000,000 messages.
 * `:memory:` makes one that is gone with the process.
 *
 * @param options.synchronous FULL by default: what was answered survives a power cut. NORMAL may then forget the last requests.
 * @throws StoreError if it cannot be opened, is no sandbox's file, or is newer than this program.
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
    checkOwner(db, path);
    migrate(db);
    const id = db.prepare(`SELECT value FROM meta WHERE key = 'id'`).pluck().get() as string;
    return { path, db, id, close: () => db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}

const versionOf = (db: Database) => db.pragma('user_version', { simple: true }) as number;

function checkOwner(db: Database, path: string): void {
  const isEmpty = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
  const isOurs = db.pragma('application_id', { simple: true }) === applicationId;
  if (!isEmpty && !isOurs) {
    const message = `Cannot use "${path}" as data of a sandbox: it is a database of another program`;
    throw new StoreError(message, { path, hint: 'Pass the path of a new file' });
  }
  if (versionOf(db) > migrations.length) {
    const message = `Cannot use "${path}" as data of a sandbox: a newer version of Chatferry wrote it`;
    throw new StoreError(message, { path, hint: 'Update Chatferry, or pass the path of a new file' });
  }
}

function migrate(db: Database): void {
  for (const [index, file] of migrations.entries()) {
    if (versionOf(db) > index) continue;
    const sql = readFileSync(new URL(`./migrations/${file}`, import.meta.url), 'utf8');
    db.transaction(() => {
      // Another process may have been quicker.
      if (versionOf(db) > index) return;
      db.exec(sql);
      db.prepare(`INSERT OR IGNORE INTO meta (key, value) VALUES ('id', ?)`).run(randomUUID());
      db.pragma(`application_id = ${applicationId}`);
      db.pragma(`user_version = ${index + 1}`);
    }).immediate();
  }
}
