import { basename } from 'node:path';
import { SourceError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/text/count.ts';
import type { Caps } from '../input/caps.ts';
import { type ExportInput, type FileStat, type InputProblem, ProblemList } from '../input/export-input.ts';
import { toSourceError } from '../input/file-errors.ts';
import { bytesAt, chunksAt } from '../input/regular-file.ts';
import { TemporaryCopies } from '../input/temporary-copies.ts';
import { hex } from '../zip/zip-content.ts';
import { spoolEntries, type TarEntry } from './tar-entries.ts';
import { TarSpool } from './tar-spool.ts';

/**
 * Opens a tar archive, also one that is packed with gzip. It has no directory, so it is read once to its end, and its contents are copied to
 * a temporary file that `close` removes: as much free space is needed as it unpacks to.
 *
 * @param path Absolute, links resolved.
 */
export async function openTar(path: string, caps: Caps): Promise<ExportInput> {
  const label = basename(path);
  const spool = await TarSpool.make();
  try {
    const problems = new ProblemList();
    const entries = await spoolEntries({ path, label, caps, problems, spool });
    return new TarInput(path, spool, entries, problems.all(label));
  } catch (error) {
    await spool.remove();
    throw toSourceError(error, `Cannot read "${label}"`) ?? error;
  }
}

class TarInput implements ExportInput {
  readonly label: string;
  readonly key: string;
  readonly problems: readonly InputProblem[];
  readonly #spool: TarSpool;
  readonly #entries: ReadonlyMap<string, TarEntry>;
  readonly #paths: readonly string[];
  readonly #copies = new TemporaryCopies();

  constructor(
    path: string,
    spool: TarSpool,
    entries: ReadonlyMap<string, TarEntry>,
    problems: readonly InputProblem[],
  ) {
    this.key = path;
    this.label = basename(path);
    this.problems = problems;
    this.#spool = spool;
    this.#entries = entries;
    this.#paths = [...entries.keys()].sort();
  }

  async paths(): Promise<readonly string[]> {
    return this.#paths;
  }

  async stat(path: string): Promise<FileStat> {
    const { crc, sizeBytes } = this.#entry(path);
    return { sizeBytes, fingerprint: `${hex(crc)}:${sizeBytes}` };
  }

  async head(path: string, byteCount: number): Promise<Uint8Array> {
    const { offset, sizeBytes } = this.#entry(path);
    return bytesAt(this.#spool.fd, offset, Math.min(byteCount, sizeBytes));
  }

  async read(path: string, bytesMax: number): Promise<Uint8Array> {
    const { offset, sizeBytes } = this.#entry(path);
    if (sizeBytes > bytesMax)
      throw this.#error(path, `expected at most ${formatCount(bytesMax)} bytes, found ${formatCount(sizeBytes)}`);
    return bytesAt(this.#spool.fd, offset, sizeBytes);
  }

  async *open(path: string): AsyncGenerator<Uint8Array> {
    const { offset, sizeBytes } = this.#entry(path);
    yield* chunksAt(this.#spool.fd, offset, offset + sizeBytes, 256 * 1024);
  }

  async materialise(path: string): Promise<string> {
    try {
      return await this.#copies.ensureCopy(path, this.open(path));
    } catch (error) {
      throw toSourceError(error, `Cannot read from "${this.label}"`, { path }) ?? error;
    }
  }

  async close(): Promise<void> {
    await this.#spool.remove();
    await this.#copies.remove();
  }

  #entry(path: string): TarEntry {
    if (!this.#spool.isOpen) throw new TypeError(`Cannot read from "${this.label}": it is closed`);
    const entry = this.#entries.get(path);
    if (entry === undefined) throw this.#error(path, 'there is no such file');
    return entry;
  }

  #error(path: string, reason: string): SourceError {
    return new SourceError(`Cannot read from "${this.label}": ${reason}`, { location: { path } });
  }
}
