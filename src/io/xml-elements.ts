import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

export interface XmlHandler {
  /** @param line 1-based. */
  open(name: string, attributes: ReadonlyMap<string, string>, line: number): void;
  /** The text between two tags. */
  text(text: string): void;
  close(name: string): void;
  /**
   * A value was longer than is held, or its beginning is lost: what is read around it is not what was written.
   *
   * @param part The tag that comes next, or the content of the element that is open. `attributes`: the tag has too many, or one twice.
   */
  damage(part: 'tag' | 'attributes' | 'content'): void;
  /** Name of attributes whose values are not held: `place` is called with where their pieces are in the file. */
  readonly unheld?: string;
  place?(start: number, end: number): void;
}

/** Characters of a text or an attribute: no stanza is larger, and a cell of Excel has at most 32,767. */
const lengthMax = 2 ** 20;
const attributesMax = 200;
/** Characters before a chunk that are kept: a name, or a section of characters, may begin there. */
const keptMax = 64 * 1024;

/**
 * Passes the elements, attributes and texts of XML to a handler, in pieces of any size. Nothing is looked up: entities of the file's own stay
 * as they are written.
 *
 * Memory: a chunk, what is kept of those before, and one value.
 */
export class XmlElements implements TokenizerCallbacks {
  readonly #handler: XmlHandler;
  readonly #tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, this);
  #chunks = '';
  #chunksStart = 0;
  #line = 1;
  /** All line ends before this place are counted. */
  #lineAt = 0;
  #name = '';
  #nameLine = 1;
  #attributes = new Map<string, string>();
  #attribute: string | undefined;
  #value = '';
  #text = '';

  readonly #areBytes: boolean;

  /**
   * @param areBytes Each character is a byte of UTF-8, so that places are those of the file: values become text when they are whole. References
   * to surrogates, which no XML may have, are read as apps mean them: `&#55357;&#56832;` is one emoji.
   */
  constructor(handler: XmlHandler, areBytes = false) {
    this.#handler = handler;
    this.#areBytes = areBytes;
  }

  push(text: string): void {
    const dropped = Math.max(this.#chunks.length - keptMax, 0);
    this.#countLines(this.#chunksStart + dropped);
    this.#chunksStart += dropped;
    this.#chunks = this.#chunks.slice(dropped) + text;
    this.#tokenizer.write(text);
  }

  end(): void {
    this.#tokenizer.end();
    this.#flushText();
  }

  onopentagname(start: number, end: number): void {
    this.#flushText();
    this.#name = this.#slice(start, end);
    this.#countLines(start);
    this.#nameLine = this.#line;
    this.#attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#slice(start, end);
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute === this.#handler.unheld) this.#handler.place!(start, end);
    else this.#value = this.#joined(this.#value, this.#slice(start, end), 'tag');
  }

  onattribend(): void {
    const name = this.#attribute;
    this.#attribute = undefined;
    if (name === undefined) return;
    // A quote that is missing takes in the attributes of the next element.
    if (this.#attributes.has(name) || this.#attributes.size >= attributesMax) this.#handler.damage('attributes');
    else this.#attributes.set(name, this.#decoded(this.#value));
  }

  onopentagend(): void {
    this.#handler.open(this.#name, this.#attributes, this.#nameLine);
  }

  onselfclosingtag(): void {
    this.onopentagend();
    this.#handler.close(this.#name);
  }

  onclosetag(start: number, end: number): void {
    this.#flushText();
    this.#handler.close(this.#slice(start, end).trim());
  }

  ontext(start: number, end: number): void {
    this.#text = this.#joined(this.#text, this.#slice(start, end), 'content');
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (start < this.#chunksStart) this.#handler.damage('content');
    this.#text = this.#joined(this.#text, this.#slice(start, end - endOffset).replaceAll('&', '&amp;'), 'content');
  }

  onattribentity(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
  ontextentity(): void {}

  #flushText(): void {
    if (this.#text !== '') this.#handler.text(this.#decoded(this.#text));
    this.#text = '';
  }

  #decoded(raw: string): string {
    return decoded(this.#areBytes ? Buffer.from(raw, 'latin1').toString('utf8') : raw);
  }

  #joined(text: string, more: string, part: 'tag' | 'content'): string {
    if (text.length + more.length <= lengthMax) return text + more;
    this.#handler.damage(part);
    return text;
  }

  #slice(start: number, end: number): string {
    return this.#chunks.slice(Math.max(start - this.#chunksStart, 0), Math.max(end - this.#chunksStart, 0));
  }

  #countLines(until: number): void {
    if (until <= this.#lineAt) return;
    const end = until - this.#chunksStart;
    let at = this.#chunks.indexOf('\n', Math.max(this.#lineAt - this.#chunksStart, 0));
    for (; at !== -1 && at < end; at = this.#chunks.indexOf('\n', at + 1)) this.#line += 1;
    this.#lineAt = this.#chunksStart + (at === -1 ? this.#chunks.length : at);
  }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Resolves references, and makes line ends as XML has them. */
function decoded(raw: string): string {
  const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
  if (!text.includes('&')) return text.isWellFormed() ? text : text.toWellFormed();
  return text
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return named[String(name)] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      // A half of a pair is joined with the other by standing next to it.
      return code > 0x10ffff || code === 0 ? '\ufffd' : String.fromCodePoint(code);
    })
    .toWellFormed();
}
