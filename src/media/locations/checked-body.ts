import { createHash, type Hash } from 'node:crypto';
import { type MediaContent, MediaFault } from '../media-location.ts';

/** Where a part begins or ends, with the digest of everything before. */
interface Place {
  readonly at: number;
  readonly hash: Hash;
}

/**
 * The bytes of a file on their way to where they stay, whole or in parts. The last of them is only handed out once all of them are known to be
 * what was announced: a file that changed since it was hashed never arrives whole.
 *
 * Parts follow each other, and any of them may be handed out again. The content is read once from end to end as long as none is.
 */
export class CheckedBody {
  /** What the content threw, or that it changed: nobody's fault who took the bytes. */
  fault: { readonly error: unknown } | undefined;
  readonly #content: MediaContent;
  #reading: Reading | undefined;
  /** Of the part that was handed out last. */
  #start: Place = { at: 0, hash: createHash('sha256') };
  #next: Place | undefined;

  constructor(content: MediaContent) {
    this.#content = content;
  }

  bytes(): AsyncGenerator<Uint8Array, void> {
    return this.part(0, this.#content.sizeBytes);
  }

  /** @param from Where the last part ended, or began. */
  async *part(from: number, sizeBytes: number): AsyncGenerator<Uint8Array, void> {
    const reading = this.#readingAt(from);
    const to = from + sizeBytes;
    let goesOn = false;
    try {
      const hash = this.#start.hash.copy();
      let held: Uint8Array | undefined;
      for (let at = from; at < to; ) {
        const piece = await this.#expect(reading, to - at);
        at += piece.length;
        hash.update(piece);
        if (held) yield held;
        held = piece;
      }
      if (to === this.#content.sizeBytes) await this.#expectEnd(reading, hash);
      this.#next = { at: to, hash };
      if (held) yield held;
      goesOn = to < this.#content.sizeBytes;
    } finally {
      if (!goesOn) await this.#end(reading);
    }
  }

  /** Ends what is read. */
  async close(): Promise<void> {
    if (this.#reading) await this.#end(this.#reading);
  }

  /** A part that broke off may come here when it is already handed out again, from another reading. */
  async #end(reading: Reading): Promise<void> {
    if (this.#reading === reading) this.#reading = undefined;
    await reading.close();
  }

  #readingAt(from: number): Reading {
    const isNext = this.#next?.at === from;
    if (this.#next?.at === from) this.#start = this.#next;
    this.#next = undefined;
    if (!isNext || !this.#reading) this.#reading = new Reading(this.#content.open(from));
    return this.#reading;
  }

  async #expect(reading: Reading, bytesMax: number): Promise<Uint8Array> {
    const piece = await this.#noting(() => reading.next(bytesMax));
    return piece ?? this.#changed();
  }

  async #expectEnd(reading: Reading, hash: Hash): Promise<void> {
    const isLonger = (await this.#noting(() => reading.next(1))) !== undefined;
    if (isLonger || hash.copy().digest('hex') !== this.#content.sha256) this.#changed();
  }

  /** What comes from the content alone: a connection that breaks is thrown into the generator where it hands out bytes. */
  async #noting<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      this.fault = { error };
      throw error;
    }
  }

  #changed(): never {
    const error = new MediaFault('The file changed while it was being copied', { kind: 'again' });
    this.fault = { error };
    throw error;
  }
}

/** An open content, handed out in pieces that are no longer than wanted. */
class Reading {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Never empty; nothing at the end. */
  async next(bytesMax: number): Promise<Uint8Array | undefined> {
    while (this.#rest.length === 0) {
      const next = await this.#source.next();
      if (next.done) return undefined;
      this.#rest = next.value;
    }
    const piece = this.#rest.subarray(0, bytesMax);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

/** The error of the source where there is one: it is thrown as it is, whatever a connection or a disk made of it. */
export const sourceFirst = (body: CheckedBody, error: unknown): unknown => (body.fault ? body.fault.error : error);
