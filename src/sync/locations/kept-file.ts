import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { putInPlace, writeFlushed } from '../../lib/files/atomic-file.ts';
import { SourceError } from '../../lib/errors.ts';
import { toStoreError } from '../../lib/sqlite.ts';
import type { LocationMemory } from '../state/location-memory.ts';
import type { Arrivals } from './location.ts';

export interface SavedFile {
  readonly sizeBytes: number;
  /** SHA-256, hex. */
  readonly digest: string;
}

/** More bytes than are wanted. */
export class TooLarge extends Error {}

/**
 * A file that is replaced completely or not at all, once the received content has been inspected. It keeps its name, so
 * that a plan recognises it. The temporary file keeps its name too, so that one left by a kill is overwritten. For its
 * owner only.
 */
export class KeptFile {
  readonly path: string;
  readonly #temporary: string;

  /**
   * @param folder Folder of the temporary file, on the same disk. Default: the folder of the file itself, for folders
   *   that no reader lists.
   */
  constructor(path: string, folder = dirname(path)) {
    this.path = path;
    this.#temporary = join(folder, `.${basename(path)}.partial`);
  }

  sizeBytes(): number | undefined {
    return statSync(this.path, { throwIfNoEntry: false })?.size;
  }

  /** Writes the temporary file. @throws TooLarge, StoreError where it cannot be written, and what `chunks` throws. */
  async receive(chunks: AsyncIterable<Uint8Array>, sizeMax: number): Promise<SavedFile> {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    async function* counted() {
      for await (const chunk of chunks) {
        sizeBytes += chunk.length;
        if (sizeBytes > sizeMax) throw new TooLarge();
        hash.update(chunk);
        yield chunk;
      }
    }
    await this.#guard(() => {
      makeFolder(dirname(this.#temporary));
      return writeFlushed(this.#temporary, counted());
    });
    return { sizeBytes, digest: hash.digest('hex') };
  }

  async replace(): Promise<void> {
    await this.#guard(() => {
      makeFolder(dirname(this.path));
      putInPlace(this.#temporary, this.path);
    });
  }

  async discard(): Promise<void> {
    await rm(this.#temporary, { force: true });
  }

  async #guard<T>(write: () => T | Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      throw toStoreError(error, this.path) ?? error;
    }
  }
}

/** Remembered facts of a file that is received again at every run. The code that receives it extends them. */
export type FileMemory = Partial<SavedFile>;

/**
 * Receives a file and puts it in place, unless the existing file has the same bytes: then it stays unchanged, and the
 * plan does not read it again.
 *
 * Between the replacement and the end of the plan nothing is remembered: a process that is killed there receives the
 * file once more.
 *
 * @param receive Writes into the file's temporary one. @param facts To be remembered once a plan has read it.
 */
export async function receiveFile<Facts extends object>(
  file: KeptFile,
  memory: LocationMemory<FileMemory & Partial<Facts>>,
  facts: Facts,
  receive: () => Promise<SavedFile>,
): Promise<Arrivals> {
  const before = memory.read();
  let saved: SavedFile;
  try {
    saved = await receive();
    if (saved.sizeBytes === 0) throw nothingReceived(file);
  } catch (error) {
    await file.discard();
    throw error;
  }
  const isSame = before?.digest === saved.digest && file.sizeBytes() === saved.sizeBytes;
  if (isSame) await file.discard();
  else {
    memory.write({});
    await file.replace();
  }
  return { takes: [{ exports: [file.path], taken: () => memory.write({ ...facts, ...saved }) }], failures: [] };
}

/** An export of nothing would say that everything was deleted at the source. */
const nothingReceived = ({ path }: KeptFile) =>
  new SourceError(`Cannot use the data received for "${path}": it is empty`, {
    hint: 'The last export stays as it is; the next run tries again',
  });
