import { closeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { chunksAt, openRegularFile } from './regular-file.ts';

/**
 * A file on disk, which others may be writing to: what was read of it need not be read again, as long as that is still
 * what it begins with.
 */
export interface GrowingFile {
  /**
   * The sum of everything that stands before a place; undefined where the file is shorter. All of that is gone over, at about
   * 1 GB/s: a change anywhere is noticed, of the same length as well, for a thirtieth of what reading its rows would take.
   *
   * @param known Of a place before it, from where on to add up.
   */
  sumAt(byteOffset: number, known?: SumAt): Promise<SumAt | undefined>;
  /** What follows the first `byteOffset` bytes, in chunks. */
  openAt(byteOffset: number): AsyncIterable<Uint8Array>;
}

/** CRC-32 of the bytes before a place in a file: with it their identity, as a ZIP archive has it for each entry. */
export interface SumAt {
  readonly byteOffset: number;
  readonly sum: number;
}

const chunkBytes = 256 * 1024;

/**
 * @param locate Where it is; asked each time.
 * @param explain What an error that `fs` throws means.
 */
export function growingFile(locate: () => string, explain: (error: unknown) => unknown): GrowingFile {
  return {
    async sumAt(byteOffset, known = { byteOffset: 0, sum: 0 }) {
      try {
        let { byteOffset: at, sum } = known;
        for await (const chunk of chunksBetween(locate(), at, byteOffset)) {
          sum = crc32(chunk, sum);
          at += chunk.length;
        }
        return at === byteOffset ? { byteOffset, sum } : undefined;
      } catch (error) {
        throw explain(error);
      }
    },
    async *openAt(byteOffset) {
      try {
        yield* chunksBetween(locate(), byteOffset, Number.POSITIVE_INFINITY);
      } catch (error) {
        throw explain(error);
      }
    },
  };
}

async function* chunksBetween(path: string, from: number, to: number): AsyncGenerator<Uint8Array> {
  const { fd } = openRegularFile(path);
  try {
    yield* chunksAt(fd, from, to, chunkBytes);
  } finally {
    closeSync(fd);
  }
}

/** Adds up a file while it is read: 16 bytes for each chunk. */
export class RunningSum {
  readonly #before: SumAt[];
  #end: SumAt;

  /** @param start Of what stands before the part that is read. */
  constructor(start: SumAt = { byteOffset: 0, sum: 0 }) {
    this.#before = [start];
    this.#end = start;
  }

  add(chunk: Uint8Array): void {
    this.#end = { byteOffset: this.#end.byteOffset + chunk.length, sum: crc32(chunk, this.#end.sum) };
    this.#before.push(this.#end);
  }

  /** The last known sum that does not go beyond a place. */
  upTo(byteOffset: number): SumAt | undefined {
    return this.#before.findLast((known) => known.byteOffset <= byteOffset);
  }
}
