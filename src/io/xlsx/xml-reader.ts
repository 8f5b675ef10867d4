import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** A part of a workbook is not what it should be. Code that knows the name of the workbook makes a SourceError of it. */
export class WorkbookFault extends Error {
  override readonly name = 'WorkbookFault';
}

export interface XmlHandler {
  /** @param name Without its prefix. The names of attributes keep theirs. */
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  /** The text between two tags. */
  text(text: string): void;
  close(name: string): void;
}

/** Characters of a text or an attribute. A cell of Excel has at most 32,767. */
const lengthMax = 2 ** 20;
const attributesMax = 100;
const depthMax = 100;

/**
 * Passes a part of a workbook to a handler. Yields after each chunk, so that the caller takes what the handler has found.
 *
 * Memory: two chunks and one text.
 *
 * @throws WorkbookFault if the part is no UTF-8, ends inside an element, or has a text above a million characters.
 */
export async function* readXml(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const elements = new XmlElements(handler);
  for await (const chunk of chunks) {
    elements.push(textOf(() => decoder.decode(chunk, { stream: true })));
    yield;
  }
  elements.push(textOf(() => decoder.decode()));
  elements.end();
  yield;
}

/** The same for a part of which the handler keeps what it needs. */
export async function readWholeXml(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  for await (const _ of readXml(chunks, handler));
}

function textOf(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw new WorkbookFault('its XML is not UTF-8', { cause });
  }
}

class XmlElements implements TokenizerCallbacks {
  readonly #handler: XmlHandler;
  readonly #tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, this);
  /** The chunk before is kept: a name may begin in it. */
  #chunks = '';
  #chunksStart = 0;
  #lastLength = 0;
  #name = '';
  #attributes = new Map<string, string>();
  #attribute: string | undefined;
  #value = '';
  #text = '';
  /** Names of the elements that are open. */
  readonly #open: string[] = [];
  #isBegun = false;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  push(text: string): void {
    const keptStart = this.#chunks.length - this.#lastLength;
    this.#chunksStart += keptStart;
    this.#chunks = this.#chunks.slice(keptStart) + text;
    this.#lastLength = text.length;
    this.#tokenizer.write(text);
  }

  end(): void {
    this.#tokenizer.end();
    if (!this.#isBegun || this.#open.length > 0) throw new WorkbookFault('its XML ends in the middle');
  }

  onopentagname(start: number, end: number): void {
    this.#flushText();
    this.#name = this.#localName(start, end);
    this.#attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#slice(start, end);
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    this.#value = joined(this.#value, this.#slice(start, end));
  }

  onattribend(): void {
    if (this.#attribute !== undefined && this.#attributes.size < attributesMax)
      this.#attributes.set(this.#attribute, decoded(this.#value));
    this.#attribute = undefined;
  }

  onopentagend(): void {
    if (this.#open.length >= depthMax) throw new WorkbookFault('its XML is nested too deeply');
    this.#open.push(this.#name);
    this.#isBegun = true;
    this.#handler.open(this.#name, this.#attributes);
  }

  onselfclosingtag(): void {
    this.onopentagend();
    this.#close(this.#name);
  }

  onclosetag(start: number, end: number): void {
    this.#flushText();
    this.#close(this.#localName(start, end));
  }

  ontext(start: number, end: number): void {
    this.#text = joined(this.#text, this.#slice(start, end));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (start < this.#chunksStart) throw new WorkbookFault('its XML has a text that is too long');
    this.#text = joined(this.#text, this.#slice(start, end - endOffset).replaceAll('&', '&amp;'));
  }

  onattribentity(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
  ontextentity(): void {}

  #close(name: string): void {
    if (this.#open.pop() !== name) throw new WorkbookFault('its XML has a wrong end of an element');
    this.#handler.close(name);
  }

  #flushText(): void {
    if (this.#text !== '') this.#handler.text(decoded(this.#text));
    this.#text = '';
  }

  #localName(start: number, end: number): string {
    return this.#slice(start, end).trim().replace(/^.*:/, '');
  }

  #slice(start: number, end: number): string {
    return this.#chunks.slice(Math.max(start - this.#chunksStart, 0), end - this.#chunksStart);
  }
}

function joined(text: string, more: string): string {
  if (text.length + more.length > lengthMax) throw new WorkbookFault('its XML has a text that is too long');
  return text + more;
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Resolves references and makes line ends as XML has them. */
function decoded(raw: string): string {
  const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[String(name)] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0x10ffff || code === 0 ? '\ufffd' : String.fromCodePoint(code);
  });
}
