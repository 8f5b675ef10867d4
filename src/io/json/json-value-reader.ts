import { formatCount } from '../../lib/text/count.ts';
import { asBuffer } from '../bytes.ts';
import {
  type CheckedJsonOptions,
  elementFault,
  type JsonFault,
  type JsonValue,
  parseJson,
  tooDeep,
} from './json-element.ts';

/** Handling of a value's bytes: parsed once they are complete, parsed only if they are few, or skipped. */
export type JsonInterest = 'read' | 'read-small' | 'skip';

/** Enough for a value that a database has wrapped: `{"$oid": "65e1…"}`. */
const smallBytesMax = 300;

/**
 * Collects the bytes of consecutive values from chunks, and parses each value when its end has been seen. A value that
 * is too deep or too large is a fault, and its bytes are not kept.
 *
 * Memory: the value that is being read.
 */
export class JsonValueReader {
  /** Start of the value in its file. */
  byteOffset = 0;
  readonly #options: CheckedJsonOptions;
  readonly #extent: JsonExtent;
  #interest: JsonInterest = 'read';
  #pieces: Uint8Array[] = [];
  #byteCount = 0;
  #fault: JsonFault | undefined;

  constructor(options: CheckedJsonOptions) {
    this.#options = options;
    this.#extent = new JsonExtent(options.depthMax);
  }

  /** @param first The value's first byte; `read` begins with it. Not a closing bracket. */
  begin(first: number, byteOffset: number, interest: JsonInterest, fault?: JsonFault): void {
    this.byteOffset = byteOffset;
    this.#extent.begin(first);
    this.#interest = interest;
    this.#pieces = [];
    this.#byteCount = 0;
    this.#fault = fault;
  }

  get state(): JsonExtent['state'] {
    return this.#extent.state;
  }

  /**
   * Takes the value's bytes in this chunk, and returns where they end: after the last one, at the end of the chunk
   * while the value is open, or at the bracket that does not fit. The chunk may be reused afterwards, unless the value
   * ended.
   */
  read(chunk: Uint8Array, from: number): number {
    const end = this.#extent.find(chunk, from);
    if (this.#interest === 'skip') return end;
    this.#byteCount += end - from;
    if (this.#interest === 'read-small' && this.#byteCount > smallBytesMax) {
      this.#interest = 'skip';
      this.#pieces = [];
      return end;
    }
    if (this.#extent.isTooDeep) this.#fault ??= tooDeep(this.#options).fault;
    if (this.#byteCount > this.#options.elementBytesMax) {
      this.#fault ??= elementFault(
        'too-large',
        `it has more than ${formatCount(this.#options.elementBytesMax)} bytes`,
      ).fault;
    }
    const piece = chunk.subarray(from, end);
    if (this.#fault !== undefined) this.#pieces = [];
    else this.#pieces.push(this.state === 'ended' ? piece : new Uint8Array(piece));
    return end;
  }

  /** The value that has ended, if it was to be read and was small enough. */
  takeSmall(): unknown {
    if (this.#interest === 'skip') return undefined;
    const taken = this.take();
    return 'value' in taken ? taken.value : undefined;
  }

  take(): JsonValue {
    if (this.#fault !== undefined) return { fault: this.#fault };
    const [only, ...more] = this.#pieces;
    this.#pieces = [];
    const bytes = more.length === 0 ? asBuffer(only!) : Buffer.concat([only!, ...more]);
    return parseJson(bytes, this.byteOffset, this.#options);
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** The bracket that closes an opening one, by byte; for a closing one itself, for any other byte 0. */
const closingBrackets = new Uint8Array(256);
closingBrackets[0x5b] = 0x5d;
closingBrackets[0x7b] = 0x7d;
closingBrackets[0x5d] = 0x5d;
closingBrackets[0x7d] = 0x7d;

/** The bytes that mean something outside of strings, and those that end a number or a word. */
const marks = byteSet('"[]{}');
const endsScalar = byteSet('"[]{}, \t\r\n');

/** One for each of these ASCII characters, by byte. */
function byteSet(characters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}

function skipUnmarked(chunk: Uint8Array, from: number, marked: Uint8Array): number {
  let at = from;
  while (at < chunk.length && marked[chunk[at]!] === 0) at += 1;
  return at;
}

/**
 * Finds where a JSON value ends, by its brackets and quotes alone, in bytes that arrive in chunks. The bytes between
 * are not checked: `JSON.parse` does that once the whole value is there.
 *
 * - `open`: the value continues in the next chunk;
 * - `ended`: its last byte has been seen. For a number or word that takes the byte after it;
 * - `mismatched`: a bracket is closed by one of the other kind, so the end of the value is unknown.
 */
export class JsonExtent {
  state: 'open' | 'ended' | 'mismatched' = 'open';
  /** Brackets were open inside each other more than `depthMax` times. Their kinds are compared only up to there. */
  isTooDeep = false;
  readonly #closers: Uint8Array;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isScalar = false;

  constructor(depthMax: number) {
    this.#closers = new Uint8Array(depthMax);
  }

  /** @param first The value's first byte; `find` begins with it. Not a closing bracket. */
  begin(first: number): void {
    this.state = 'open';
    this.isTooDeep = false;
    this.#depth = 0;
    this.#isInString = false;
    this.#isEscaped = false;
    this.#isScalar = first !== quote && closingBrackets[first] === 0;
  }

  /** The index behind the value's last byte; the end of the chunk if it stays open; that of the wrong bracket if there is one. */
  find(chunk: Uint8Array, from: number): number {
    if (this.#isScalar) return this.#findScalarEnd(chunk, from);
    let at = from;
    while (at < chunk.length) {
      if (this.#isInString) {
        at = this.#skipString(chunk, at);
        if (!this.#isInString && this.#depth === 0) return this.#end(at);
      } else {
        at = skipUnmarked(chunk, at, marks);
        if (at === chunk.length) break;
        const byte = chunk[at]!;
        if (byte === quote) this.#isInString = true;
        else this.#passBracket(byte);
        if (this.state === 'mismatched') return at;
        at += 1;
        if (this.#depth === 0 && !this.#isInString) return this.#end(at);
      }
    }
    return chunk.length;
  }

  #findScalarEnd(chunk: Uint8Array, from: number): number {
    const at = skipUnmarked(chunk, from, endsScalar);
    return at < chunk.length ? this.#end(at) : at;
  }

  /** Behind the closing quote. If it is not in this chunk, the string stays open. */
  #skipString(chunk: Uint8Array, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    while (at < chunk.length) {
      const byte = chunk[at];
      if (byte === quote) {
        this.#isInString = false;
        return at + 1;
      }
      at += byte === backslash ? 2 : 1;
    }
    this.#isEscaped = at > chunk.length;
    return at;
  }

  #passBracket(byte: number): void {
    const closer = closingBrackets[byte]!;
    const closers = this.#closers;
    if (closer !== byte) {
      if (this.#depth < closers.length) closers[this.#depth] = closer;
      else this.isTooDeep = true;
      this.#depth += 1;
    } else {
      this.#depth -= 1;
      if (this.#depth < closers.length && closers[this.#depth] !== byte) this.state = 'mismatched';
    }
  }

  #end(at: number): number {
    this.state = 'ended';
    return at;
  }
}
