import type { Dialect } from '../dialect.ts';
import { unescaped } from './unescaped.ts';

/**
 * Text written for a value. `text` has a character for each byte. `plain`: a number, or a word without quotes; `bits`:
 * digits of `b'101'`.
 */
export interface Literal {
  readonly kind: 'null' | 'text' | 'bytes' | 'bits' | 'plain';
  readonly text: string;
}

const nothing: Literal = { kind: 'null', text: '' };

/** Brackets in brackets; what a dump writes has two or three. */
const depthMax = 50;

/**
 * Returns the value of an expression in a dump that is no plain string, number or NULL: strings with a prefix or a
 * cast, bytes, and the few functions that SQLite's `.dump` writes. Nothing else is evaluated: a dump runs nothing here.
 *
 * @param text A character for each byte.
 * @returns undefined if it is anything else.
 */
export function readLiteral(text: string, dialect: Dialect, isEscaping: boolean): Literal | undefined {
  const reader = new ExpressionReader(text, dialect, isEscaping);
  const literal = reader.expression(0);
  return reader.isAtEnd ? literal : undefined;
}

/** Before a string that is in the encoding of the dump; others change what its bytes mean. */
const plainPrefixes = new Set(['', 'e', 'n', '_utf8', '_utf8mb3', '_utf8mb4']);

class ExpressionReader {
  readonly #text: string;
  readonly #dialect: Dialect;
  readonly #isEscaping: boolean;
  #at = 0;

  constructor(text: string, dialect: Dialect, isEscaping: boolean) {
    this.#text = text;
    this.#dialect = dialect;
    this.#isEscaping = isEscaping;
  }

  get isAtEnd(): boolean {
    return this.#match(/\s*/y) !== undefined && this.#at === this.#text.length;
  }

