import type { Dialect } from '../dialect.ts';

const outside = 0;
const quoted = 1;
const lineComment = 2;
const blockComment = 3;
/** After `$`: it may begin a quote of PostgreSQL. */
const dollarTag = 4;
const dollarQuoted = 5;

const newline = 10;
const doubleQuote = 34;
const hash = 35;
const dollar = 36;
const singleQuote = 39;
const open = 40;
const close = 41;
const star = 42;
const dash = 45;
const slash = 47;
const backslash = 92;
const backtick = 96;

const semicolon = Buffer.from(';');

/** Bytes that mean something outside of quotes and comments, by dialect. */
const marks: Readonly<Record<Dialect, Uint8Array>> = {
  postgres: markBytes([dollar]),
  mysql: markBytes([hash, backtick]),
  sqlite: markBytes([backtick]),
};

function markBytes(more: readonly number[]): Uint8Array {
  const marked = new Uint8Array(256);
  const all = [newline, doubleQuote, singleQuote, open, close, star, dash, slash, 59, ...more];
  for (const byte of all) marked[byte] = 1;
  return marked;
}

interface LexerOptions {
  readonly dialect: Dialect;
  readonly isEscaping: boolean;
  /** Default `;`. */
  readonly delimiter?: string;
  /** Rows are counted, and brackets that do not fit end with the statement. */
  readonly isInsert?: boolean;
  /** Ends at the end of the first row. */
  readonly stopsAtRow?: boolean;
}

/**
 * Finds the end of a statement in chunks of any size, and holds none of it. States: outside; in quotes, up to the same quote (doubled, it
 * opens again at once); in a comment; in a dollar quote, up to the same tag.
 */
export class StatementLexer {
  /** Line ends so far. */
  lines = 0;
  /** Rows that ended so far: brackets that closed with nothing around them. */
  rows = 0;
  /** Brackets that are open. */
  #depth = 0;
  readonly #dialect: Dialect;
  readonly #isEscaping: boolean;
  readonly #isInsert: boolean;
  readonly #delimiter: Buffer;
  readonly #marked: Uint8Array;
  readonly #stopsAtRow: boolean;
  #state = outside;
  #isDone = false;
  /** Place in the statement of index 0 of the chunk. */
  #offset = 0;
  #from = 0;
  #lastByte = 0;
  #quote = 0;
  #quoteEscapes = false;
  #isEscaped = false;
  #closedAt = -1;
  #dashAt = -2;
  #slashAt = -2;
  #starAt = -2;
  #commentAt = 0;
  /** Comments that are open inside of one. */
  #comments = 0;
  #tag: number[] = [];
  #matched = 0;
  #delimiterAt = -2;

  constructor({ dialect, isEscaping, delimiter, isInsert = false, stopsAtRow = false }: LexerOptions) {
    this.#dialect = dialect;
    this.#isEscaping = isEscaping;
    this.#isInsert = isInsert;
    this.#stopsAtRow = stopsAtRow;
    this.#delimiter = delimiter === undefined || delimiter === ';' ? semicolon : Buffer.from(delimiter, 'latin1');
    this.#marked = this.#delimiter === semicolon ? marks[dialect] : withMarks(marks[dialect], this.#delimiter);
  }

