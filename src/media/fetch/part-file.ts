import { createHash, type Hash } from 'node:crypto';
import { closeSync } from 'node:fs';
import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { chunksAt, openRegularFile } from '../../io/input/regular-file.ts';
import { replaceFile } from '../../lib/files/atomic-file.ts';
import { StoreError } from '../../lib/errors.ts';
import { headBytes } from '../../lib/files/byte-marks.ts';
import type { FetchedContent } from './fetched.ts';

/** By what a server knows later that a file is still the one of which a part is here. */
const validatorsSchema = z.strictObject({
  /** A strong one, as the server spelled it. */
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  /** Size of the whole file, if the server stated it. */
  sizeBytes: z.int().nonnegative().optional(),
});
export type Validators = z.output<typeof validatorsSchema>;

const keptSchema = validatorsSchema.extend({ keptBytes: z.int().positive() });

/** A part that can be continued: so many bytes of it are certainly on the disk. */
export type KeptPart = z.output<typeof keptSchema>;

/** So many bytes later it is written down how far a part is: all that a kill or a power cut can cost. */
const markEvery = 16 * 1024 * 1024;

/** Files up to this size stay in memory: for most pictures the disk would take longer than the network. */
const memoryBytes = 256 * 1024;

const chunkBytes = 256 * 1024;

/**
 * A file during its download: `NAME.part`, and once some of it is safe, `NAME.json` with how much that is and of which
 * file. `NAME.json` is always true: it is removed before the part is started again, and written after its bytes were
 * flushed.
 */
export class PartFile {
  readonly path: string;
  readonly #notes: string;
  #isOnDisk: boolean;

  /**
   * @param name Of one address: two writers of it at once is for the caller to prevent.
   * @param isOnDisk Whether something of it may be there; the disk is not asked otherwise.
   */
  constructor(folder: string, name: string, isOnDisk: boolean) {
    this.#isOnDisk = isOnDisk;
    this.path = join(folder, `${name}.part`);
    this.#notes = join(folder, `${name}.json`);
  }