  expression(depth: number): Literal | undefined {
    let value = depth < depthMax ? this.#primary(depth) : undefined;
    while (value) {
      if (this.#match(/\s*::\s*/y) !== undefined) value = this.#type() ? value : undefined;
      else if (this.#dialect !== 'mysql' && this.#match(/\s*\|\|/y) !== undefined)
        value = joined(value, this.#primary(depth));
      else break;
    }
    return value;
  }

  #primary(depth: number): Literal | undefined {
    this.#match(/\s*/y);
    if (this.#text[this.#at] === '(') return this.#arguments(depth)?.[0];
    const number = this.#match(/0x[0-9a-f]*|[+-]?\s*(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?![\w'])/iy);
    if (number?.startsWith('0x') || number?.startsWith('0X')) return { kind: 'bytes', text: fromHex(number.slice(2)) };
    if (number !== undefined) return { kind: 'plain', text: number.replace(/^\+|\s/g, '') };
    const prefix = this.#match(/(?:_\w+\s*|[a-z]&?)?(?='|0x)/iy) ?? (this.#isMysqlString() ? '' : undefined);
    if (prefix !== undefined) return this.#string(prefix.trim().toLowerCase());
    return this.#word(depth);
  }

  #isMysqlString = (): boolean => this.#dialect === 'mysql' && this.#text[this.#at] === '"';

  #word(depth: number): Literal | undefined {
    const word = this.#match(/[a-z_]\w*/iy)?.toLowerCase();
    if (word === 'null' || word === 'default') return nothing;
    if (word === 'true' || word === 'false')
      return { kind: 'plain', text: this.#dialect === 'postgres' ? word[0]! : word === 'true' ? '1' : '0' };
    if (word === 'array') return this.#array();
    if (word === 'cast') return this.#cast(depth);
    const values = word === undefined ? undefined : this.#arguments(depth);
    return values && this.#dialect === 'sqlite' ? call(word!, values) : undefined;
  }

  /** `ARRAY['a', 'b']` stays as it is written. */
  #array(): Literal | undefined {
    const rest = this.#match(/\s*\[(?:[^\]']|'[^']*')*\]/y);
    return rest === undefined ? undefined : { kind: 'text', text: `ARRAY${rest}` };
  }

  /** CAST changes the kind between text and bytes alone. */
  #cast(depth: number): Literal | undefined {
    if (this.#match(/\s*\(/y) === undefined) return undefined;
    const value = this.expression(depth + 1);
    const type =
      this.#match(/\s+as\s+/iy) === undefined ? undefined : this.#match(/\w+(?:\s+\w+)*(?:\s*\([\d, ]*\))?/y);
    if (!value || type === undefined || this.#match(/\s*\)/y) === undefined) return undefined;
    if (value.kind === 'bytes' && /^(?:text|char|varchar|character)/i.test(type))
      return { kind: 'text', text: value.text };
    return value.kind === 'text' && /^(?:blob|binary)/i.test(type) ? { kind: 'bytes', text: value.text } : value;
  }

  #arguments(depth: number): Literal[] | undefined {
    if (this.#match(/\s*\(/y) === undefined) return undefined;
    const values: Literal[] = [];
    do {
      const value = this.expression(depth + 1);
      if (!value) return undefined;
      values.push(value);
    } while (this.#match(/\s*,/y) !== undefined);
    return this.#match(/\s*\)/y) === undefined ? undefined : values;
  }

  #type(): boolean {
    const name = this.#match(
      /(?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?(?: (?:varying|precision|with(?:out)? time zone))?/iy,
    );
    return (
      name !== undefined && this.#match(/\s*(?:\([\d, ]*\))?(?: with(?:out)? time zone)?(?:\[\d*\])*/iy) !== undefined
    );
  }

  /**
   * @param prefix Text before the quote: `e`, `x`, `b`, `n`, `_binary`.
   */
  #string(prefix: string): Literal | undefined {
    const hex = prefix.startsWith('_') ? this.#match(/0x[0-9a-f]*/iy) : undefined;
    if (hex !== undefined && prefix !== '_binary' && !plainPrefixes.has(prefix)) return undefined;
    if (hex !== undefined) return { kind: prefix === '_binary' ? 'bytes' : 'text', text: fromHex(hex.slice(2)) };
    const isEscaping = this.#isEscaping || (prefix === 'e' && this.#dialect === 'postgres');
    const text = this.#quoted(isEscaping);
    if (text === undefined) return undefined;
    if (prefix === 'x') return /^(?:[0-9a-f]{2})*$/i.test(text) ? { kind: 'bytes', text: fromHex(text) } : undefined;
    if (prefix === 'b') return /^[01]*$/.test(text) ? { kind: 'bits', text } : undefined;
    if (prefix === '_binary') return { kind: 'bytes', text };
    return plainPrefixes.has(prefix) ? { kind: 'text', text } : undefined;
  }

  #quoted(isEscaping: boolean): string | undefined {
    const quote = this.#text[this.#at]!;
    const start = this.#at + 1;
    let end = start;
    for (; end < this.#text.length; end += 1) {
      if (this.#text[end] === '\\' && isEscaping) end += 1;
      else if (this.#text[end] === quote && this.#text[end + 1] === quote) end += 1;
      else if (this.#text[end] === quote) break;
    }
    if (end >= this.#text.length) return undefined;
    this.#at = end + 1;
    const bytes = Buffer.from(this.#text.slice(start, end), 'latin1');
    const style = !isEscaping ? 'none' : this.#dialect === 'mysql' ? 'mysql' : 'postgres';
    return unescaped(bytes, 0, bytes.length, quote.charCodeAt(0), style).toString('latin1');
  }

  /** Takes what the pattern finds here. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

const fromHex = (digits: string): string =>
  Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex').toString('latin1');

/** NULL joined with anything is NULL. */
function joined(left: Literal, right: Literal | undefined): Literal | undefined {
  if (!right) return undefined;
  return left.kind === 'null' || right.kind === 'null' ? nothing : { kind: 'text', text: left.text + right.text };
}

/** The functions that SQLite's `.dump` writes. */
function call(name: string, values: readonly Literal[]): Literal | undefined {
  const [first, second, third] = values;
  if (name === 'char') {
    const codes = values.map(({ text }) => Number(text));
    if (!codes.every((code) => Number.isInteger(code) && code >= 0 && code <= 0x10ffff)) return undefined;
    return {
      kind: 'text',
      text: Buffer.from(codes.map((code) => String.fromCodePoint(code)).join('')).toString('latin1'),
    };
  }
  if (values.some(({ kind }) => kind === 'null')) return nothing;
  if (name === 'replace' && values.length === 3) return replaced(first!.text, second!.text, third!.text);
  if (name === 'unistr' && values.length === 1) return unistr(first!.text);
  return undefined;
}

/** Replacing in what was replaced can make gigabytes of a line. */
const textLengthMax = 64 * 2 ** 20;

function replaced(text: string, what: string, by: string): Literal | undefined {
  if (what === '') return { kind: 'text', text };
  const pieces = text.split(what);
  if (text.length + pieces.length * by.length > textLengthMax) return undefined;
  return { kind: 'text', text: pieces.join(by) };
}

/** `\000a`, `\u000a`, `\+00000a`, `\U0000000a`, and `\\`. */
function unistr(text: string): Literal | undefined {
  let isKnown = true;
  const coded = /\\(?:(\\)|\+([0-9a-fA-F]{6})|U([0-9a-fA-F]{8})|u?([0-9a-fA-F]{4})|)/g;
  const found = text.replace(coded, (whole: string, own?: string, six?: string, eight?: string, four?: string) => {
    const code = Number.parseInt(six ?? eight ?? four ?? '', 16);
    if (own !== undefined) return own;
    isKnown &&= whole.length > 1 && code <= 0x10ffff;
    return isKnown ? Buffer.from(String.fromCodePoint(code)).toString('latin1') : '';
  });
  return isKnown ? { kind: 'text', text: found } : undefined;
}
