import { asBuffer } from './bytes.ts';

/** How a text begins that is not plain UTF-8. */
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** A byte that is valid nowhere in UTF-8. It stands for half a surrogate pair, so that a later check of the text finds it. */
const invalidByte = Buffer.from([0xff]);

const nothing = Buffer.alloc(0);

/**
 * Turns text into UTF-8 without a byte order mark, chunk by chunk. UTF-16 is known by its mark, or by a NUL among the
 * first two bytes; anything else is passed on as it is.
 */
export class ToUtf8 {
  /** Bytes of the mark, once it is known whether there is one. */
  markBytes = 0;
  #encoding: Encoding | undefined;
  /** Bytes that wait for more: up to three that may be a mark, or a part of a character in UTF-16. */
  #held = nothing;

  push(chunk: Uint8Array): Uint8Array {
    if (this.#encoding === 'utf-8') return chunk;
    // A file that comes in one piece is not copied.
    const bytes = this.#held.length === 0 ? asBuffer(chunk) : Buffer.concat([this.#held, chunk]);
    this.#held = nothing;
    if (this.#encoding === undefined) return this.#begin(bytes);
    return this.#decode(bytes);
  }

  /** Returns the bytes that were held back. */
  end(): Uint8Array {
    if (this.#encoding === undefined) return this.#held;
    return this.#held.length === 0 ? this.#held : invalidByte;
  }

  #begin(bytes: Buffer): Uint8Array {
    if (bytes.length < 3) {
      // The chunk is its owner's.
      this.#held = Buffer.from(bytes);
      return nothing;
    }
    const [encoding, markBytes] = detectMark(bytes);
    this.#encoding = encoding;
    this.markBytes = markBytes;
    const rest = bytes.subarray(markBytes);
    return encoding === 'utf-8' ? rest : this.#decode(rest);
  }

  #decode(bytes: Buffer): Buffer {
    const units = this.#encoding === 'utf-16be' ? Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16() : bytes;
    const text = units.toString('utf16le', 0, units.length & ~1);
    // A pair must not be torn apart: its first half waits.
    const isTorn = /[\ud800-\udbff]$/.test(text);
    const used = 2 * (text.length - (isTorn ? 1 : 0));
    this.#held = Buffer.from(bytes.subarray(used));
    return encode(isTorn ? text.slice(0, -1) : text);
  }
}

function detectMark(bytes: Buffer): readonly [Encoding, number] {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return ['utf-8', 3];
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return ['utf-16le', 2];
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return ['utf-16be', 2];
  // Text begins with a character below 0x100, and holds no NUL.
  if (bytes[0] !== 0 && bytes[1] === 0) return ['utf-16le', 0];
  if (bytes[0] === 0 && bytes[1] !== 0) return ['utf-16be', 0];
  return ['utf-8', 0];
}

function encode(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const pieces = text.split(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  return Buffer.concat(
    pieces.flatMap((piece, index) => (index === 0 ? [Buffer.from(piece)] : [invalidByte, Buffer.from(piece)])),
  );
}

/** Reads a text that comes in pieces of UTF-8. */
export interface Scanner<Found> {
  /** Values that end in this piece, which may be reused afterwards. */
  push(piece: Uint8Array): readonly Found[];
  /** Nothing more will come. */
  end(): readonly Found[];
  /** Nothing that may still come would be looked at. */
  readonly isDone?: boolean;
}

/** Yields the values that a scanner finds in a file, in lists, one for a chunk. @param begin Gets the bytes of the mark before the text. */
export async function* scanText<Found>(
  chunks: AsyncIterable<Uint8Array>,
  begin: (markBytes: number) => Scanner<Found>,
): AsyncGenerator<readonly Found[]> {
  const text = new ToUtf8();
  let scanner: Scanner<Found> | undefined;
  for await (const chunk of chunks) {
    const bytes = text.push(chunk);
    if (bytes.length === 0) continue;
    scanner ??= begin(text.markBytes);
    const found = scanner.push(bytes);
    if (found.length > 0) yield found;
    if (scanner.isDone) return;
  }
  scanner ??= begin(text.markBytes);
  yield [...scanner.push(text.end()), ...scanner.end()];
}
