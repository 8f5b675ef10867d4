import { realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { SourceError } from '../../lib/errors.ts';
import type { Caps } from './caps.ts';
import type { ExportInput, FileStat, InputProblem } from './export-input.ts';
import { sourceErrorOf } from './file-errors.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type GrowingFile, growingFile } from './growing-file.ts';
import { listFolder } from './list-folder.ts';
import { ProblemList } from './problem-list.ts';
import { bytesAt, chunksOfFile, type RegularFile, withRegularFile } from './regular-file.ts';
import { SortedPaths } from './sorted-paths.ts';

/**
 * Lists a folder and everything below it. Memory: the paths, about 70 bytes each.
 *
 * @param root Absolute, links resolved.
 */
export async function openFolder(root: string, caps: Caps): Promise<ExportInput> {
  const label = basename(root) || root;
  const problems = new ProblemList();
  const paths = await listFolder({ root, label, caps, problems });
  return new FolderInput(root, label, new SortedPaths(paths), problems.all(label));
}

/** Opens a file for each call and closes it again; holds nothing open. */
class FolderInput implements ExportInput {
  readonly label: string;
  readonly key: string;
  readonly problems: readonly InputProblem[];
  readonly #paths: SortedPaths;
  /** The folder last seen to lie inside the root: files are read folder by folder. */
  #insideFolder = '';

  constructor(root: string, label: string, paths: SortedPaths, problems: readonly InputProblem[]) {
    this.key = root;
    this.label = label;
    this.problems = problems;
    this.#paths = paths;
  }

  async paths(): Promise<readonly string[]> {
    return this.#paths.list;
  }

  async stat(path: string): Promise<FileStat> {
    return this.#use(path, fingerprintOf);
  }

  async head(path: string, byteCount: number): Promise<Uint8Array> {
    return this.#use(path, ({ fd, sizeBytes }) => bytesAt(fd, 0, Math.min(byteCount, sizeBytes)));
  }

  async read(path: string, bytesMax: number): Promise<Uint8Array> {
    return this.#use(path, ({ fd, sizeBytes }) => {
      if (sizeBytes > bytesMax) {
        const reason = `expected at most ${bytesMax} bytes, found ${sizeBytes}`;
        throw new SourceError(`${this.#action}: ${reason}`, { location: { path } });
      }
      return bytesAt(fd, 0, sizeBytes);
    });
  }

  async *open(path: string): AsyncGenerator<Uint8Array> {
    try {
      yield* chunksOfFile(this.#locate(path));
    } catch (error) {
      throw sourceErrorOf(error, this.#action, { path }) ?? error;
    }
  }

  growing(path: string): GrowingFile {
    return growingFile(
      () => this.#locate(path),
      (error) => sourceErrorOf(error, this.#action, { path }) ?? error,
    );
  }

  async materialise(path: string): Promise<string> {
    return this.#use(path, () => join(this.key, path));
  }

  async close(): Promise<void> {}

  get #action(): string {
    return `Cannot read from "${this.label}"`;
  }

  #use<T>(path: string, use: (file: RegularFile) => T): T {
    try {
      return withRegularFile(this.#locate(path), use);
    } catch (error) {
      throw sourceErrorOf(error, this.#action, { path }) ?? error;
    }
  }

  /** Only what was listed is opened, and only while its folder still lies inside the root. */
  #locate(path: string): string {
    if (this.#paths.indexOf(path) < 0) {
      throw new SourceError(`${this.#action}: there is no such file`, { location: { path } });
    }
    const absolute = join(this.key, path);
    const folder = dirname(absolute);
    if (folder !== this.#insideFolder) {
      const real = realpathSync.native(folder);
      if (real !== this.key && !real.startsWith(withSeparator(this.key))) {
        throw new SourceError(`${this.#action}: its folder now leads out of the export`, { location: { path } });
      }
      this.#insideFolder = folder;
    }
    return absolute;
  }
}

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
}
