import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** A value of an attribute that is not held: where it is in the file. */
export interface ValueRange {
  /** Byte of the file. */
  readonly start: number;
  readonly length: number;
}

/** Begin of an element. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Of attributes called `data`. */
  readonly ranges: ReadonlyMap<string, ValueRange>;
  /** A value is longer than is held: it is cut. */
  readonly isCut: boolean;
  /** 1-based. */
  readonly line: number;
}

export interface XmlHandler {
  open(element: XmlElement): void;
  close(name: string): void;
}

/** Characters of a value: no text of a message has more. */
const valueLengthMax = 2 ** 20;
/** Attributes of an element. */
const attributesMax = 100;

/** Value of an attribute while it is read. */
interface Value {
  readonly name: string;
  text: string;
  start: number;
  end: number;
}

/**
 * Reads the elements and attributes of XML of any size; texts between elements are passed over. Every character is a byte, so that places
 * are places in the file: values become text when they are whole.
 *
 * References to surrogates, which no XML may have, are read as the app means them: `&#55357;&#56832;` is one emoji.
 *
 * Memory: a chunk and the one before, and the values of one element.
 */
export class XmlElements implements TokenizerCallbacks {
  readonly #handler: XmlHandler;
  readonly #tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, this);
  #chunks = '';
  #chunksStart = 0;
  #lines = 1;
  #linesAt = 0;
  #name = '';
  #line = 1;
  #value: Value | undefined;
  #attributes = new Map<string, string>();
  #ranges = new Map<string, ValueRange>();
  #isCut = false;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  push(chunk: Uint8Array): void {
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    // Names may have begun in the chunk before.
    const kept = this.#chunks.slice(-chunkKept);
    this.#countLines(this.#chunksStart + this.#chunks.length - kept.length);
    this.#chunksStart += this.#chunks.length - kept.length;
    this.#chunks = kept + text;
    this.#tokenizer.write(text);
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#slice(start, end);
    this.#countLines(start);
    this.#line = this.#lines;
    this.#attributes = new Map();
    this.#ranges = new Map();
    this.#isCut = false;
  }

  onattribname(start: number, end: number): void {
    this.#value = { name: this.#slice(start, end), text: '', start: -1, end: -1 };
  }

  onattribdata(start: number, end: number): void {
    const value = this.#value;
    if (!value) return;
    if (value.start < 0) value.start = start;
    value.end = end;
    if (value.name === 'data') return;
    if (value.text.length + end - start > valueLengthMax) this.#isCut = true;
    else value.text += this.#slice(start, end);
  }

  onattribend(): void {
    const value = this.#value;
    this.#value = undefined;
    if (!value || this.#attributes.size >= attributesMax) return;
    // A quote that is missing takes in the attributes of the next element.
    if (this.#attributes.has(value.name)) this.#isCut = true;
    if (value.name !== 'data') this.#attributes.set(value.name, decodeText(value.text));
    else if (value.end > value.start)
      this.#ranges.set(value.name, { start: value.start, length: value.end - value.start });
  }

  onopentagend(): void {
    const [name, attributes, ranges] = [this.#name, this.#attributes, this.#ranges];
    this.#handler.open({ name, attributes, ranges, isCut: this.#isCut, line: this.#line });
  }

  onselfclosingtag(): void {
    this.onopentagend();
    this.#handler.close(this.#name);
  }

  onclosetag(start: number, end: number): void {
    this.#handler.close(this.#slice(start, end).trim());
  }

  onattribentity(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
  ontext(): void {}
  ontextentity(): void {}

  #slice(start: number, end: number): string {
    return this.#chunks.slice(Math.max(start - this.#chunksStart, 0), end - this.#chunksStart);
  }

  /** @param until Byte of the file, inside of the chunks at hand. */
  #countLines(until: number): void {
    const end = until - this.#chunksStart;
    for (let at = this.#chunks.indexOf('\n', this.#linesAt - this.#chunksStart); at !== -1 && at < end; )
      [this.#lines, at] = [this.#lines + 1, this.#chunks.indexOf('\n', at + 1)];
    this.#linesAt = Math.max(this.#linesAt, until);
  }
}

/** A name is shorter. */
const chunkKept = 1024;

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of a value, of which each character is a byte. */
function decodeText(bytes: string): string {
  const text = Buffer.from(bytes, 'latin1').toString('utf8');
  if (!text.includes('&')) return text;
  return text
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      // A half of a pair is joined with the other by standing next to it.
      return code > 0x10ffff || code === 0 ? '\ufffd' : String.fromCodePoint(code);
    })
    .toWellFormed();
}
