import { rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { copyStore } from '../../store/open.ts';
import { sandboxPathOf } from '../../delivery/target.ts';
import { StoreError } from '../../lib/errors.ts';
import { describeHolder, readLockHolder } from '../../lib/file-lock.ts';
import { reportFolderOf } from '../../config/options.ts';

/** Files that SQLite keeps next to a database. */
const companions = ['', '-wal', '-shm', '-journal'];

/**
 * Copies a planned store, so that a rehearsal sends from the copy and the store itself has sent nothing. What an earlier rehearsal left is
 * deleted: its copy, its sandbox, its report.
 *
 * @param into The copy.
 * @throws StoreError if the earlier one still goes on, there is no plan, or no room.
 */
export function copyForRehearsal(store: string, into: string): void {
  const holder = readLockHolder(into);
  if (holder !== undefined)
    throw new StoreError(`Cannot rehearse again: "${into}" is ${describeHolder(holder)}`, { path: into });
  const size = statSync(store, { throwIfNoEntry: false })?.size;
  if (size === undefined)
    throw new StoreError(`Cannot rehearse: there is no plan in "${store}"`, { path: store, hint: 'Plan first' });
  removeRehearsal(into);
  assertRoom(into, size);
  try {
    copyStore(store, into);
  } catch (error) {
    // Half a copy is none.
    rmSync(into, { force: true });
    throw error;
  }
}

function removeRehearsal(store: string): void {
  for (const path of [store, sandboxPathOf(store)]) for (const end of companions) rmSync(path + end, { force: true });
  rmSync(reportFolderOf({ store, report: undefined }), { recursive: true, force: true });
}

function assertRoom(path: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(dirname(resolve(path)), { bigint: true });
  if (bavail * bsize > BigInt(bytes)) return;
  throw new StoreError(`Cannot copy the plan to "${path}": the disk is full`, { path });
}
