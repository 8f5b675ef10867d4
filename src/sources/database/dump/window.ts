import { read } from 'node:fs';
import { promisify } from 'node:util';
import { toSourceError } from '../../../io/input/file-errors.ts';

const readAt = promisify(read);

/** Bytes that are read at once. */
export const defaultChunkBytes = 512 * 1024;

export interface WindowOptions {
  /** Descriptor of a regular file. */
  readonly fd: number;
  /** For messages. */
  readonly path: string;
  readonly chunkBytes: number;
  readonly signal: AbortSignal;
}

/** The part of a file that is looked at: bytes from `at` to `end` of `bytes` are there. */
export class FileWindow {
  bytes: Buffer<ArrayBuffer>;
  at = 0;
  end = 0;
  readonly #chunkBytes: number;
  readonly #fd: number;
  readonly #path: string;
  readonly #signal: AbortSignal;
  /** Place in the file of index 0. */
  #offset = 0;
  #isAtEnd = false;

  constructor({ fd, path, chunkBytes, signal }: WindowOptions) {
    this.bytes = Buffer.allocUnsafe(chunkBytes);
    this.#chunkBytes = chunkBytes;
    this.#fd = fd;
    this.#path = path;
    this.#signal = signal;
  }

  /** Place of `at` in the file. */
  get place(): number {
    return this.#offset + this.at;
  }

  /** Index of a place in the file; not necessarily one that is there. */
  indexOf(place: number): number {
    return place - this.#offset;
  }

  /** Goes to a place in the file; what is there already is not read again. */
  seek(place: number): void {
    const index = this.indexOf(place);
    if (index >= 0 && index <= this.end) {
      this.at = index;
      return;
    }
    this.#offset = place;
    this.at = 0;
    this.end = 0;
    this.#isAtEnd = false;
  }

  /** Reads on, and keeps what is from `at` on: indexes change. @returns whether there was more. */
  async more(): Promise<boolean> {
    this.#signal.throwIfAborted();
    if (this.#isAtEnd) return false;
    this.#makeRoom();
    const room = this.bytes.length - this.end;
    const { bytesRead } = await readAt(this.#fd, this.bytes, this.end, room, this.#offset + this.end).catch((error) => {
      throw toSourceError(error, 'Cannot read the dump', { path: this.#path }) ?? error;
    });
    this.end += bytesRead;
    this.#isAtEnd = bytesRead === 0;
    return bytesRead > 0;
  }

  /** @returns whether so many bytes are there. */
  async ensure(byteCount: number): Promise<boolean> {
    while (this.end - this.at < byteCount) if (!(await this.more())) return false;
    return true;
  }

  #makeRoom(): void {
    const chunkBytes = this.#chunkBytes;
    const held = this.end - this.at;
    const isLarge = held > chunkBytes / 2;
    const isShrinking = !isLarge && this.bytes.length > chunkBytes;
    const into =
      isLarge || isShrinking
        ? Buffer.allocUnsafe(isLarge ? Math.ceil(1.25 * held) + chunkBytes : chunkBytes)
        : this.bytes;
    this.bytes.copy(into, 0, this.at, this.end);
    this.bytes = into;
    this.#offset += this.at;
    this.at = 0;
    this.end = held;
  }
}

/** Whether these bytes are next. Called for each statement, and quicker than comparing buffers. */
export function startsWith({ bytes, at, end }: FileWindow, head: Uint8Array): boolean {
  if (end - at < head.length) return false;
  for (let index = 0; index < head.length; index += 1) if (bytes[at + index] !== head[index]) return false;
  return true;
}
