/** A value of Lua as Prosody writes it. Numbers stay as they are written. */
export type LuaValue = string | LuaNumber | LuaTable | boolean | undefined;

export interface LuaNumber {
  readonly digits: string;
}

export interface LuaTable {
  readonly byKey: ReadonlyMap<string, LuaValue>;
  /** Values without a key, or with 1, 2, 3, in order. */
  readonly list: readonly LuaValue[];
}

export const isTable = (value: LuaValue): value is LuaTable => typeof value === 'object' && 'list' in value;
export const luaText = (value: LuaValue): string | undefined => (typeof value === 'string' ? value : undefined);
export const luaDigits = (value: LuaValue): string | undefined =>
  typeof value === 'object' && 'digits' in value ? value.digits : undefined;

const depthMax = 100;

/**
 * Reads a constructor of a table, of strings, numbers, booleans and tables; nothing is ever run.
 *
 * @param text A character for each byte.
 * @returns undefined if it is anything else.
 */
export function parseLuaTable(text: string): LuaTable | undefined {
  const reader = new LuaReader(text);
  try {
    return reader.readWhole();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const space = /(?:\s|--[^\n]*)*/y;
const word = /[A-Za-z_]\w*/y;
const number = /-?(?:0x[\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)/y;

class LuaReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readWhole(): LuaTable {
    const value = this.#value(0);
    this.#space();
    if (!isTable(value) || this.#at < this.#text.length) throw new SyntaxError('No table');
    return value;
  }

  #value(depth: number): LuaValue {
    this.#space();
    const first = this.#text[this.#at];
    if (first === '{') return this.#table(depth + 1);
    if (first === '"' || first === "'") return this.#string(first);
    const digits = this.#match(number);
    if (digits !== undefined) return { digits };
    const name = this.#match(word);
    if (name === 'true' || name === 'false') return name === 'true';
    if (name === 'nil') return undefined;
    throw new SyntaxError('No value');
  }

  #table(depth: number): LuaTable {
    if (depth > depthMax) throw new SyntaxError('Nested too deeply');
    const byKey = new Map<string, LuaValue>();
    const list: LuaValue[] = [];
    this.#expect('{');
    while (!this.#takes('}')) {
      const key = this.#key(depth);
      const value = this.#value(depth);
      if (key === undefined || key === String(list.length + 1)) list.push(value);
      else byKey.set(key, value);
      if (!this.#takes(';') && !this.#takes(',')) {
        this.#expect('}');
        break;
      }
    }
    return { byKey, list };
  }

  /** @returns undefined for a value without a key. */
  #key(depth: number): string | undefined {
    this.#space();
    if (this.#takes('[')) {
      const key = this.#value(depth);
      this.#expect(']');
      this.#expect('=');
      const text = luaText(key) ?? luaDigits(key);
      if (text === undefined) throw new SyntaxError('No key');
      return text;
    }
    const start = this.#at;
    const name = this.#match(word);
    if (name !== undefined && this.#takes('=')) return name;
    this.#at = start;
    return undefined;
  }

  #string(quote: string): string {
    const end = quote === '"' ? doubleQuoted : singleQuoted;
    let written = '';
    this.#at += 1;
    for (;;) {
      end.lastIndex = this.#at;
      const plain = end.exec(this.#text)![0];
      written += plain;
      this.#at += plain.length;
      const next = this.#text[this.#at];
      if (next === undefined) throw new SyntaxError('A string without an end');
      this.#at += 1;
      if (next === quote) return decodeUtf8(written);
      written += this.#escape();
    }
  }

  #escape(): string {
    escaped.lastIndex = this.#at;
    const [whole, decimal, hex, point, one] = escaped.exec(this.#text) ?? [];
    if (whole === undefined) throw new SyntaxError('No escape');
    this.#at += whole.length;
    if (decimal !== undefined) return String.fromCharCode(Number(decimal) & 0xff);
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (point !== undefined)
      return Buffer.from(String.fromCodePoint(Math.min(Number.parseInt(point, 16), 0x10ffff))).toString('latin1');
    return one === undefined ? '' : (letters[one] ?? one);
  }

  #space(): void {
    space.lastIndex = this.#at;
    this.#at += space.exec(this.#text)![0].length;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #takes(mark: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #expect(mark: string): void {
    if (!this.#takes(mark)) throw new SyntaxError(`No "${mark}"`);
  }
}

const doubleQuoted = /[^"\\]*/y;
const singleQuoted = /[^'\\]*/y;
/** `\065`, `\x41`, `\u{41}`, `\z` with the space behind it, and a letter or the end of a line. */
const escaped = /(\d{1,3})|x([\da-fA-F]{2})|u\{([\da-fA-F]{1,6})\}|z\s*|([\s\S])/y;
const letters: Readonly<Record<string, string>> = { a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Strings of Lua are bytes. */
const decodeUtf8 = (bytes: string): string =>
  /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
