import { bytesAt, fill } from './regular-file.ts';

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

  /** Valid until the next call. Shorter than `length` only where the file ends. */
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
