import { hash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DropFolderExport } from '../config/export-location.ts';
import { errorCode, toSourceError } from '../../io/input/file-errors.ts';
import { bytesAt, withRegularFile } from '../../io/input/regular-file.ts';
import { SourceError } from '../../lib/errors.ts';
import { type ArchiveFacts, correctSeen, forgetArchives, markTaken, noteArchive } from '../state/location-memory.ts';
import type { LocationContext, Arrivals, Take } from './location.ts';

/** Bytes hashed at the beginning of an archive, to distinguish it from another one of the same name, size and time. */
const headBytes = 64 * 1024;

interface Dropped extends ArchiveFacts {
  readonly path: string;
  /** Digest of its first bytes, or why they cannot be read. */
  readonly head: string | SourceError;
  /** When it will not have changed for long enough. */
  readonly restsAtMs: number;
  readonly isTaken: boolean;
}

/**
 * Returns the new archives of a folder, oldest first. Each is read once, after it has looked the same for `settledFor`:
 * copies keep the time of the original, so only a second look shows whether one is complete. Waits once for new
 * archives; an archive that is still growing then is left for the next run.
 */
export async function openDropFolder(location: DropFolderExport, context: LocationContext): Promise<Arrivals> {
  const { clock, signal, job, state, isFresh } = context;
  if (isFresh) forgetArchives(state.db, job);
  const first = inspectFolder(location, context);
  const waitMs = Math.max(
    0,
    ...first.filter(({ isTaken }) => !isTaken).map((archive) => archive.restsAtMs - clock.now()),
  );
  if (waitMs > 0) await clock.sleep(waitMs, signal);
  const wanted = (waitMs > 0 ? inspectFolder(location, context) : first).filter(
    ({ isTaken, restsAtMs }) => !isTaken && restsAtMs <= clock.now(),
  );
  return {
    takes: wanted.flatMap(({ head, ...archive }) => (typeof head === 'string' ? toTake(archive, head, context) : [])),
    failures: wanted.flatMap(({ head }) => (typeof head === 'string' ? [] : head)),
  };
}

const toTake = (archive: Omit<Dropped, 'head'>, head: string, { state, job, clock }: LocationContext): Take => ({
  exports: [archive.path],
  taken: () => markTaken(state.db, job, archive, head, clock.now()),
});

/** By time, then name. @throws SourceError if the folder cannot be listed. */
function inspectFolder({ dropFolder, pattern, settledFor }: DropFolderExport, context: LocationContext): Dropped[] {
  const { state, job, clock } = context;
  const isWanted = nameFilter(pattern);
  const found = listFiles(dropFolder)
    .filter(({ name }) => isWanted(name))
    .sort((a, b) => a.modifiedMs - b.modifiedMs || (a.name < b.name ? -1 : 1));
  // One commit for all of them.
  return state.db.transaction(() => {
    correctSeen(state.db, job, clock.now());
    return found.flatMap((file) => {
      const path = join(dropFolder, file.name);
      const head = hashHead(path);
      if (head === undefined) return [];
      const known = noteArchive(state.db, job, file, clock.now());
      const isTaken = known?.isTaken === true && known.head === head;
      return { ...file, path, head, isTaken, restsAtMs: (known?.seenAtMs ?? clock.now()) + settledFor };
    });
  })();
}

/** Lists only files, no folders or links. A file that is removed in the meantime is left out. */
function listFiles(folder: string): ArchiveFacts[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
      return stats?.isFile() ? [{ name, sizeBytes: stats.size, modifiedMs: stats.mtimeMs }] : [];
    });
  } catch (error) {
    throw toSourceError(error, `Cannot read "${folder}"`) ?? error;
  }
}

/** Returns undefined if the file was removed in the meantime. */
function hashHead(path: string): string | SourceError | undefined {
  try {
    return withRegularFile(path, ({ fd }) => hash('sha256', bytesAt(fd, 0, headBytes), 'hex').slice(0, 32));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    const known = error instanceof SourceError ? error : toSourceError(error, `Cannot read "${path}"`);
    if (known) return known;
    throw error;
  }
}

/** Under these names browsers and copying programs write what is not whole yet. */
const unfinished = /\.(?:part|partial|tmp|temp|crdownload|download|filepart|swp)$/i;

/** `*` stands for any characters, `?` for one. */
function nameFilter(pattern: string): (name: string) => boolean {
  const escaped = pattern
    .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const wanted = new RegExp(`^${escaped}$`, 'su');
  return (name) => !name.startsWith('.') && !unfinished.test(name) && wanted.test(name);
}
