/**
 * Fault of a JSON text, and its position. The message of `JSON.parse` quotes the text itself, which must not reach a
 * log, and often has no position.
 */
export interface JsonSyntaxFault {
  /** Offset from the start of the bytes; their length if the text ends too early. */
  readonly byteOffset: number;
  /** `expected ":", found "1"` */
  readonly reason: string;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
const escapes = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));
const words = ['true', 'false', 'null'];

/** The first place at which the bytes stop being JSON (RFC 8259), or nothing if `JSON.parse` accepts them. UTF-8 is taken for granted. */
export const findJsonFault = (bytes: Uint8Array): JsonSyntaxFault | undefined => new Checker(bytes).check();

/** Reads one value, without recursion: nesting is as deep as it likes. Every method returns the fault, if there is one. */
class Checker {
  readonly #bytes: Uint8Array;
  #at = 0;
  /** The bracket that closes each open object and array. */
  readonly #closers: number[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  check(): JsonSyntaxFault | undefined {
    for (;;) {
      const fault = this.#valueStart() ?? this.#valueEnd();
      if (fault !== undefined) return fault;
      if (this.#closers.length === 0) return this.#peek() === undefined ? undefined : this.#expected('the end');
    }
  }

  /** A scalar, an empty container, or everything up to the first value inside a container. */
  #valueStart(): JsonSyntaxFault | undefined {
    for (;;) {
      const byte = this.#peek();
      if (byte === quote) return this.#string();
      if (byte !== openBrace && byte !== openBracket) return this.#scalar();
      this.#at += 1;
      const closer = byte === openBrace ? closeBrace : closeBracket;
      this.#closers.push(closer);
      if (this.#peek() === closer) return undefined;
      const fault = this.#key();
      if (fault !== undefined) return fault;
    }
  }

  /** Closes what ends here, and moves on to the next value if there is one. */
  #valueEnd(): JsonSyntaxFault | undefined {
    for (;;) {
      const closer = this.#closers.at(-1);
      if (closer === undefined) return undefined;
      const byte = this.#peek();
      if (byte === closer) this.#closers.pop();
      else if (byte !== comma) return this.#expected(`"," or "${String.fromCharCode(closer)}"`);
      this.#at += 1;
      if (byte === comma) return this.#key();
    }
  }

  /** The key and colon before a value, if an object is open. */
  #key(): JsonSyntaxFault | undefined {
    if (this.#closers.at(-1) !== closeBrace) return undefined;
    if (this.#peek() !== quote) return this.#expected('a key');
    const fault = this.#string();
    if (fault !== undefined) return fault;
    if (this.#peek() !== colon) return this.#expected('":"');
    this.#at += 1;
    return undefined;
  }

  #string(): JsonSyntaxFault | undefined {
    for (this.#at += 1; ; this.#at += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined || byte < 0x20) return this.#expected('the end of a string');
      if (byte === quote) break;
      if (byte === backslash && !this.#escape()) return this.#expected('an escape');
    }
    this.#at += 1;
    return undefined;
  }

  /** Ends on the last byte of the escape, or on the one that is wrong. */
  #escape(): boolean {
    this.#at += 1;
    if (this.#bytes[this.#at] !== 0x75) return escapes.has(this.#bytes[this.#at] ?? 0);
    for (let digit = 0; digit < 4; digit += 1) {
      this.#at += 1;
      if (!isHexDigit(this.#bytes[this.#at])) return false;
    }
    return true;
  }

  #scalar(): JsonSyntaxFault | undefined {
    const start = this.#at;
    const word = words.find((candidate) => candidate.charCodeAt(0) === this.#bytes[start]);
    if (word === undefined) return this.#number();
    for (const character of word) {
      if (this.#bytes[this.#at] !== character.charCodeAt(0)) return this.#expected(`"${word}"`);
      this.#at += 1;
    }
    return undefined;
  }

  #number(): JsonSyntaxFault | undefined {
    const isNegative = this.#skip('-');
    if (!this.#skip('0') && !this.#digits()) return this.#expected(isNegative ? 'a digit' : 'a value');
    if (this.#skip('.') && !this.#digits()) return this.#expected('a digit');
    if (!this.#skip('e') && !this.#skip('E')) return undefined;
    if (!this.#skip('+')) this.#skip('-');
    return this.#digits() ? undefined : this.#expected('a digit');
  }

  #digits(): boolean {
    const start = this.#at;
    while (isDigit(this.#bytes[this.#at])) this.#at += 1;
    return this.#at > start;
  }

  #skip(character: string): boolean {
    if (this.#bytes[this.#at] !== character.charCodeAt(0)) return false;
    this.#at += 1;
    return true;
  }

  /** The next byte that is not white space, or nothing at the end. */
  #peek(): number | undefined {
    while (isSpace(this.#bytes[this.#at])) this.#at += 1;
    return this.#bytes[this.#at];
  }

  #expected(wanted: string): JsonSyntaxFault {
    return { byteOffset: this.#at, reason: `expected ${wanted}, found ${describeByte(this.#bytes[this.#at])}` };
  }
}

export const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

const isHexDigit = (byte: number | undefined): boolean =>
  byte !== undefined && (isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66));

/** At most one character of the text is ever shown. */
export function describeByte(byte: number | undefined): string {
  if (byte === undefined) return 'the end';
  if (byte > 0x20 && byte < 0x7f) return byte === quote ? 'a quotation mark' : `"${String.fromCharCode(byte)}"`;
  return `byte 0x${byte.toString(16).padStart(2, '0')}`;
}
