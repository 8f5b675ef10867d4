import type { Dialect } from '../dialect.ts';

/** A piece of a statement. `text` of a quoted name or string is the content of the quotes, with doubled quotes reduced to one. */
export interface Token {
  readonly kind: 'word' | 'name' | 'string' | 'symbol' | 'end';
  readonly text: string;
  /** Index after it. */
  readonly end: number;
}

const nameQuotes: Readonly<Record<Dialect, string>> = { postgres: '"', mysql: '`', sqlite: '"`[' };
const blank = /\s/;
const wordPart = /[\w$\x80-\uffff]/;

/** Cursor over the tokens of a statement. */
export class TokenCursor {
  readonly #read: () => Token;
  #next: Token;

  constructor(read: () => Token) {
    this.#read = read;
    this.#next = read();
  }

  /** Returns a cursor over tokens that were taken already. */
  static of(tokens: readonly Token[]): TokenCursor {
    let at = 0;
    return new TokenCursor(() => tokens[at++] ?? { kind: 'end', text: '', end: 0 });
  }

  get next(): Token {
    return this.#next;
  }

  get isAtEnd(): boolean {
    return this.#next.kind === 'end';
  }

  take(): Token {
    const token = this.#next;
    if (token.kind !== 'end') this.#next = this.#read();
    return token;
  }

  /** Whether the next is one of these words, in any case, or symbols. */
  is(...texts: readonly string[]): boolean {
    const { kind, text } = this.#next;
    return (kind === 'word' || kind === 'symbol') && texts.includes(text.toUpperCase());
  }

  /** Takes what is next if it is one of these. */
  accept(...texts: readonly string[]): boolean {
    const isOne = this.is(...texts);
    if (isOne) this.take();
    return isOne;
  }

  /** These words one after another, as many of them as are there. @returns whether all were. */
  acceptAll(texts: string): boolean {
    return texts.split(' ').every((text) => this.accept(text));
  }

  /** Returns the content of the brackets that open here, in pieces between its commas; empty if none open. */
  list(): Token[][] {
    const pieces: Token[][] = [[]];
    if (!this.accept('(')) return [];
    for (let depth = 1; !this.isAtEnd; ) {
      if (this.is('(')) depth += 1;
      if (this.is(')')) depth -= 1;
      const isBetween = depth === 1 && this.is(',');
      const token = this.take();
      if (depth === 0) break;
      if (isBetween) pieces.push([]);
      else pieces.at(-1)!.push(token);
    }
    return pieces;
  }
}

interface TokenOptions {
  readonly dialect: Dialect;
  /** Whether a backslash in a string takes the next character as it is. */
  readonly isEscaping: boolean;
  readonly decode: (latin1: string) => string;
}

/**
 * A statement in tokens, taken apart as far as they are taken. Its text is a character for each byte, so that places in it are places in the
 * file; names and strings are decoded.
 */
export function readTokens(text: string, options: TokenOptions): TokenCursor {
  const reader = new TokenReader(text, options);
  return new TokenCursor(() => reader.read());
}

class TokenReader {
  readonly #text: string;
  readonly #dialect: Dialect;
  readonly #isEscaping: boolean;
  readonly #decode: (latin1: string) => string;
  #at = 0;

  constructor(text: string, { dialect, isEscaping, decode }: TokenOptions) {
    this.#text = text;
    this.#dialect = dialect;
    this.#isEscaping = isEscaping;
    this.#decode = decode;
  }

  read(): Token {
    const token = this.#tokenAt(this.#afterBlank(this.#at));
    this.#at = token.end;
    return token;
  }

  #tokenAt(at: number): Token {
    const char = this.#text[at];
    if (char === undefined) return { kind: 'end', text: '', end: at };
    if (char === "'" || (char === '"' && this.#dialect === 'mysql')) return this.#quoted('string', at, char);
    if (nameQuotes[this.#dialect].includes(char)) return this.#quoted('name', at, char === '[' ? ']' : char);
    if (!wordPart.test(char)) return { kind: 'symbol', text: char, end: at + 1 };
    let end = at + 1;
    while (end < this.#text.length && wordPart.test(this.#text[end]!)) end += 1;
    return { kind: 'word', text: this.#decode(this.#text.slice(at, end)), end };
  }

  #quoted(kind: 'name' | 'string', from: number, quote: string): Token {
    const isEscaping = kind === 'string' && this.#isEscaping;
    let text = '';
    let at = from + 1;
    for (; at < this.#text.length; at += 1) {
      const char = this.#text[at]!;
      if (char === quote) {
        if (this.#text[at + 1] !== quote || quote === ']') break;
        at += 1;
      } else if (char === '\\' && isEscaping) at += 1;
      text += this.#text[at] ?? '';
    }
    return { kind, text: this.#decode(text), end: at + 1 };
  }

  /** PostgreSQL nests comments. */
  #afterComment(from: number): number {
    let at = from;
    for (let depth = 1; depth > 0 && at < this.#text.length; ) {
      const closing = endOf(this.#text, '*/', at);
      const opening = this.#dialect === 'postgres' ? endOf(this.#text, '/*', at) : this.#text.length;
      depth += opening < closing ? 1 : -1;
      at = Math.min(opening, closing);
    }
    return at;
  }

  /** Text that MySQL runs by its version, `/*!50013 … *\/`, counts; only its marks are passed over. */
  #afterBlank(from: number): number {
    const text = this.#text;
    let at = from;
    for (;;) {
      const before = at;
      while (at < text.length && blank.test(text[at]!)) at += 1;
      if (text.startsWith('--', at) || (text[at] === '#' && this.#dialect === 'mysql')) at = endOf(text, '\n', at);
      else if (this.#dialect === 'mysql' && text.startsWith('/*!', at)) at = afterDigits(text, at + 3);
      else if (text.startsWith('/*', at)) at = this.#afterComment(at + 2);
      else if (this.#dialect === 'mysql' && text.startsWith('*/', at)) at += 2;
      if (at === before) return at;
    }
  }
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

function afterDigits(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at]! >= '0' && text[at]! <= '9') at += 1;
  return at;
}
