import { closeSync, constants, fstatSync, openSync, read as readCallback, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { SourceError } from '../../lib/errors.ts';

const readAsync = promisify(readCallback);

/** Neither follows a link nor waits for the other end of a FIFO. Windows has neither flag. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Read at once: a trip to the thread pool costs as much as parsing some of it. */
const chunkBytes = 256 * 1024;
/** Handed on at once: what is made of it is garbage before it is old. */
const pieceBytes = 32 * 1024;

/** An open file, certainly a regular one. The caller that opened it closes it. */
export interface RegularFile {
  readonly fd: number;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** @throws SourceError if the path is not a regular file; whatever `fs` throws if it cannot be opened. */
export function openRegularFile(path: string): RegularFile {
  const fd = openSync(path, flags);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new SourceError(`Cannot read "${path}": expected a file, found something else`);
    return { fd, sizeBytes: stats.size, modifiedMs: stats.mtimeMs };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Opens, calls `use`, and closes again, whatever happens. */
export function withRegularFile<T>(path: string, use: (file: RegularFile) => T): T {
  const file = openRegularFile(path);
  try {
    return use(file);
  } finally {
    closeSync(file.fd);
  }
}

/** Returns up to `length` bytes from `position`; fewer only at the end of the file. @param into At least as long; default: memory of its own. */
export const bytesAt = (
  fd: number,
  position: number,
  length: number,
  into: Buffer = Buffer.allocUnsafe(length),
): Buffer => into.subarray(0, fill(fd, into, length, position));

/** Reads into the start of `buffer` until `length` bytes are there or the file ends, and says how many are there. */
function fill(fd: number, buffer: Buffer, length: number, position: number): number {
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, buffer, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** The bytes from `start` to `end` (or the end of the file) in chunks of at most `size`, each a buffer of its own. */
export async function* chunksAt(fd: number, start: number, end: number, size: number): AsyncGenerator<Uint8Array> {
  let position = start;
  while (position < end) {
    const buffer = Buffer.allocUnsafeSlow(Math.min(size, end - position));
    const { bytesRead } = await readAsync(fd, buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    for (let at = 0; at < bytesRead; at += pieceBytes) yield buffer.subarray(at, Math.min(at + pieceBytes, bytesRead));
  }
}

/** A regular file to its end, in chunks of at most `size`. Closed when the loop over it ends, however it ends. */
export async function* readChunks(
  path: string,
  { size = chunkBytes }: { readonly size?: number } = {},
): AsyncGenerator<Uint8Array> {
  const file = openRegularFile(path);
  try {
    yield* chunksAt(file.fd, 0, Number.POSITIVE_INFINITY, Math.min(size, Math.max(4096, file.sizeBytes)));
  } finally {
    closeSync(file.fd);
  }
}

/** Read at once: some 40 packed Slack day files. Larger blocks would be read in vain where entries lie far apart. */
const blockBytes = 32 * 1024;
/** Half a MiB: `zip -r` stores a folder of some hundred files as the file system lists them, and they are read in order of their names. */
const blocksMax = 16;

/**
 * A file seen through the blocks that were used last, so that thousands of neighbouring small pieces cost one read, in whatever
 * order they are read. Synchronous: the pieces come from the page cache, and a trip to the thread pool for each would cost more than
 * the read.
 */
export class ReadWindow {
  readonly fd: number;
  readonly sizeBytes: number;
  /** By number, the one used last at the end. */
  readonly #blocks = new Map<number, Buffer>();

  constructor(fd: number, sizeBytes: number) {
    this.fd = fd;
    this.sizeBytes = sizeBytes;
  }

  /** Returns bytes that are valid until the next call. Shorter than `length` only at the end of the file. */
  bytesAt(position: number, length: number): Buffer {
    // Not `>=`: the position that a damaged archive gives may be NaN.
    if (!(position < this.sizeBytes)) return Buffer.alloc(0);
    if (length > blockBytes) return bytesAt(this.fd, position, length);
    const number = Math.floor(position / blockBytes);
    const start = position % blockBytes;
    const piece = this.#block(number).subarray(start, start + length);
    if (start + length <= blockBytes) return piece;
    return Buffer.concat([piece, this.#block(number + 1).subarray(0, start + length - blockBytes)]);
  }

  #block(number: number): Buffer {
    const block = this.#blocks.get(number) ?? bytesAt(this.fd, number * blockBytes, blockBytes, this.#room());
    this.#blocks.delete(number);
    this.#blocks.set(number, block);
    return block;
  }

  /** The memory of the block that was not used for longest, once there are enough. */
  #room(): Buffer {
    const [oldest] = this.#blocks;
    if (oldest === undefined || this.#blocks.size < blocksMax) return Buffer.allocUnsafeSlow(blockBytes);
    this.#blocks.delete(oldest[0]);
    return Buffer.from(oldest[1].buffer);
  }
}
