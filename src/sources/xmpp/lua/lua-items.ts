/** The text of one `item(…)`, or why there is none. */
export interface LuaItem {
  /** Between the brackets, a character for each byte. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  readonly fault?: string;
  /** The file ends before the item does. */
  readonly isEnd?: true;
}

/** Bytes of one item: no stanza is larger. */
const lengthMax = 2 ** 20;
const begin = 'item(';

/**
 * Splits a list of Prosody into its items. An item that does not end, or is too large, is a fault, and reading goes on at the next line that
 * begins with `item(`.
 *
 * Memory: a chunk and one item.
 */
export class LuaItems {
  #text = '';
  /** Line of the first character of `#text`. */
  #line = 1;
  /** Position up to which the item at the beginning of `#text` was looked at, and what it is inside of there. */
  #at = 0;
  #depth = 0;
  #quote = '';

  /** @param bytes Of the file. */
  push(bytes: Uint8Array): LuaItem[] {
    this.#text += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const found: LuaItem[] = [];
    for (let item = this.#next(); item; item = this.#next()) found.push(item);
    return found;
  }

  end(): LuaItem[] {
    const rest = this.#text.trim();
    if (rest === '') return [];
    return [{ text: '', line: this.#line, fault: 'The file ends inside of an item', isEnd: true }];
  }

  #next(): LuaItem | undefined {
    if (this.#at === 0 && !this.#begins()) return this.#skipJunk();
    const end = this.#findEnd();
    if (end !== undefined) return this.#take(end);
    if (this.#text.length <= lengthMax) return undefined;
    return this.#giveUp('The item does not end, or is larger than a stanza may be');
  }

  #begins(): boolean {
    const start = this.#text.search(/[^\s;]/);
    this.#drop(start === -1 ? this.#text.length : start);
    return this.#text.startsWith(begin);
  }

  /** Skips text that is no item, up to the next line that begins with one. */
  #skipJunk(): LuaItem | undefined {
    if (this.#text.length < begin.length) return undefined;
    return this.#giveUp('Expected "item(", found something else');
  }

  #giveUp(fault: string): LuaItem | undefined {
    const next = this.#text.indexOf(`\n${begin}`, 1);
    const line = this.#line;
    if (next === -1 && this.#text.length <= lengthMax) return undefined;
    this.#drop(next === -1 ? this.#text.length - begin.length : next);
    this.#restart();
    return { text: '', line, fault };
  }

  #take(end: number): LuaItem {
    const item = { text: this.#text.slice(begin.length, end), line: this.#line };
    this.#drop(end + 1);
    this.#restart();
    return item;
  }

  #restart(): void {
    this.#at = 0;
    this.#depth = 0;
    this.#quote = '';
  }

  /** Position of the bracket that ends the item. */
  #findEnd(): number | undefined {
    const text = this.#text;
    let at = Math.max(this.#at, begin.length);
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#quote !== '') {
        if (code === backslash) {
          if (at + 1 >= text.length) break;
          at += 1;
        } else if (text[at] === this.#quote) this.#quote = '';
      } else if (code === doubleQuote || code === singleQuote) this.#quote = text[at]!;
      else if (code === openBrace || code === openBracket) this.#depth += 1;
      else if (code === closeBrace) this.#depth -= 1;
      else if (code === closeBracket) {
        if (this.#depth <= 0) return at;
        this.#depth -= 1;
      }
    }
    this.#at = at;
    return undefined;
  }

  #drop(count: number): void {
    for (let at = this.#text.indexOf('\n'); at !== -1 && at < count; at = this.#text.indexOf('\n', at + 1))
      this.#line += 1;
    this.#text = this.#text.slice(count);
  }
}

const [backslash, doubleQuote, singleQuote, openBrace, closeBrace, openBracket, closeBracket] = [
  ...['\\', '"', "'", '{', '}', '(', ')'].map((character) => character.charCodeAt(0)),
] as [number, number, number, number, number, number, number];