  /**
   * @returns the index after the end of the statement, or -1 if it continues after `end`. Bytes pushed after an end are
   *   a new statement.
   */
  push(bytes: Buffer, from: number, end: number): number {
    this.#offset -= from;
    this.#from = from;
    this.#isDone = false;
    let at = from;
    while (at < end && !this.#isDone) at = this.#step(bytes, at, end);
    this.#offset += at;
    if (at > from) this.#lastByte = bytes[at - 1]!;
    if (!this.#isDone) return -1;
    this.#depth = 0;
    return at;
  }

  #step(bytes: Buffer, at: number, end: number): number {
    switch (this.#state) {
      case quoted:
        return this.#inQuotes(bytes, at, end);
      case lineComment:
        return this.#inLineComment(bytes, at, end);
      case blockComment:
        return this.#inBlockComment(bytes, at, end);
      case dollarTag:
        return this.#inTag(bytes, at);
      case dollarQuoted:
        return this.#inDollarQuotes(bytes, at, end);
      default:
        return this.#outside(bytes, at, end);
    }
  }

  #outside(bytes: Buffer, from: number, end: number): number {
    const marked = this.#marked;
    let at = from;
    while (at < end) {
      const byte = bytes[at]!;
      if (marked[byte] === 0) at += 1;
      else if (byte === singleQuote) return this.#openQuote(bytes, at);
      else if (byte === open) {
        this.#depth += 1;
        at += 1;
      } else {
        this.#mark(byte, bytes, at);
        at += 1;
        if (this.#isDone || this.#state !== outside) return at;
      }
    }
    return at;
  }

  #mark(byte: number, bytes: Buffer, at: number): void {
    const place = this.#offset + at;
    if (byte === newline) this.lines += 1;
    else if (byte === close) this.#closeBracket();
    else if (byte === doubleQuote || byte === backtick) this.#openQuote(bytes, at);
    else if (byte === dash) {
      if (this.#dashAt === place - 1) this.#state = lineComment;
      this.#dashAt = place;
    } else if (byte === slash) this.#slashAt = place;
    else if (byte === star && this.#slashAt === place - 1) {
      this.#state = blockComment;
      this.#comments = 0;
      this.#commentAt = place + 1;
    } else if (byte === hash && this.#dialect === 'mysql') this.#state = lineComment;
    else if (byte === dollar && this.#dialect === 'postgres' && !isNamePart(this.#before(bytes, at))) {
      this.#state = dollarTag;
      this.#tag = [dollar];
    }
    if (this.#state === outside || byte === dollar) this.#matchDelimiter(byte, place);
  }

  #matchDelimiter(byte: number, place: number): void {
    const continues = this.#delimiterAt === place - 1 && byte === this.#delimiter[this.#matched];
    this.#matched = continues ? this.#matched + 1 : Number(byte === this.#delimiter[0]);
    this.#delimiterAt = place;
    if (this.#matched < this.#delimiter.length) return;
    this.#matched = 0;
    // A rule of PostgreSQL holds several statements in brackets.
    this.#isDone = this.#dialect !== 'postgres' || this.#isInsert || this.#depth === 0;
  }

  #closeBracket(): void {
    this.#depth -= 1;
    if (this.#depth > 0) return;
    this.#depth = 0;
    this.rows += 1;
    if (this.#stopsAtRow) this.#isDone = true;
  }

  #openQuote(bytes: Buffer, at: number): number {
    const quote = bytes[at]!;
    const isDoubled = this.#closedAt === this.#offset + at && quote === this.#quote;
    if (!isDoubled) this.#quoteEscapes = this.#escapes(quote, this.#before(bytes, at));
    this.#quote = quote;
    this.#state = quoted;
    return at + 1;
  }

  #escapes(quote: number, before: number): boolean {
    if (quote === singleQuote) {
      return this.#isEscaping || (this.#dialect === 'postgres' && (before === 69 || before === 101));
    }
    return quote === doubleQuote && this.#dialect === 'mysql' && this.#isEscaping;
  }

  #before(bytes: Buffer, at: number): number {
    return at > this.#from ? bytes[at - 1]! : this.#lastByte;
  }

  #inQuotes(bytes: Buffer, from: number, end: number): number {
    const quote = this.#quote;
    const taker = this.#quoteEscapes ? backslash : quote;
    let at = from;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      if (bytes[at] === newline) this.lines += 1;
      at += 1;
    }
    for (; at < end; at += 1) {
      const byte = bytes[at]!;
      if (byte === quote) {
        this.#state = outside;
        this.#closedAt = this.#offset + at + 1;
        return at + 1;
      }
      if (byte === taker) {
        at += 1;
        if (at >= end) this.#isEscaped = true;
        else if (bytes[at] === newline) this.lines += 1;
      } else if (byte === newline) this.lines += 1;
    }
    return end;
  }

  #inLineComment(bytes: Buffer, from: number, end: number): number {
    for (let at = from; at < end; at += 1) {
      if (bytes[at] !== newline) continue;
      this.lines += 1;
      this.#state = outside;
      return at + 1;
    }
    return end;
  }

  /** Text that MySQL runs by its version, `/*!40101 … *\/`, is a part of the statement: its end is then found outside. PostgreSQL nests comments. */
  #inBlockComment(bytes: Buffer, from: number, end: number): number {
    for (let at = from; at < end; at += 1) {
      const byte = bytes[at]!;
      const place = this.#offset + at;
      if (byte === newline) this.lines += 1;
      else if (byte === star) {
        const isInner = this.#dialect === 'postgres' && this.#slashAt === place - 1 && place > this.#commentAt;
        if (isInner) this.#comments += 1;
        this.#starAt = isInner ? -2 : place;
      } else if (byte === slash && this.#starAt === place - 1 && place > this.#commentAt) {
        this.#comments -= 1;
        if (this.#comments < 0) this.#state = outside;
      } else if (byte === slash) this.#slashAt = place;
      else if (byte === 33 && place === this.#commentAt && this.#dialect === 'mysql') this.#state = outside;
      if (this.#state === outside) return at + 1;
    }
    return end;
  }

  #inTag(bytes: Buffer, at: number): number {
    const byte = bytes[at]!;
    const isNameByte = isNamePart(byte) && !(this.#tag.length === 1 && isDigit(byte));
    if (byte !== dollar && !isNameByte) {
      this.#state = outside;
      return at;
    }
    this.#tag.push(byte);
    if (byte === dollar) {
      this.#state = dollarQuoted;
      this.#matched = 0;
    }
    return at + 1;
  }

  #inDollarQuotes(bytes: Buffer, from: number, end: number): number {
    const tag = this.#tag;
    for (let at = from; at < end; at += 1) {
      const byte = bytes[at]!;
      if (byte === newline) this.lines += 1;
      // A tag has a dollar at both ends and nowhere else.
      this.#matched = byte === tag[this.#matched] ? this.#matched + 1 : Number(byte === dollar);
      if (this.#matched < tag.length) continue;
      this.#state = outside;
      this.#matched = 0;
      return at + 1;
    }
    return end;
  }
}

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;

/** Returns whether a byte belongs to a name without quotes, in UTF-8 or any other encoding. */
const isNamePart = (byte: number): boolean =>
  isDigit(byte) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) || byte === 95 || byte >= 128;

function withMarks(marked: Uint8Array, bytes: Uint8Array): Uint8Array {
  const all = marked.slice();
  for (const byte of bytes) all[byte] = 1;
  return all;
}

/**
 * Goes on in a comment, of which PostgreSQL has some inside others.
 *
 * @param depth Comments that are open.
 * @returns the index behind it, or -1 if it does not end here, and how many are open then.
 */
export function passComment(
  bytes: Buffer,
  from: number,
  depth: number,
  dialect: Dialect,
): readonly [end: number, depth: number] {
  let open = depth;
  for (let at = from; ; at += 2) {
    const closing = bytes.indexOf('*/', at);
    const opening = dialect === 'postgres' ? bytes.indexOf('/*', at) : -1;
    if (opening >= 0 && (closing < 0 || opening < closing)) {
      open += 1;
      at = opening;
    } else if (closing < 0) return [-1, open];
    else {
      open -= 1;
      at = closing;
      if (open === 0) return [closing + 2, 0];
    }
  }
}
