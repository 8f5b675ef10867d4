import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../../lib/hash.ts';
import { diskErrorCode } from './disk-fault.ts';

/** Where files of a folder lie until they are whole. On the same disk, so that a name is all that changes then. */
export const partialFolder = '.chatferry-partial';

/** A process of another machine may write here too: its numbers say nothing on this one. */
const machine = sha256Hex(hostname()).slice(0, 8);

/** Returns a name that shows which process owns the file. */
export const partialName = (unique: string): string => `${machine}-${process.pid}-${unique}`;

/** Age at which a file of another machine is abandoned: not touched for a day. */
const abandonedMs = 24 * 3_600_000;

/** Removes what processes that are gone left half written. */
export async function removeLeftovers(folder: string): Promise<void> {
  const place = join(folder, partialFolder);
  // A link would lead out of the folder.
  if (!(await lstat(place).catch(() => undefined))?.isDirectory()) return;
  for (const name of await readdir(place)) {
    const path = join(place, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() && isLeftOver(name, found.mtimeMs)) await rm(path, { force: true });
  }
}

function isLeftOver(name: string, changedMs: number): boolean {
  const [host, pid] = name.split('-');
  if (host !== machine) return Date.now() - changedMs > abandonedMs;
  // A number is given to another process in the end: of ours, what is older than we are.
  if (Number(pid) === process.pid) return changedMs < Date.now() - process.uptime() * 1000;
  return !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return diskErrorCode(error) === 'EPERM';
  }
}

/** Removes Chatferry's folder for half-written files if it is empty. */
export async function leaveOut(folder: string): Promise<void> {
  // Another process may be writing.
  await rmdir(join(folder, partialFolder)).catch(() => {});
}
