import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import type { Lose } from '../lost.ts';
import { Mark, MarkdownOutput } from './html-output.ts';
import { type OpenTable, tableDepthMax, tableText } from './html-tables.ts';
import {
  blocks,
  codeBlocks,
  hidden,
  findLanguage,
  listNumber,
  lostWith,
  media,
  styles,
  usefulAttributes,
} from './html-tags.ts';
import { encodeForLink, fenced, isScript, markdownLink } from './markdown.ts';

/**
 * HTML of messages as Markdown: bold, italic, code, links, lists, tables, quotations, paragraphs and line breaks. Other tags are
 * left out and what is in them stays, except scripts, styles and comments. Text keeps its characters: what looks like
 * Markdown in it is not escaped, as everywhere in the model.
 *
 *     htmlToMarkdown('<p>Tide is <b>in</b> at&nbsp;<a href="https://x.example">x</a></p>') // Tide is **in** at [x](https://x.example)
 *
 * Nothing is nested by recursion, and each character is read once, whatever the input: the tokenizer knows tags and entities, and
 * what is open is remembered here up to `depthMax`. Tags that were never opened or closed cost nothing but themselves.
 *
 * @param elementText For elements of a platform's own, `<emoji alt="…">`.
 * @param lose Called for each tag whose meaning Markdown cannot show.
 */
export function htmlToMarkdown(html: string, elementText?: ElementText, lose: Lose = () => {}): string {
  const paragraph = plainParagraph.exec(html);
  if (paragraph && elementText?.('p', noAttributes, { start: 1, end: 3 }) === undefined) return paragraph[1]!;
  const walker = new Walker(html, elementText, lose);
  const tokenizer = new Tokenizer({}, walker);
  tokenizer.write(html);
  tokenizer.end();
  return walker.markdown();
}

/** Most messages are like this: words in one paragraph. They need no scan of each letter. */
const plainParagraph = /^<p>([^<&\s]+(?: [^<&\s]+)*)<\/p>$/;
const noAttributes: ReadonlyMap<string, string> = new Map();

/**
 * Returns the text to write at the beginning of an element, before its content; undefined applies the rules above.
 * `start` is the index of its name in the HTML, `end` the end of its tag. Not called inside of `pre`.
 */
export type ElementText = (
  name: string,
  attributes: ReadonlyMap<string, string>,
  place: { readonly start: number; readonly end: number },
) => string | undefined;

/** Attributes of a tag that `elementText` sees: a tag may have a million. */
const attributesMax = 30;

/** Elements inside elements that are remembered, as in browsers; deeper ones have no effect. */
const depthMax = 512;

/** An element that is open and does something when it closes. */
interface Open {
  readonly name: string;
  /** For a style or link. */
  readonly mark?: Mark | undefined;
}

/** A block of code while it is read. */
interface Code {
  readonly pieces: string[];
  language: string;
  /** Address of a link in it, and where its text begins. */
  link: { readonly address: string; readonly from: number } | undefined;
}

/** From tags to Markdown. Positions are those in the text: it is tokenized in one piece. */
class Walker implements TokenizerCallbacks {
  readonly #html: string;
  readonly #elementText: ElementText | undefined;
  readonly #lose: Lose;
  #out = new MarkdownOutput();
  #tagStart = 0;
  readonly #open: Open[] = [];
  /** How many of each name are open, in the cell at hand. */
  #openCounts = new Map<string, number>();
  readonly #tables: OpenTable[] = [];
  /** The block of code that is open: nothing else opens in it. */
  #code: Code | undefined;
  /** Next `</code` and `<br` after the last search position. */
  #codeEnd: NextOf | undefined;
  #lineEnd: NextOf | undefined;
  /** The tag at hand. */
  #tag = '';
  #attribute = '';
  #value = '';
  readonly #attributes = new Map<string, string>();
  /** Behind the last thing that was understood. */
  #end = 0;

  constructor(html: string, elementText: ElementText | undefined, lose: Lose) {
    this.#html = html;
    this.#elementText = elementText;
    this.#lose = lose;
  }

  markdown(): string {
    return this.#out.markdown();
  }

  ontext(start: number, end: number): void {
    this.#end = end;
    this.#text(this.#html.slice(start, end));
  }

