/** Size of the largest file that is held in memory, in bytes. */
export const smallBytesMax = 256 * 1024;
/** Kept for the next files, in bytes. */
const keptBytesMax = 16 * 1024 ** 2;

/**
 * Memory that small files are read into, one after the other. A buffer for each would stay until the collector comes by: tens of MB of files that
 * were copied long ago.
 */
export class SmallBuffers {
  readonly #kept = new Map<number, Buffer<ArrayBuffer>[]>();
  #keptBytes = 0;

  /** @returns At least so many bytes, with anything in them. */
  take(bytes: number): Buffer<ArrayBuffer> {
    const size = Math.max(4096, 2 ** Math.ceil(Math.log2(bytes)));
    const kept = this.#kept.get(size)?.pop();
    if (kept) this.#keptBytes -= size;
    return kept ?? Buffer.allocUnsafeSlow(size);
  }

  /** Takes back a buffer whose content is no longer read. */
  giveBack(buffer: Buffer<ArrayBuffer>): void {
    const size = buffer.length;
    if (this.#keptBytes + size > keptBytesMax) return;
    const kept = this.#kept.get(size);
    if (kept) kept.push(buffer);
    else this.#kept.set(size, [buffer]);
    this.#keptBytes += size;
  }
}
