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

/**
 * Returns up to `length` bytes from `position`; fewer only at the end of the file. @param into At least as long;
 * default: memory of its own.
 */
export function bytesAt(fd: number, position: number, length: number, into = Buffer.allocUnsafe(length)): Buffer {
  return into.subarray(0, fill(fd, into, length, position));
}

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
export async function* chunksOfFile(
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

/** Read at once while the reader moves forward: some 600 packed Slack day files. */
const aheadBytes = 512 * 1024;
/** Read at once after a jump, which may be the only read there. */
const jumpBytes = 32 * 1024;

/**
 * A file seen through a buffer that slides forward, so that thousands of neighbouring small pieces cost one read.
 * Synchronous: the pieces come from the page cache, and a trip to the thread pool for each would cost more than the read.
 */
export class ReadWindow {
  readonly fd: number;
  readonly sizeBytes: number;
  #buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  constructor(fd: number, sizeBytes: number) {
    this.fd = fd;
    this.sizeBytes = sizeBytes;
  }

  /** Returns bytes that are valid until the next call. Shorter than `length` only at the end of the file. */
  bytesAt(position: number, length: number): Buffer {
    if (position >= this.sizeBytes) return Buffer.alloc(0);
    if (length > aheadBytes) return bytesAt(this.fd, position, length);
    if (position < this.#start || position + length > this.#end) this.#slideTo(position, length);
    return this.#buffer.subarray(position - this.#start, Math.min(position + length, this.#end) - this.#start);
  }

  #slideTo(position: number, length: number): void {
    if (this.#buffer.length === 0) this.#buffer = Buffer.allocUnsafeSlow(aheadBytes);
    const isForward = position >= this.#start && position <= this.#end + jumpBytes;
    const wanted = isForward ? aheadBytes : Math.max(length, jumpBytes);
    this.#start = position;
    this.#end = position + fill(this.fd, this.#buffer, wanted, position);
  }
}
