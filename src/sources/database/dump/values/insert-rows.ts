import type { DatabaseRow } from '../../database.ts';
import { bitsOf, textOfBytes, type ValueContext, type ValueFault } from './column-rule.ts';
import { type Literal, readLiteral } from './expression.ts';
import { type RowPlan, RowValues } from './row-plan.ts';
import { type EscapeStyle, unescaped } from './unescaped.ts';

const singleQuote = 39;
const doubleQuote = 34;
const open = 40;
const close = 41;
const comma = 44;
const openSquare = 91;
const backslash = 92;
const closeSquare = 93;

/** Reads rows of INSERT: `(1,'a',NULL)`. */
export class InsertRow {
  /** Index after the row that was read. */
  end = 0;
  readonly #row: RowValues;
  readonly #context: ValueContext;
  readonly #isMysql: boolean;
  readonly #isEscaping: boolean;
  readonly #style: EscapeStyle;
  #hasEscapes = false;

  constructor(plan: RowPlan) {
    this.#row = new RowValues(plan);
    this.#context = plan.context;
    this.#isMysql = plan.context.dialect === 'mysql';
    this.#isEscaping = plan.context.settings.isEscaping;
    this.#style = !this.#isEscaping ? 'none' : this.#isMysql ? 'mysql' : 'postgres';
  }

  /**
   * @param start Index of its bracket.
   * @param limit Index after the bytes that are there.
   * @returns undefined if the row does not end before `limit`.
   */
  read(bytes: Buffer, start: number, limit: number, line: number): DatabaseRow | undefined {
    const row = this.#row;
    row.begin();
    for (let at = start + 1; ; ) {
      const from = afterBlank(bytes, at, limit);
      const end = this.#plain(bytes, from, limit) ?? this.#expression(bytes, from, limit);
      if (end >= limit) return undefined;
      this.end = end + 1;
      if (bytes[end] === close) return row.end(line);
      row.cell += 1;
      at = this.end;
    }
  }

  /**
   * Reads a string, a number or a single word.
   *
   * @returns the index of the comma or bracket after it; undefined if it is something else.
   */
  #plain(bytes: Buffer, from: number, limit: number): number | undefined {
    const first = bytes[from]!;
    const isString = first === singleQuote || (first === doubleQuote && this.#isMysql);
    const end = isString ? this.#stringEnd(bytes, from, limit) : wordEnd(bytes, from, limit);
    const next = afterBlank(bytes, end, limit);
    if (next >= limit) return limit;
    if (bytes[next] !== comma && bytes[next] !== close) return undefined;
    if (!this.#row.isWanted) return next;
    if (isString) this.#string(bytes, from + 1, end - 1, first);
    else if (!this.#word(bytes, from, end)) return undefined;
    return next;
  }

  /**
   * @returns the index after the closing quote; `limit` if it is not there, or may be doubled.
   */
  #stringEnd(bytes: Buffer, from: number, limit: number): number {
    const quote = bytes[from]!;
    const taker = this.#isEscaping ? backslash : quote;
    this.#hasEscapes = false;
    for (let at = from + 1; at < limit; at += 1) {
      const byte = bytes[at]!;
      if (byte === quote) {
        if (bytes[at + 1] !== quote || at + 1 >= limit) return at + 1;
        this.#hasEscapes = true;
        at += 1;
      } else if (byte === taker) {
        this.#hasEscapes = true;
        at += 1;
      }
    }
    return limit;
  }

  #string(bytes: Buffer, start: number, end: number, quote: number): void {
    if (!this.#hasEscapes) this.#row.setBytes(bytes, start, end);
    else {
      const plain = unescaped(bytes, start, end, quote, this.#style);
      this.#row.setBytes(plain, 0, plain.length);
    }
  }

  /** @returns whether it is a number, NULL or another word that stands for itself. */
  #word(bytes: Buffer, start: number, end: number): boolean {
    if (end === start + 4 && bytes[start] === 78 && bytes[start + 1] === 85) {
      this.#row.set(null);
      return true;
    }
    const text = bytes.toString('latin1', start, end);
    if (!isDigits(bytes, start, end) && !/^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return false;
    this.#row.set(text);
    return true;
  }

  /** @returns the index of the comma or bracket after it. */
  #expression(bytes: Buffer, from: number, limit: number): number {
    const end = this.#expressionEnd(bytes, from, limit);
    if (end >= limit || !this.#row.isWanted) return end;
    const text = bytes.toString('latin1', from, end);
    const literal = readLiteral(text, this.#context.dialect, this.#isEscaping);
    this.#row.set(
      literal ? this.#settle(literal) : { code: 'dump-value', reason: `holds no value: ${beginning(text)}` },
    );
    return end;
  }

  #expressionEnd(bytes: Buffer, from: number, limit: number): number {
    let depth = 0;
    for (let at = from; at < limit; at += 1) {
      const byte = bytes[at]!;
      if (depth === 0 && (byte === comma || byte === close)) return at;
      if (byte === open || byte === openSquare) depth += 1;
      else if (byte === close || byte === closeSquare) depth -= 1;
      else if (byte === singleQuote || (byte === doubleQuote && this.#isMysql)) at = this.#quoteEnd(bytes, at, limit);
    }
    return limit;
  }

  /** @returns the index of the closing quote. */
  #quoteEnd(bytes: Buffer, from: number, limit: number): number {
    const before = bytes[from - 1];
    const isEscaping = this.#isEscaping || (this.#context.dialect === 'postgres' && (before === 69 || before === 101));
    const quote = bytes[from];
    for (let at = from + 1; at < limit; at += 1) {
      if (bytes[at] === backslash && isEscaping) at += 1;
      else if (bytes[at] === quote && bytes[at + 1] === quote) at += 1;
      else if (bytes[at] === quote) return at;
    }
    return limit;
  }

  #settle({ kind, text }: Literal): string | null | ValueFault {
    if (kind === 'null') return null;
    const column = this.#row.kind;
    if (kind === 'bits') return this.#isMysql ? text.replace(/^0+(?=.)/, '') : text;
    if (kind === 'plain') return text;
    const bytes = Buffer.from(text, 'latin1');
    if (kind === 'text') return textOfBytes(bytes, 0, bytes.length, column, this.#context);
    if (column === 'bits') return bitsOf(bytes);
    if (column === 'number') return bytes.length === 0 ? '0' : BigInt(`0x${bytes.toString('hex')}`).toString();
    // MySQL stores everything in a text column as text, however it is written.
    const isText = this.#isMysql && column !== 'bytes' && column !== 'untyped';
    return isText ? textOfBytes(bytes, 0, bytes.length, column, this.#context) : bytes.toString('hex');
  }
}

function afterBlank(bytes: Buffer, from: number, limit: number): number {
  let at = from;
  while (at < limit && bytes[at]! <= 32) at += 1;
  return at;
}

function isDigits(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at]! < 48 || bytes[at]! > 57) return false;
  return end > start;
}

/** Returns the end of letters, digits, signs: before the next comma, bracket, quote or blank. */
function wordEnd(bytes: Buffer, from: number, limit: number): number {
  let at = from;
  for (; at < limit; at += 1) {
    const byte = bytes[at]!;
    if (byte === comma || byte <= close) return at;
  }
  return at;
}

/** Name of a function and no more: values are not shown. */
const beginning = (text: string): string => /^[a-z_.]{1,30}\(/i.exec(text)?.[0] ?? 'an expression';