  ontextentity(codePoint: number, end: number): void {
    this.#end = end;
    const character = String.fromCodePoint(codePoint);
    this.#text(character === '\u00a0' ? ' ' : character);
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#html.slice(start, end).toLowerCase();
    this.#tagStart = start;
    this.#attributes.clear();
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, end).toLowerCase();
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint);
  }

  /** The first of two attributes of a name counts. Few are of use: a tag may have a million. */
  onattribend(): void {
    const isWanted = this.#elementText !== undefined && this.#attributes.size < attributesMax;
    const isUseful = isWanted || usefulAttributes.has(this.#attribute);
    if (isUseful && !this.#attributes.has(this.#attribute)) this.#attributes.set(this.#attribute, this.#value);
  }

  onopentagend(end: number): void {
    this.#end = end + 1;
    this.#begin(this.#tag);
  }

  onselfclosingtag(end: number): void {
    this.onopentagend(end);
  }

  onclosetag(start: number, end: number): void {
    this.#end = this.#html.indexOf('>', end) + 1 || this.#html.length;
    this.#close(this.#html.slice(start, end).toLowerCase());
  }

  oncomment(_start: number, end: number): void {
    this.#end = end + 1;
  }

  ondeclaration(_start: number, end: number): void {
    this.#end = end + 1;
  }

  onprocessinginstruction(_start: number, end: number): void {
    this.#end = end + 1;
  }

  oncdata(): void {}

  /** A tag that never ends is text that a person typed: nothing is lost because of a `<`. */
  onend(): void {
    if (this.#end < this.#html.length) this.#text(this.#html.slice(this.#end));
    while (this.#tables.length > 0) this.#endTable();
    while (this.#open.length > 0) this.#closeLast();
  }

  get #isHidden(): boolean {
    return hidden.has(this.#open.at(-1)?.name ?? '');
  }

  #text(text: string): void {
    if (this.#isHidden) return;
    if (this.#code) this.#code.pieces.push(text);
    // Between cells of a table white space is none.
    else if (this.#tables.at(-1)?.cell !== undefined || this.#tables.length === 0 || /\S/.test(text))
      this.#out.text(text);
  }

  #begin(name: string): void {
    if (this.#isHidden) return;
    if (this.#code) {
      this.#beginInCode(name, this.#code);
      return;
    }
    const text = this.#elementText?.(name, this.#attributes, { start: this.#tagStart, end: this.#end });
    if (text !== undefined) {
      this.#text(text);
      return;
    }
    if (name === 'br') this.#out.lineBreak();
    else if (media.has(name)) this.#beginMedia(name);
    else if (name === 'li') this.#out.beginItem(listNumber(this.#attributes.get('value')));
    else if (name === 'q') this.#text('"');
    else if (name === 'input') this.#text(writeCheckbox(this.#attributes));
    else if (tableParts.has(name) && this.#tables.length > 0) this.#beginTablePart(name);
    else {
      const lost = lostWith(name, this.#attributes);
      if (lost !== undefined) this.#lose(lost);
      if (Object.hasOwn(blocks, name)) this.#out.break(blocks[name]!);
      if (name === 'hr') this.#out.block('---');
      else if (this.#open.length < depthMax) this.#beginNested(name);
    }
  }

  #beginNested(name: string): void {
    if (hidden.has(name)) this.#push(name);
    else if (name === 'code' && this.#hasLines()) this.#beginCode(name);
    else if (Object.hasOwn(styles, name)) this.#beginMark(name, new Mark(styles[name]!, styles[name]!));
    else if (name === 'a') this.#beginLink();
    else if (name === 'blockquote') {
      this.#out.beginQuote();
      this.#push(name);
    } else if (name === 'ul' || name === 'ol') {
      const start = name === 'ol' ? (listNumber(this.#attributes.get('start')) ?? 1) : undefined;
      this.#out.beginList(start);
      this.#push(name);
    } else if (codeBlocks.has(name)) this.#beginCode(name);
    else if (name === 'table') this.#beginTable();
  }

  /** Pictures are called by what they show; others lead to what they play. */
  #beginMedia(name: string): void {
    const { 0: address = '' } = ['src', 'data'].flatMap((key) => this.#attributes.get(key)?.trim() || []);
    const words = this.#attributes.get('alt') || this.#attributes.get('title') || '';
    if (/^https?:\/\//i.test(address) && name !== 'img') this.#text(markdownLink(address, words || name));
    else if (words !== '') this.#text(words);
    else if (/^https?:\/\//i.test(address)) this.#text(encodeForLink(address));
    else if (address !== '') this.#lose('oldLinks');
    if (hidden.has(name) && this.#open.length < depthMax) this.#push(name);
  }

  #beginCode(name: string): void {
    this.#push(name);
    this.#code = { pieces: [], language: findLanguage(name, this.#attributes), link: undefined };
  }

  /** In a block of code, line breaks and link targets matter. */
  #beginInCode(name: string, code: Code): void {
    if (name === 'br') code.pieces.push('\n');
    else if (name === 'code' && code.language === '') code.language = findLanguage(name, this.#attributes);
    else if (name === 'img') code.pieces.push(this.#attributes.get('alt') ?? '');
    else if (name === 'a') code.link = { address: this.#attributes.get('href') ?? '', from: code.pieces.length };
    else if (Object.hasOwn(blocks, name)) startLine(code.pieces);
  }

  #closeInCode(name: string, code: Code): void {
    if (name !== 'a' || code.link === undefined) return;
    const { address, from } = code.link;
    code.link = undefined;
    if (isAddress(address) && code.pieces.slice(from).join('') !== address) code.pieces.push(` (${address})`);
  }

  #endCode({ pieces, language }: Code): void {
    this.#code = undefined;
    const code = pieces.join('').replace(/^\n/, '');
    if (code.trim() !== '') this.#out.block(fenced(code, language));
  }

  /** Whether the code that begins here has several lines: then it is a block. */
  #hasLines(): boolean {
    this.#lineEnd ??= new NextOf(this.#html, /<br/gi);
    this.#codeEnd ??= new NextOf(this.#html, /<\/code/gi);
    return this.#lineEnd.from(this.#end) < this.#codeEnd.from(this.#end);
  }

  #beginTable(): void {
    if (this.#tables.length >= tableDepthMax) return;
    this.#out.break(2);
    this.#tables.push({ outer: this.#out, rows: [], cell: undefined });
  }

  #beginTablePart(name: string): void {
    const table = this.#tables.at(-1)!;
    this.#endCell(table);
    if (name === 'tr' || table.rows.length === 0) table.rows.push([]);
    if (name === 'tr') return;
    table.cell = { output: new MarkdownOutput(), openLength: this.#open.length, openCounts: this.#openCounts };
    this.#openCounts = new Map();
    this.#out = table.cell.output;
  }

  /** Ends the cell, and everything still open in it. */
  #endCell(table: OpenTable): void {
    const { cell } = table;
    if (cell === undefined) return;
    while (this.#open.length > cell.openLength) this.#closeLast();
    this.#openCounts = cell.openCounts;
    this.#out = table.outer;
    table.rows.at(-1)!.push(cell.output.markdown());
    table.cell = undefined;
  }

  #endTable(): void {
    const table = this.#tables.at(-1)!;
    this.#endCell(table);
    this.#tables.pop();
    const text = tableText(table.rows, this.#tables.length > 0);
    if (text !== '') this.#out.block(text);
    this.#out.break(2);
  }

  /** Closes the element and what was opened inside it. One that is not open has no effect, but for its line break. */
  #close(name: string): void {
    if (this.#code && name !== this.#open.at(-1)?.name) {
      this.#closeInCode(name, this.#code);
      return;
    }
    if (this.#isHidden && name !== this.#open.at(-1)?.name) return;
    if (this.#tables.length > 0 && (tableParts.has(name) || name === 'table')) {
      if (name === 'table') this.#endTable();
      else this.#endCell(this.#tables.at(-1)!);
      return;
    }
    if (name === 'q') this.#text('"');
    if (name === 'li') this.#out.break(1);
    if (Object.hasOwn(blocks, name)) this.#out.break(blocks[name]!);
    while (this.#openCounts.get(name) && this.#closeLast() !== name);
  }

  /** @returns Its name. */
  #closeLast(): string {
    const { name, mark } = this.#open.pop()!;
    this.#openCounts.set(name, this.#openCounts.get(name)! - 1);
    if (this.#code) this.#endCode(this.#code);
    else if (mark) this.#out.endMark(mark);
    else if (name === 'blockquote') this.#out.endQuote();
    else if (name === 'ul' || name === 'ol') this.#out.endList();
    return name;
  }

  #push(name: string, mark?: Mark): void {
    this.#open.push({ name, mark });
    this.#openCounts.set(name, (this.#openCounts.get(name) ?? 0) + 1);
  }

  /** A link inside a link ends the outer one. An address that Markdown cannot link is written behind the words. */
  #beginLink(): void {
    this.#close('a');
    const address = (this.#attributes.get('href') ?? '').trim();
    if (!isAddress(address)) this.#push('a');
    else if (address.length > addressMax) {
      this.#lose('appData');
      this.#push('a');
    } else if (isLinkable(address) && !this.#out.isInCode)
      this.#beginMark('a', new Mark('[', `](${encodeForLink(address)})`, address));
    else this.#beginMark('a', new Mark('', ` (${address})`, address));
  }

  #beginMark(name: string, mark: Mark): void {
    this.#push(name, this.#out.beginMark(mark) ? mark : undefined);
  }
}

/** Finds the next match of a pattern from growing positions, so that the text is searched only once. */
class NextOf {
  readonly #text: string;
  readonly #pattern: RegExp;
  #at = -1;

  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  from(start: number): number {
    if (this.#at >= start) return this.#at;
    this.#pattern.lastIndex = start;
    this.#at = this.#pattern.exec(this.#text)?.index ?? Infinity;
    return this.#at;
  }
}

const tableParts: ReadonlySet<string> = new Set(['tr', 'td', 'th']);

/** Longer addresses contain a file, not its location. */
const addressMax = 8192;

/** Whether it leads anywhere: anchors and scripts belong to a page, which is gone. */
const isAddress = (address: string): boolean => !/^(?:$|#|javascript:|vbscript:)/i.test(address);

const isLinkable = (address: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(address) && !isScript(address);

/** A box of a list of things to do, as Markdown has it. */
const writeCheckbox = (attributes: ReadonlyMap<string, string>): string =>
  attributes.get('type')?.toLowerCase() !== 'checkbox' ? '' : attributes.has('checked') ? '[x] ' : '[ ] ';

function startLine(pieces: string[]): void {
  const last = pieces.at(-1);
  if (last !== undefined && !last.endsWith('\n')) pieces.push('\n');
}
