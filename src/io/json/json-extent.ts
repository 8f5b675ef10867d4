const quote = 0x22;
const backslash = 0x5c;

/** The bracket that closes an opening one, by byte; for a closing one itself, for any other byte 0. */
const closerOf = new Uint8Array(256);
closerOf[0x5b] = 0x5d;
closerOf[0x7b] = 0x7d;
closerOf[0x5d] = 0x5d;
closerOf[0x7d] = 0x7d;

/** The bytes that mean something outside of strings, and those that end a number or a word. */
const marks = setOf('"[]{}');
const endsScalar = setOf('"[]{}, \t\r\n');

/** One for each of these ASCII characters, by byte. */
function setOf(characters: string): Uint8Array {
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
 * Finds where a JSON value ends, by its brackets and quotes alone, in bytes that arrive in chunks. What lies between is not
 * checked: that is `JSON.parse`'s business, once the whole value is there.
 *
 * - `open`: the value goes on in the next chunk;
 * - `ended`: its last byte has been seen. For a number or word that takes the byte behind it;
 * - `mismatched`: a bracket is closed by one of the other kind, and where the value ends is anybody's guess.
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
    this.#isScalar = first !== quote && closerOf[first] === 0;
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
    const closer = closerOf[byte]!;
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
