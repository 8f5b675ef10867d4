import { type StatsFs, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreError } from '../errors.ts';

/**
 * File systems, by the number that Linux gives them, on which a lock or a flush may mean nothing (statfs(2), 2026-11).
 * FUSE can be anything; much of it is a network or a cloud.
 */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x564c, 'NCP'],
]);

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly statfs: (path: string) => Pick<StatsFs, 'type'>;
}

/**
 * Throws if a store is not on a local disk. SQLite needs locks that hold and flushes that flush. On a network file
 * system either can silently fail: two processes write, or a power cut loses data that was reported as safe.
 *
 * Linux reports the type of a file system by number; Windows shows a network path by its beginning. Elsewhere nothing
 * is refused.
 *
 * @throws StoreError if the folder of the file is on a network file system.
 */
export function assertLocalDisk(
  path: string,
  { platform, statfs }: Machine = { platform: process.platform, statfs: statfsSync },
): void {
  const folder = dirname(resolve(path));
  const name =
    platform === 'linux' ? findNetworkType(folder, statfs) : platform === 'win32' ? networkShare(path) : undefined;
  if (name === undefined) return;
  throw new StoreError(`Cannot use "${path}": it is on a network file system (${name})`, {
    path,
    hint: 'Pass --store with a path on a local disk; or --allow-network-fs, if locks and flushes can be relied on there',
  });
}

function findNetworkType(folder: string, statfs: Machine['statfs']): string | undefined {
  try {
    // Some platforms give the number with a sign.
    return networkTypes.get(Number(statfs(folder).type) >>> 0);
  } catch {
    return undefined; // no such folder: opening the store says so
  }
}

const networkShare = (path: string): string | undefined =>
  /^[\\/]{2}[^\\/?.]/.test(path) ? 'a network share' : undefined;
