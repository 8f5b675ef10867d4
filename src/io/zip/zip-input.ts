import { formatCount } from '../../lib/text/count.ts';
import { closeSync } from 'node:fs';
import { basename } from 'node:path';
import { SourceError } from '../../lib/errors.ts';
import type { Caps } from '../input/caps.ts';
import { firstBytes } from '../bytes.ts';
import { type ExportInput, ProblemList } from '../input/export-input.ts';
import { toSourceError } from '../input/file-errors.ts';
import { openRegularFile, ReadWindow, withRegularFile } from '../input/regular-file.ts';
import { TemporaryCopies } from '../input/temporary-copies.ts';
import { contentChunks, readContent, hex, ZipContentError } from './zip-content.ts';
import { directoryDigest, listArchive } from './zip-directory.ts';
import type { FinishedEntries, ZipEntry } from './zip-entries.ts';

/**
 * Opens a ZIP and lists it. Memory: about 75 bytes for each entry, its name included, and a window of 512 KiB.
 * An archive inside the archive is a file like any other (`input/inner-zips.ts` opens it).
 *
 * @param path Absolute, links resolved.
 * @param label Its name in messages.
 * @param only Names of the only files to list. Default: all.
 */
export function openZip(path: string, caps: Caps, label = basename(path), only?: ReadonlySet<string>): ExportInput {
  const { fd, sizeBytes } = openRegularFile(path);
  try {
    const window = new ReadWindow(fd, sizeBytes);
    const problems = new ProblemList();
    const entries = listArchive({ window, label, caps, problems, only });
    return zipInput({ key: path, label, problems: problems.all(label) }, window, entries);
  } catch (error) {
    closeSync(fd);
    throw toSourceError(error, `Cannot read "${label}"`) ?? error;
  }
}

/** Returns one digest of the entries that `openZip` would list. @throws SourceError, and any error of `fs`. */
export function zipListing(path: string) {
  const label = basename(path);
  const digest = withRegularFile(path, ({ fd, sizeBytes }) => directoryDigest(new ReadWindow(fd, sizeBytes), label));
  return { key: path, label, digest, changedAtMs: 0 };
}

/** Holds the archive open until `close`. */
function zipInput(
  about: Pick<ExportInput, 'key' | 'label' | 'problems'>,
  window: ReadWindow,
  entries: FinishedEntries,
): ExportInput {
  const action = `Cannot read from "${about.label}"`;
  const copies = new TemporaryCopies();
  let isOpen = true;
  const fault = (path: string, reason: string, cause?: unknown) =>
    new SourceError(`${action}: ${reason}`, { location: { path }, cause });
  // A broken entry costs that entry: the error says which, and the archive stays open.
  const translated = (error: unknown, path: string): unknown =>
    error instanceof ZipContentError
      ? fault(path, error.message, error.cause)
      : (toSourceError(error, action, { path }) ?? error);
  const find = (path: string): ZipEntry => {
    if (!isOpen) throw new TypeError(`${action}: it is closed`);
    const index = entries.paths.indexOf(path);
    if (index < 0) throw fault(path, 'there is no such file');
    return entries.entryAt(index);
  };
  async function* open(path: string): AsyncGenerator<Uint8Array> {
    const entry = find(path);
    try {
      yield* contentChunks(window, entry);
    } catch (error) {
      throw translated(error, path);
    }
  }
  return {
    ...about,
    open,
    paths: async () => entries.paths.list,
    async stat(path) {
      const { crc, sizeBytes } = find(path);
      return { sizeBytes, fingerprint: `${hex(crc)}:${sizeBytes}` };
    },
    head: async (path, byteCount) => firstBytes(open(path), byteCount),
    async read(path, bytesMax) {
      const entry = find(path);
      if (entry.sizeBytes > bytesMax)
        throw fault(path, `expected at most ${formatCount(bytesMax)} bytes, found ${formatCount(entry.sizeBytes)}`);
      try {
        return readContent(window, entry);
      } catch (error) {
        throw translated(error, path);
      }
    },
    materialise: (path) =>
      copies.ensureCopy(path, open(path)).catch((error: unknown) => {
        throw translated(error, path);
      }),
    async close() {
      if (isOpen) closeSync(window.fd);
      isOpen = false;
      await copies.remove();
    },
  };
}
