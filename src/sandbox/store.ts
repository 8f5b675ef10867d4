import type { Database } from 'better-sqlite3';
import { checkOwner, type DatabaseKind, migrate } from '../lib/migrations.ts';
import { StoreError } from '../lib/errors.ts';
import { describeHolder, readLockHolder, takeLock } from '../lib/file-lock.ts';
import { assetFile } from '../lib/package-files.ts';
import { openDatabase } from '../lib/sqlite.ts';

const elsewhere = 'pass another file: --data for "chatferry sandbox", --store for --to sandbox';

/** Identifies a sandbox's file: 'CHSB'. */
export const sandboxData: DatabaseKind = {
  applicationId: 0x43485342,
  folder: assetFile('sandbox/data/migrations/'),
  migrations: [],
  role: 'as data of a sandbox',
  hints: {
    foreign: `Keep it, and ${elsewhere}`,
    newer: `Update Chatferry, or ${elsewhere}`,
    early: `Move it away, and the sandbox begins a new one; or ${elsewhere}`,
  },
};

/** The data file of a sandbox, which no other process may open at the same time. The caller that opened it closes it. */
export interface SandboxStore {
  readonly path: string;
  readonly db: Database;
  /** Created with the file: distinguishes one sandbox from another, wherever the file is moved. */
  readonly id: string;
  close(): void;
}

/**
 * Opens the file, or makes it. `:memory:` makes one that is gone with the process.
 *
 * @param options.synchronous FULL by default: what was answered survives a power cut. NORMAL may then forget the last requests.
 * @throws StoreError if another sandbox has it, if it cannot be opened, is no sandbox's file, or is newer than this program.
 */
export function openSandboxStore(
  path: string,
  options: { readonly synchronous?: 'FULL' | 'NORMAL' } = {},
): SandboxStore {
  const lock = path === ':memory:' ? undefined : takeFile(path);
  try {
    const store = open(path, options);
    return {
      ...store,
      close() {
        store.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw ofSandbox(error, path);
  }
}

/** Locks the file: the caches of a sandbox would be stale once another one wrote to it. */
function takeFile(path: string): { release(): void } {
  try {
    return takeLock(path, 'sandbox', Date.now());
  } catch (cause) {
    const holder = cause instanceof StoreError ? readLockHolder(path) : undefined;
    if (!holder) throw ofSandbox(cause, path);
    throw new StoreError(`Cannot use "${path}" as data of a sandbox: ${describeHolder(holder)}`, {
      path,
      hint: `Stop it, or ${elsewhere}`,
      cause,
    });
  }
}

/** Gives an error the advice for a sandbox: that for a checkpoint store is different. */
function ofSandbox(error: unknown, path: string): unknown {
  if (!(error instanceof StoreError) || !/\(SQLITE_(?:NOTADB|CORRUPT)\w*\)$/.test(error.message)) return error;
  const hint = `Move it away, and the sandbox begins a new one; or ${elsewhere}`;
  return new StoreError(error.message, { path, hint, cause: error.cause });
}

function open(path: string, options: { readonly synchronous?: 'FULL' | 'NORMAL' }): SandboxStore {
  const db = openDatabase(path, options);
  // 16 MB each. Muids are random, so every request changes many pages: fewer checkpoints write each page less often.
  db.pragma('wal_autocheckpoint = 4000');
  db.pragma('cache_size = -16000');
  try {
    checkOwner(db, path, sandboxData);
    migrate(db, sandboxData);
    const id = db.prepare(`SELECT value FROM meta WHERE key = 'id'`).pluck().get() as string;
    return { path, db, id, close: () => db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Returns the id of a data file, which a sandbox may be serving at the same time.
 *
 * @throws StoreError if it is no sandbox's file.
 */
export function readSandboxId(path: string): string | undefined {
  const db = openDatabase(path, { readonly: true });
  try {
    checkOwner(db, path, sandboxData);
    return db.prepare<[], string>(`SELECT value FROM meta WHERE key = 'id'`).pluck().get();
  } finally {
    db.close();
  }
}
