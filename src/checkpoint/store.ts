import { existsSync, readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../lib/errors.ts';
import { openDatabase } from '../lib/sqlite.ts';
import { GroupCommit } from './group-commit.ts';
import { takeLock } from './lock.ts';

/** 'CHFR': marks the file as ours. */
const applicationId = 0x43484652;
/** Numbered migrations, applied in order; a store remembers the last one in `user_version`. */
const migrations = ['0001.sql', '0002.sql'];

/** An open checkpoint store. One process writes; anybody may read. */
export interface Store {
  readonly path: string;
  readonly db: Database;
  /** Commits what was queued in the same turn together. */
  readonly commits: GroupCommit;
  close(): void;
}

/** @throws StoreError if it is locked, not ours, newer than this program, or cannot be opened. */
export function openStore(path: string, options: { readonly command: string; readonly nowMs: number }): Store {
  const lock = takeLock(path, options.command, options.nowMs);
  try {
    const db = openDatabase(path, { synchronous: 'FULL', pageSize: 8192 });
    db.pragma('cache_size = -8000');
    // The binding's default is memory: sorting for an index would take 40 bytes a message.
    db.pragma('temp_store = FILE');
    migrate(db, path);
    return storeOf(path, db, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Opens a store to look at; works while another process writes. @throws StoreError if there is none. */
export function openStoreToRead(path: string): Store {
  if (!existsSync(path)) {
    throw new StoreError(`Cannot open the checkpoint store "${path}": there is no such file`, {
      path,
      hint: 'Run "chatferry plan EXPORT" or "chatferry import EXPORT" first, or pass --store',
    });
  }
  const db = openDatabase(path, { readonly: true });
  checkOwner(db, path);
  if (versionOf(db) < migrations.length) {
    db.close();
    throw new StoreError(`Cannot read the checkpoint store "${path}": an older version of Chatferry wrote it`, {
      path,
      hint: 'Run "chatferry plan" or "chatferry import" once; it brings the store up to date',
    });
  }
  return storeOf(path, db, () => {});
}

function storeOf(path: string, db: Database, release: () => void): Store {
  return {
    path,
    db,
    commits: new GroupCommit(db),
    close() {
      db.close();
      release();
    },
  };
}

const versionOf = (db: Database) => db.pragma('user_version', { simple: true }) as number;

function migrate(db: Database, path: string): void {
  checkOwner(db, path);
  for (let version = versionOf(db); version < migrations.length; version++) {
    const sql = readFileSync(new URL(`./migrations/${migrations[version]}`, import.meta.url), 'utf8');
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`application_id = ${applicationId}`);
      db.pragma(`user_version = ${version + 1}`);
    }).immediate();
  }
}

function checkOwner(db: Database, path: string): void {
  const isNew = (db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number) === 0;
  const isOurs = db.pragma('application_id', { simple: true }) === applicationId;
  if (!isNew && !isOurs) {
    db.close();
    throw new StoreError(`Cannot use "${path}" as checkpoint store: it is a database of another program`, {
      path,
      hint: 'Pass --store with the path of a new file',
    });
  }
  if (versionOf(db) <= migrations.length) return;
  db.close();
  throw new StoreError(`Cannot use the checkpoint store "${path}": a newer version of Chatferry wrote it`, {
    path,
    hint: 'Update Chatferry',
  });
}
