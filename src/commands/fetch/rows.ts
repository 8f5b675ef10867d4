import { JsonExtent } from '../../io/json/json-extent.ts';

const quote = 0x22;
const openBracket = 0x5b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;

/** Behind the kinds of bracket that are compared: the text is JSON already. */
const depthMax = 64;

/**
 * The rows of an answer of the list operation, each as the service wrote it, on one line: no number loses digits and no field
 * gets lost on the way through objects.
 *
 * @param body An object with an array `data`; certainly JSON.
 */
export function rowTexts(body: string): string[] {
  const text = new AnswerText(Buffer.from(body));
  let rows: string[] = [];
  for (const key of text.keys()) {
    if (key === 'data') rows = text.elements();
    else text.value();
  }
  return rows;
}

/** Walks through one JSON object. Every method leaves off behind what it has read. */
class AnswerText {
  readonly #bytes: Buffer;
  readonly #extent = new JsonExtent(depthMax);
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Whoever gets a key reads the value that belongs to it. */
  *keys(): Generator<string> {
    this.#skipTo((byte) => byte === quote || byte === closeBrace);
    while (this.#bytes[this.#at] === quote) {
      yield JSON.parse(this.value()) as string;
      this.#skipTo((byte) => byte === quote || byte === closeBrace);
    }
  }

  /** The text of the next value; colons and commas before it are passed over. */
  value(): string {
    this.#skipTo(isBeginning);
    const start = this.#at;
    this.#extent.begin(this.#bytes[start]!);
    this.#at = this.#extent.find(this.#bytes, start);
    // A line feed in JSON stands between values: strings have it escaped.
    return this.#bytes.toString('utf8', start, this.#at).replaceAll(/[\r\n]+/g, ' ');
  }

  /** The texts of the next value's elements, if it is an array. */
  elements(): string[] {
    this.#skipTo(isBeginning);
    if (this.#bytes[this.#at] !== openBracket) {
      this.value();
      return [];
    }
    this.#at += 1;
    const elements: string[] = [];
    this.#skipTo((byte) => byte === closeBracket || isBeginning(byte));
    while (this.#bytes[this.#at] !== closeBracket) {
      elements.push(this.value());
      this.#skipTo((byte) => byte === closeBracket || isBeginning(byte));
    }
    this.#at += 1;
    return elements;
  }

  #skipTo(isWanted: (byte: number) => boolean): void {
    while (this.#at < this.#bytes.length && !isWanted(this.#bytes[this.#at]!)) this.#at += 1;
  }
}

/** Of a value: neither white space nor `,` `:` `}` `]`. */
const isBeginning = (byte: number): boolean =>
  byte > 0x20 && byte !== 0x2c && byte !== 0x3a && byte !== closeBrace && byte !== closeBracket;
