import { SourceError } from '../../lib/errors.ts';
import { allBytes, firstBytes } from '../collect.ts';
import type { ExportInput, FileStat } from './export-input.ts';
import { sourceErrorOf } from './file-errors.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type GrowingFile, growingFile } from './growing-file.ts';
import { chunksOfFile, withRegularFile } from './regular-file.ts';
import { TemporaryCopies } from './temporary-copies.ts';

/** One file that was named on the command line. */
export interface NamedFile {
  /** Absolute, links resolved. */
  readonly realPath: string;
  stat(): Promise<FileStat>;
  open(): AsyncIterable<Uint8Array>;
  /** Whether `open` yields something else than the bytes on disk. */
  readonly isPacked: boolean;
}

export function plainFile(realPath: string): NamedFile {
  return {
    realPath,
    isPacked: false,
    stat: async () => withRegularFile(realPath, fingerprintOf),
    open: () => chunksOfFile(realPath),
  };
}

const action = 'Cannot read the file';

/** Files that were named together: one input, in which each file has the path that is its key in the map. */
export class FileInput implements ExportInput {
  readonly label: string;
  readonly key: string;
  readonly problems = [];
  readonly #files: ReadonlyMap<string, NamedFile>;
  readonly #copies = new TemporaryCopies();

  /** @param files At least one, in the order in which they were named. @param key Default the path of the first. */
  constructor(files: ReadonlyMap<string, NamedFile>, key?: string) {
    const [first] = files;
    if (first === undefined) throw new TypeError('Cannot make an input of no files');
    this.#files = files;
    this.label = files.size === 1 ? first[0] : `${files.size} files`;
    this.key = key ?? first[1].realPath;
  }

  async paths(): Promise<readonly string[]> {
    return [...this.#files.keys()].sort();
  }

  async stat(path: string): Promise<FileStat> {
    return this.#guard(path, (file) => file.stat());
  }

  async head(path: string, byteCount: number): Promise<Uint8Array> {
    return this.#guard(path, (file) => firstBytes(file.open(), byteCount));
  }

  async read(path: string, bytesMax: number): Promise<Uint8Array> {
    const bytes = await this.#guard(path, (file) => allBytes(file.open(), bytesMax));
    if (bytes !== undefined) return bytes;
    throw new SourceError(`${action}: expected at most ${bytesMax} bytes, found more`, { location: { path } });
  }

  async *open(path: string): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#file(path).open();
    } catch (error) {
      throw sourceErrorOf(error, action, { path }) ?? error;
    }
  }

  growing(path: string): GrowingFile | undefined {
    const { isPacked, realPath } = this.#file(path);
    if (isPacked) return undefined;
    return growingFile(
      () => realPath,
      (error) => sourceErrorOf(error, action, { path }) ?? error,
    );
  }

  async materialise(path: string): Promise<string> {
    return this.#guard(path, (file) => (file.isPacked ? this.#copies.copyOf(path, file.open()) : file.realPath));
  }

  async close(): Promise<void> {
    await this.#copies.remove();
  }

  #file(path: string): NamedFile {
    const file = this.#files.get(path);
    if (file === undefined) throw new SourceError(`${action}: it was not named`, { location: { path } });
    return file;
  }

  async #guard<T>(path: string, use: (file: NamedFile) => T | Promise<T>): Promise<T> {
    try {
      return await use(this.#file(path));
    } catch (error) {
      throw sourceErrorOf(error, action, { path }) ?? error;
    }
  }
}
