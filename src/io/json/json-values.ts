import {
  elementFault,
  type CheckedJsonOptions,
  type JsonFault,
  type JsonOptions,
  withDefaults,
} from './json-element.ts';
import { isSpace, describeByte } from './json-fault.ts';
import { JsonValueReader } from './json-value-reader.ts';
import { scanText } from '../to-utf8.ts';

/** One of several values in a file, or why it could not be read. */
export type LocatedJson =
  /** `line`: 1-based, where it begins. */
  | { readonly line: number; readonly value: unknown; readonly error?: never }
  | { readonly line: number; readonly error: JsonFault; readonly value?: never };

const comma = 0x2c;
const lineFeed = 0x0a;
/** Precedes each value in a JSON text sequence (RFC 7464). */
const recordSeparator = 0x1e;
const closers = new Set([0x5d, 0x7d]);

/**
 * Yields the values of a file that holds them one after another, with anything between them: white space, commas,
 * nothing. In lists, one for a chunk. UTF-8 or UTF-16.
 *
 * Never throws for the content of the file: a broken value affects only itself as long as its brackets fit, otherwise
 * one error with scope `rest` represents everything after it. A fault of `chunks` itself is thrown after everything
 * before it.
 */
export const readJsonValues = (
  chunks: AsyncIterable<Uint8Array>,
  options: JsonOptions = {},
): AsyncGenerator<readonly LocatedJson[]> =>
  scanText(chunks, (byteOffset) => new JsonValuesScanner(withDefaults(options), { byteOffset, line: 1 }));

/** Start of a piece of a file. */
interface Place {
  readonly byteOffset: number;
  readonly line: number;
}

/** Between two bytes it is inside a value or not; or done, when nothing that comes can be understood. */
export class JsonValuesScanner {
  isDone = false;
  readonly #reader: JsonValueReader;
  #isInside = false;
  #chunkOffset: number;
  #line: number;
  /** First line of the value that is being read. */
  #firstLine = 1;

  constructor(options: CheckedJsonOptions, { byteOffset, line }: Place) {
    this.#reader = new JsonValueReader(options);
    this.#chunkOffset = byteOffset;
    this.#line = line;
  }

  /** The values that end in this chunk. The chunk may be reused afterwards. */
  push(chunk: Uint8Array): readonly LocatedJson[] {
    const values: LocatedJson[] = [];
    for (let at = 0; at < chunk.length && !this.isDone; ) at = this.#step(chunk, at, values);
    this.#chunkOffset += chunk.length;
    return values;
  }

  /** Nothing more will come: the number or word that nothing ends, or the error for a value that stays open. */
  end(): readonly LocatedJson[] {
    const values = [...this.push(Buffer.from(' '))];
    if (!this.#isInside || this.isDone) return values;
    const cutOff = { code: 'cut-off', scope: 'rest', reason: 'the file ends inside this value' } as const;
    return [...values, { line: this.#firstLine, error: cutOff }];
  }

  #step(chunk: Uint8Array, at: number, values: LocatedJson[]): number {
    const byte = chunk[at]!;
    if (this.#isInside) return this.#readOn(chunk, at, values);
    if (byte === lineFeed) this.#line += 1;
    if (isSpace(byte) || byte === comma || byte === recordSeparator) return at + 1;
    const byteOffset = this.#chunkOffset + at;
    this.#firstLine = this.#line;
    if (closers.has(byte)) {
      const reason = `expected a value, found ${describeByte(byte)} (byte ${byteOffset})`;
      values.push({ line: this.#line, error: elementFault('syntax', reason).fault });
      return at + 1;
    }
    this.#isInside = true;
    this.#reader.begin(byte, byteOffset, 'read');
    return at;
  }

  #readOn(chunk: Uint8Array, at: number, values: LocatedJson[]): number {
    const end = this.#reader.read(chunk, at);
    this.#line += lineFeedsIn(chunk, at, end);
    const { state } = this.#reader;
    if (state === 'ended') {
      this.#isInside = false;
      const result = this.#reader.take();
      const line = this.#firstLine;
      values.push('fault' in result ? { line, error: result.fault } : { line, value: result.value });
    } else if (state === 'mismatched') {
      this.isDone = true;
      const reason = `expected another bracket, found ${describeByte(chunk[end])} (byte ${this.#chunkOffset + end})`;
      values.push({ line: this.#firstLine, error: { code: 'syntax', scope: 'rest', reason } });
    }
    return end;
  }
}

function lineFeedsIn(chunk: Uint8Array, from: number, end: number): number {
  // Looks at the piece alone: a search that runs on to the end of the chunk would be done again for each value in it.
  const piece = chunk.subarray(from, end);
  let count = 0;
  for (let at = piece.indexOf(lineFeed); at !== -1; at = piece.indexOf(lineFeed, at + 1)) count += 1;
  return count;
}
