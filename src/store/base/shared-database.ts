import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../../lib/errors.ts';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { openDatabase, toStoreError } from '../../lib/sqlite.ts';

/**
 * Opens the small database through which the processes of a user know of each other, and creates its folder. The caller
 * closes it.
 *
 * @param schema Tables that it needs, created if they are missing.
 * @throws StoreError that names this database: it is not the checkpoint store, and needs different advice.
 */
export function openShared(path: string, schema: string): Database {
  let db: Database | undefined;
  try {
    makeFolder(dirname(path));
    db = openDatabase(path, { synchronous: 'NORMAL' });
    // A few pages: whatever is wrong with it shows here, and not in the middle of a run.
    if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw damaged(path);
    db.exec(schema);
    return db;
  } catch (error) {
    db?.close();
    throw named(error, path);
  }
}

const damaged = (path: string) => Object.assign(new Error(`"${path}" is damaged`), { code: 'SQLITE_CORRUPT' as const });

function named(error: unknown, path: string): unknown {
  const fault = error instanceof StoreError ? error : toStoreError(error, path);
  if (!fault) return error;
  const { code } = (fault.cause ?? {}) as { readonly code?: string };
  const isDamaged = /^SQLITE_(?:CORRUPT|NOTADB)/.test(code ?? '');
  return new StoreError(
    `${fault.message}. In this file the processes of this user share their request rate; it is not the store`,
    {
      path,
      hint: isDamaged
        ? 'Delete it while nothing is sent: the next run begins a new one, and the store is as it was'
        : 'Set CHATFERRY_STATE_DIR to a folder that you may write, or put this one right',
      cause: error,
    },
  );
}
