import { hash } from 'node:crypto';
import type { FileStat } from './export-input.ts';
import { errorCode } from './file-errors.ts';
import { bytesAt, type RegularFile, withRegularFile } from './regular-file.ts';

/** Hashed at either end of a large file; a file of at most twice this is hashed whole, with one read. */
const edgeBytes = 64 * 1024;

/**
 * Returns the identity of a file on disk: `size:sha256` of all of it up to 128 KiB, so that unpacking an export again
 * changes nothing. Above that, `size:modified:sha256`: the hash covers the first and last 64 KiB, and the time covers
 * the rest. The hash is cut to 128 bits.
 */
export function fingerprintFile(file: RegularFile): FileStat {
  const { fd, sizeBytes, modifiedMs } = file;
  if (sizeBytes <= 2 * edgeBytes)
    return { sizeBytes, fingerprint: `${sizeBytes}:${digest(bytesAt(fd, 0, sizeBytes))}` };
  const edges = Buffer.concat([bytesAt(fd, 0, edgeBytes), bytesAt(fd, sizeBytes - edgeBytes, edgeBytes)]);
  return { sizeBytes, fingerprint: `${sizeBytes}:${modifiedMs}:${digest(edges)}` };
}

/**
 * Returns the identity of a file that was named by itself. While an application has a SQLite file open, its newest rows
 * are in a log next to it, and for days nowhere else: so the log counts with it.
 */
export function statFile(path: string): FileStat {
  const stat = withRegularFile(path, fingerprintFile);
  try {
    const log = withRegularFile(`${path}-wal`, fingerprintFile);
    return { ...stat, fingerprint: `${stat.fingerprint}+${log.fingerprint}` };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return stat;
    throw error;
  }
}

const digest = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex').slice(0, 32);
