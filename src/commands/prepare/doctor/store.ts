import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { checkStore, type StoreCheck } from '../../../store/open.ts';
import type { RunRow } from '../../../store/runs.ts';
import { describeHolder } from '../../../lib/file-lock.ts';
import { toStoreError } from '../../../lib/sqlite.ts';
import { exitCodes } from '../../../model/exit-codes.ts';
import { formatBytes } from '../../../lib/text/quantity.ts';
import { formatUtc } from '../../../report/format.ts';
import { stateFolder } from '../../../lib/files/state-folder.ts';
import { errorFinding } from './connection.ts';
import { error, ok, warning } from '../finding.ts';
import type { DoctorFinding } from '../../results.ts';

/** The checkpoint store: does it open, is it whole, who has it, what happened last. Changes nothing. */
export function* examineStore(path: string): Generator<DoctorFinding> {
  if (!existsSync(path)) {
    yield ok('store', `No store at "${path}" yet: the first plan makes it`);
    return;
  }
  let check: StoreCheck;
  try {
    check = checkStore(path);
  } catch (error) {
    yield errorFinding('store', toStoreError(error, path) ?? error);
    return;
  }
  yield judgeStore(path, check);
  if (check.lastRun && !check.holder) yield judgeRun(check.lastRun);
}

function judgeStore(path: string, { sizeBytes, version, faults, holder }: StoreCheck): DoctorFinding {
  const says = `"${path}", ${formatBytes(sizeBytes)}, version ${version}`;
  if (faults && faults.length > 0) {
    const todo =
      'Restore a copy, or move the store away and plan again: existing messages at the destination are then recognised';
    return error('store', `${says}: damaged: ${faults.join('; ')}`, todo, exitCodes.store);
  }
  if (holder)
    return warning('store', `${says}, ${describeHolder(holder)}`, 'Wait until it ends: one process writes at a time');
  if (!faults) {
    return warning(
      'store',
      `${says}, opens; too large to be checked here`,
      `sqlite3 "${path}" "PRAGMA quick_check" checks it, which takes some minutes`,
    );
  }
  return ok('store', `${says}, opens and is whole`);
}

function judgeRun({ id, command, startedAtMs, endedAtMs, exit, stopped }: RunRow): DoctorFinding {
  const run = `r${id}, ${command} of ${formatUtc(startedAtMs)}`;
  const continues = 'Run the same command again: it continues';
  if (endedAtMs === null) return warning('last run', `${run}, did not end by itself`, continues);
  if (exit === exitCodes.stopped || exit === exitCodes.needsPerson) {
    const { code, message } = (stopped === null ? {} : JSON.parse(stopped)) as { code?: string; message?: string };
    return warning(
      'last run',
      `${run}, stopped${message ? `: ${message}` : ''}`,
      code ? `${continues}, once ${code} is gone` : continues,
    );
  }
  if (exit === exitCodes.differences) {
    return warning(
      'last run',
      `${run}, found differences or read nothing back`,
      'chatferry verify looks, chatferry report shows',
    );
  }
  return ok('last run', `${run}, ended with exit code ${exit}`);
}

export interface Disk {
  readonly freeBytes: number;
  /** Linux's magic number of the file system; other systems number theirs differently. */
  readonly type: number | undefined;
}

/** Room needed in addition to the forecast: for the write-ahead log (80 MB at a first plan, measured), reports, the sandbox. */
const roomBytes = 256 * 1024 * 1024;

/** File systems of other machines: linux/magic.h, 2026-11. Their locks and shared memory do not hold what SQLite asks of them. */
const networkTypes: ReadonlyMap<number | undefined, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
]);
const memoryTypes: ReadonlyMap<number | undefined, string> = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
]);

/**
 * Checks the disk of the store and the folder of the pace.
 *
 * @param neededBytes Growth of the store, by the forecast of its plan; undefined if there is no plan yet.
 */
export function* examineDisk(storePath: string, neededBytes: number | undefined): Generator<DoctorFinding> {
  const folder = dirname(resolve(storePath));
  if (!existsSync(folder)) {
    const todo = 'Make the folder, or pass --store with another path';
    yield error('disk', `The folder of the store, "${folder}", does not exist`, todo, exitCodes.store);
  } else if (!isWritable(folder)) {
    const todo = 'Check the permissions of the folder, or pass --store with another path';
    yield error('disk', `The folder of the store, "${folder}", cannot be written`, todo, exitCodes.store);
  } else {
    yield judgeDisk(diskOf(folder), neededBytes);
  }
  yield examineStateFolder();
}

export function judgeDisk({ freeBytes, type }: Disk, neededBytes: number | undefined): DoctorFinding {
  const needed = neededBytes ?? 0;
  const free = `${formatBytes(freeBytes)} free`;
  const forecast =
    neededBytes === undefined ? 'no plan yet that says how much is needed' : `about ${formatBytes(needed)} needed`;
  const says = `${free}, ${forecast}`;
  if (freeBytes < needed)
    return error('disk', says, 'Free some space, or pass --store on another disk', exitCodes.store);
  if (freeBytes < needed + roomBytes) {
    return warning(
      'disk',
      says,
      `Have ${formatBytes(needed + roomBytes)} free: a plan writes more for a while than it keeps`,
    );
  }
  const network = networkTypes.get(type);
  if (network) {
    return warning(
      'disk',
      `${says}; the store is on ${network}`,
      'Pass --store on a local disk: SQLite needs its locks',
    );
  }
  const memory = memoryTypes.get(type);
  if (memory) {
    return warning(
      'disk',
      `${says}; the store is in memory (${memory})`,
      'Pass --store on a disk that outlives a restart',
    );
  }
  return ok('disk', says);
}

function diskOf(folder: string): Disk {
  const { bavail, bsize, type } = statfsSync(folder);
  return { freeBytes: bavail * bsize, type: process.platform === 'linux' ? type : undefined };
}

/** Where processes agree on the pace. An import cannot begin without it. */
function examineStateFolder(): DoctorFinding {
  const folder = resolve(stateFolder());
  let existing = folder;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  if (isWritable(existing)) return ok('state', `Requests are paced by "${folder}"`);
  const todo = 'Check its permissions, or set CHATFERRY_STATE_DIR to a folder that you may write';
  return error('state', `Requests are paced by "${folder}", which cannot be written`, todo, exitCodes.store);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
