import { existsSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { unloadCopy } from '../../store/open.ts';
import { StoreError } from '../../lib/errors.ts';
import { takeLock } from '../../lib/file-lock.ts';
import { flushFolder } from '../../lib/files/flush-folder.ts';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { systemClock } from '../../lib/flow/clock.ts';
import { toStoreError } from '../../lib/sqlite.ts';
import { openJobStateToRead } from '../../sync/job-state.ts';
import type { StorePaths } from './pack-store.ts';
import { unpackFile } from './packed-file.ts';

/**
 * Makes a store from a packed copy, with the job's state, if there was one. Both replace the existing files, with their
 * logs. The store comes last, so that everything else is there once it is. Nothing changes if this fails.
 *
 * @throws StoreError if a byte of the copy is missing or differs, it is of a newer version, the disk is full, or a
 *   process has the store.
 */
export async function unpackStore(packed: string, paths: StorePaths): Promise<void> {
  if (!existsSync(packed)) throw new StoreError(`Cannot restore "${packed}": there is no such file`, { path: packed });
  const [store, state] = [partialPath(paths.store), partialPath(paths.state)];
  const tidyUp = () => {
    for (const path of [store, state]) removeDatabase(path);
  };
  try {
    for (const path of [store, state]) makeFolder(dirname(path));
    tidyUp();
    await unpackFile(packed, store);
    const hasState = unloadCopy(store, state, packed);
    // Detects a state of a newer version.
    if (hasState) openJobStateToRead(state)?.close();
    put({ store, state: hasState ? state : undefined }, paths);
    for (const path of new Set([dirname(paths.state), dirname(paths.store)])) await flushFolder(path);
  } catch (error) {
    throw toStoreError(error, paths.store) ?? error;
  } finally {
    tidyUp();
  }
}

const partialPath = (path: string): string => join(dirname(path), `.${basename(path)}.partial`);

/** Puts the files in their places while no other process has them. */
function put(made: { readonly store: string; readonly state: string | undefined }, paths: StorePaths): void {
  const locks = [];
  try {
    for (const path of [paths.store, paths.state]) locks.push(takeLock(path, 'fleet', systemClock.now()));
    for (const path of [paths.store, paths.state]) removeDatabase(path);
    if (made.state !== undefined) renameSync(made.state, paths.state);
    renameSync(made.store, paths.store);
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** Removes the file first: a log without one belongs to no database. */
function removeDatabase(path: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(path + ending, { force: true });
}
