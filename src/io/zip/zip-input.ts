import { formatCount } from '../../lib/text/count.ts';
import { closeSync } from 'node:fs';
import { basename } from 'node:path';
import { SourceError } from '../../lib/errors.ts';
import type { Caps } from '../input/caps.ts';
import { firstBytes } from '../bytes.ts';
import { type ExportInput, type FileStat, type InputProblem, ProblemList } from '../input/export-input.ts';
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
    return new ZipInput(path, label, window, entries, problems.all(label));
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
class ZipInput implements ExportInput {
  readonly label: string;
  readonly key: string;
  readonly problems: readonly InputProblem[];
  readonly #window: ReadWindow;
  readonly #entries: FinishedEntries;
  readonly #copies = new TemporaryCopies();
  #isOpen = true;

  constructor(
    path: string,
    label: string,
    window: ReadWindow,
    entries: FinishedEntries,
    problems: readonly InputProblem[],
  ) {
    this.key = path;
    this.label = label;
    this.problems = problems;
    this.#window = window;
    this.#entries = entries;
  }

  async paths(): Promise<readonly string[]> {
    return this.#entries.paths.list;
  }

  async stat(path: string): Promise<FileStat> {
    const { crc, sizeBytes } = this.#entry(path);
    return { sizeBytes, fingerprint: `${hex(crc)}:${sizeBytes}` };
  }

  async head(path: string, byteCount: number): Promise<Uint8Array> {
    return firstBytes(this.open(path), byteCount);
  }

  async read(path: string, bytesMax: number): Promise<Uint8Array> {
    const entry = this.#entry(path);
    if (entry.sizeBytes > bytesMax)
      throw this.#error(path, `expected at most ${formatCount(bytesMax)} bytes, found ${formatCount(entry.sizeBytes)}`);
    try {
      return readContent(this.#window, entry);
    } catch (error) {
      throw this.#translate(error, path);
    }
  }

  async *open(path: string): AsyncGenerator<Uint8Array> {
    const entry = this.#entry(path);
    try {
      yield* contentChunks(this.#window, entry);
    } catch (error) {
      throw this.#translate(error, path);
    }
  }

  async materialise(path: string): Promise<string> {
    try {
      return await this.#copies.ensureCopy(path, this.open(path));
    } catch (error) {
      throw this.#translate(error, path);
    }
  }

  async close(): Promise<void> {
    if (this.#isOpen) closeSync(this.#window.fd);
    this.#isOpen = false;
    await this.#copies.remove();
  }

  #entry(path: string): ZipEntry {
    if (!this.#isOpen) throw new TypeError(`Cannot read from "${this.label}": it is closed`);
    const index = this.#entries.paths.indexOf(path);
    if (index < 0) throw this.#error(path, 'there is no such file');
    return this.#entries.entryAt(index);
  }

  #error(path: string, reason: string, cause?: unknown): SourceError {
    return new SourceError(`Cannot read from "${this.label}": ${reason}`, { location: { path }, cause });
  }

  /** A broken entry costs that entry: the error says which, and the archive stays open. */
  #translate(error: unknown, path: string): unknown {
    if (error instanceof ZipContentError) return this.#error(path, error.message, error.cause);
    return toSourceError(error, `Cannot read from "${this.label}"`, { path }) ?? error;
  }
}