  /** Returns what an earlier try or process left of the file; undefined if anything is wrong with it. */
  async kept(): Promise<KeptPart | undefined> {
    if (!this.#isOnDisk) return undefined;
    try {
      const kept = keptSchema.parse(JSON.parse(await readFile(this.#notes, 'utf8')));
      return (await stat(this.path)).size >= kept.keptBytes ? kept : undefined;
    } catch {
      return undefined;
    }
  }

  /** From its first byte. @throws StoreError */
  async begin(): Promise<PartWriter> {
    await atDisk(this.path, () => this.remove());
    return new PartWriter(this, undefined);
  }

  async make(): Promise<FileHandle> {
    this.#isOnDisk = true;
    return open(this.path, 'w+', 0o600);
  }

  /** Behind `keptBytes`, which are read once more for the digest. @throws StoreError */
  async goOn(keptBytes: number): Promise<PartWriter> {
    return atDisk(this.path, async () => {
      const handle = await open(this.path, 'r+');
      try {
        await handle.truncate(keptBytes);
        const writer = new PartWriter(this, handle);
        await writer.readAgain(handle, keptBytes);
        return writer;
      } catch (error) {
        await handle.close();
        throw error;
      }
    });
  }

  async note(kept: KeptPart): Promise<void> {
    await replaceFile(this.#notes, [JSON.stringify(kept)]);
  }

  /** Nothing of it is left. */
  async remove(): Promise<void> {
    if (!this.#isOnDisk) return;
    await rm(this.#notes, { force: true });
    await rm(this.path, { force: true });
    this.#isOnDisk = false;
  }
}

/** Writes a part from one offset on, one chunk after the other. The caller that created it closes it. */
export class PartWriter {
  readonly #part: PartFile;
  #handle: FileHandle | undefined;
  /** Chunks that are not on the disk, and do not have to be yet. */
  #held: Uint8Array[] = [];
  readonly #hash: Hash = createHash('sha256');
  #head = Buffer.alloc(0);
  #bytes = 0;
  #markedBytes = 0;

  constructor(part: PartFile, handle: FileHandle | undefined) {
    this.#part = part;
    this.#handle = handle;
  }

  get sizeBytes(): number {
    return this.#bytes;
  }

  /** Returns the first bytes, as many as type detection needs. */
  get head(): Uint8Array {
    return this.#head;
  }

  /** @param chunk The writer's own from here on. @throws StoreError */
  async write(chunk: Uint8Array, validators: Validators): Promise<void> {
    const before = this.#bytes;
    this.#count(chunk);
    if (this.#handle) await this.#put(this.#handle, chunk, before);
    else this.#held.push(chunk);
    if (!this.#handle && this.#bytes > memoryBytes) await this.#spill();
    if (this.#bytes - this.#markedBytes >= markEvery) await this.mark(validators);
  }

  /**
   * Flushes the written bytes, so that the file can be continued if the server gave a validator. Bytes in memory are
   * not worth it.
   *
   * @throws StoreError
   */
  async mark(validators: Validators): Promise<void> {
    const handle = this.#handle;
    if (!handle || this.#bytes === 0 || (validators.etag ?? validators.lastModified) === undefined) return;
    await atDisk(this.#part.path, async () => {
      await handle.datasync();
      await this.#part.note({ ...validators, keptBytes: this.#bytes });
      this.#markedBytes = this.#bytes;
    });
  }

  /** All of it is there: on the disk, or in memory. @throws StoreError */
  async finish(): Promise<Pick<FetchedContent, 'sizeBytes' | 'sha256' | 'open'>> {
    await atDisk(this.#part.path, async () => this.#handle?.sync());
    const open = this.#handle ? readsFile(this.#part.path, this.#bytes) : readsMemory(Buffer.concat(this.#held));
    return { sizeBytes: this.#bytes, sha256: this.#hash.digest('hex'), open };
  }

  /** Reads what an earlier writer has written. */
  async readAgain(handle: FileHandle, bytes: number): Promise<void> {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    while (this.#bytes < bytes) {
      const wanted = Math.min(buffer.length, bytes - this.#bytes);
      const { bytesRead } = await handle.read(buffer, 0, wanted, this.#bytes);
      if (bytesRead === 0) throw new Error('it became shorter');
      this.#count(buffer.subarray(0, bytesRead));
    }
    this.#markedBytes = this.#bytes;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #spill(): Promise<void> {
    const handle = await atDisk(this.#part.path, () => this.#part.make());
    this.#handle = handle;
    await this.#put(handle, Buffer.concat(this.#held), 0);
    this.#held = [];
  }

  #put(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
    return atDisk(this.#part.path, async () => {
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at);
        at += bytesWritten;
      }
    });
  }

  #count(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    if (this.#head.length < headBytes)
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, headBytes - this.#head.length)]);
  }
}

type Open = FetchedContent['open'];

/** Returns a reader of a whole file on this disk that no other process writes. It throws if the file is shorter than it was. */
const readsFile = (path: string, sizeBytes: number): Open =>
  async function* open() {
    const { fd } = openRegularFile(path);
    try {
      let bytes = 0;
      for await (const chunk of chunksAt(fd, 0, sizeBytes, chunkBytes)) {
        bytes += chunk.length;
        yield chunk;
      }
      if (bytes < sizeBytes) throw new Error('A file that was fetched became shorter before it was copied');
    } finally {
      closeSync(fd);
    }
  };

const readsMemory = (bytes: Uint8Array): Open =>
  async function* open() {
    yield bytes;
  };

async function atDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'it became shorter during the copy';
    throw new StoreError(`Cannot keep a file in "${path}" while it is copied: ${code}`, {
      path,
      hint: 'Make room there, or let it lie on another disk',
      cause,
    });
  }
}
