import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';

/** What was found when the file was gone through. */
interface Known {
  readonly sizeBytes: number;
  readonly fingerprint: string;
}

/** A reader from the file's beginning that stopped somewhere. */
interface Reader {
  readonly chunks: AsyncIterator<Uint8Array>;
  position: number;
  /** Bytes before `position` that nobody was given yet. */
  rest: Uint8Array;
}

const empty = new Uint8Array();

/**
 * A file of an export, read as often as it is asked for. Whoever reads to the end hears that it is another file now, if it looks like another;
 * the digest is compared by who puts it somewhere (checked-body.ts), once.
 *
 * A plain file is read from any place. A packed one is unpacked from its beginning; who asks for one part after the other goes on
 * where the last one ended, so that a large file is unpacked once and not once for each part.
 */
export class ContentOfExport {
  readonly #input: ExportInput;
  readonly #path: string;
  readonly #known: Known;
  #waiting: Reader | undefined;

  constructor(input: ExportInput, path: string, known: Known) {
    this.#input = input;
    this.#path = path;
    this.#known = known;
  }

  /** @throws SourceError where it is not the file any more that it was, or cannot be read. */
  open(from = 0, to = this.#known.sizeBytes): AsyncIterable<Uint8Array> {
    const plain = from > 0 ? this.#input.openAt?.(this.#path, from) : undefined;
    const end = Math.min(to, this.#known.sizeBytes);
    return plain ? this.#fromPlace(plain, Math.max(0, end - from)) : this.#fromBeginning(from, end);
  }

  async release(): Promise<void> {
    const reader = this.#waiting;
    this.#waiting = undefined;
    await reader?.chunks.return?.();
  }

  /** Size, times, head and tail of the file say whether it is the same. */
  async *#fromPlace(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
    let left = bytes;
    await this.#assertSame();
    for await (const chunk of chunks) {
      const piece = chunk.subarray(0, left);
      left -= piece.length;
      if (piece.length > 0) yield piece;
      if (left === 0) break;
    }
    if (left > 0) throw this.#changed();
    await this.#assertSame();
  }

  async *#fromBeginning(from: number, to: number): AsyncGenerator<Uint8Array> {
    const reader = await this.#readerAt(from);
    let isUsable = false;
    try {
      for (let at = reader.position - reader.rest.length; at < to; ) {
        const chunk = await this.#next(reader);
        const piece = chunk.subarray(Math.max(0, from - at), to - at);
        reader.rest = chunk.subarray(Math.min(chunk.length, to - at));
        at += chunk.length;
        if (piece.length > 0) yield piece;
      }
      if (to >= this.#known.sizeBytes) await this.#assertEnd(reader);
      isUsable = true;
    } finally {
      if (isUsable && to < this.#known.sizeBytes && !this.#waiting) this.#waiting = reader;
      else await reader.chunks.return?.();
    }
  }

  /** One that stopped there, or a new one. */
  async #readerAt(from: number): Promise<Reader> {
    const waiting = this.#waiting;
    if (waiting && waiting.position - waiting.rest.length === from) {
      this.#waiting = undefined;
      return waiting;
    }
    const chunks = this.#input.open(this.#path)[Symbol.asyncIterator]();
    return { chunks, position: 0, rest: empty };
  }

  async #next(reader: Reader): Promise<Uint8Array> {
    if (reader.rest.length > 0) {
      const { rest } = reader;
      reader.rest = empty;
      return rest;
    }
    const next = await reader.chunks.next();
    if (next.done) throw this.#changed();
    reader.position += next.value.length;
    return next.value;
  }

  /** Nothing comes behind it, and it is the same file still. */
  async #assertEnd(reader: Reader): Promise<void> {
    if (reader.rest.length > 0 || !(await reader.chunks.next()).done) throw this.#changed();
    await this.#assertSame();
  }

  async #assertSame(): Promise<void> {
    if ((await this.#input.stat(this.#path)).fingerprint !== this.#known.fingerprint) throw this.#changed();
  }

  #changed(): SourceError {
    return new SourceError(
      `Cannot copy a file of "${this.#input.label}": it is another one than when it was looked at`,
      {
        location: { path: this.#path },
      },
    );
  }
}
