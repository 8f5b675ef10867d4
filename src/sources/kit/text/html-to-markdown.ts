import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/**
 * HTML of messages as Markdown: bold, italic, code, links, lists, quotations, paragraphs and line breaks. Other tags are
 * left out and what is in them stays, except scripts, styles and comments. Text keeps its characters: what looks like
 * Markdown in it is not escaped, as everywhere in the model.
 *
 *     htmlToMarkdown('<p>Tide is <b>in</b> at&nbsp;<a href="https://x.example">x</a></p>') // Tide is **in** at [x](https://x.example)
 *
 * Nothing is nested by recursion, and each character is read once, whatever the input: the tokenizer knows tags and entities, and
 * what is open is remembered here up to `depthMax`. Tags that were never opened or closed cost nothing but themselves.
 *
 * @param elementText For elements of a platform's own, `<emoji alt="…">`.
 */
export function htmlToMarkdown(html: string, elementText?: ElementText): string {
  const paragraph = plainParagraph.exec(html);
  if (paragraph && elementText?.('p', noAttributes, { start: 1, end: 3 }) === undefined) return paragraph[1]!;
  const walker = new Walker(html, elementText);
  const tokenizer = new Tokenizer({}, walker);
  tokenizer.write(html);
  tokenizer.end();
  return walker.markdown();
}

/** What most messages are: words in one paragraph. It needs no look at each of its letters. */
const plainParagraph = /^<p>([^<&\s]+(?: [^<&\s]+)*)<\/p>$/;
const noAttributes: ReadonlyMap<string, string> = new Map();

/**
 * What is written where an element begins, before what is in it; undefined leaves it to the rules above. `start` is where its name
 * begins in the HTML, `end` the end of its tag. Not asked inside of `pre`.
 */
export type ElementText = (
  name: string,
  attributes: ReadonlyMap<string, string>,
  place: { readonly start: number; readonly end: number },
) => string | undefined;

/** Attributes of a tag that `elementText` sees: a tag may have a million. */
const attributesMax = 30;

/** Marks of styles. They touch the text, and are closed and opened again around the end of a line. */
const styles: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  s: '~~',
  del: '~~',
  strike: '~~',
  code: '`',
};

/** Line breaks before and after: 2 make a paragraph. */
const blocks: Readonly<Record<string, 1 | 2>> = {
  ...{ div: 1, tr: 1 },
  ...{ p: 2, table: 2, h1: 2, h2: 2, h3: 2, h4: 2, h5: 2, h6: 2 },
};

/** Elements whose content is left out. */
const hidden: ReadonlySet<string> = new Set(['script', 'style', 'iframe', 'noembed', 'noframes']);

/** Elements inside elements that are remembered, as in browsers; deeper ones have no effect. */
const depthMax = 512;

/** Quotations and lists inside each other that show: each costs every line of it some characters. */
const indentMax = 16;

/** An element that is open and does something when it closes. */
interface Open {
  readonly name: string;
  /** Of a style or link. */
  readonly mark?: Mark | undefined;
}

interface Mark {
  readonly opening: string;
  readonly closing: string;
  /** Written where no text came between: the address of a link. */
  readonly instead: string;
  /** Whether the opening stands in the text, and the closing is owed. */
  isWritten: boolean;
  /** Whether it ever did. */
  wasWritten: boolean;
  /** The piece that its opening ends in, where nothing but text of its own follows it. */
  from: number;
}

/** From tags to Markdown. Positions are those in the text: it is tokenized in one piece. */
class Walker implements TokenizerCallbacks {
  readonly #html: string;
  readonly #elementText: ElementText | undefined;
  #tagStart = 0;
  /** Joined at the end only: looking at the end of a string that grows would cost its length each time. */
  readonly #pieces: string[] = [];
  readonly #open: Open[] = [];
  /** How many of each name are open. */
  readonly #openCounts = new Map<string, number>();
  /** Those of the open elements, at most one of each kind. */
  readonly #marks: Mark[] = [];
  /** Places of pieces that are links whose text is their address. */
  readonly #sameLinks = new Map<number, string>();
  #listDepth = 0;
  #quoteDepth = 0;
  /** Depth of the quotation that was written last. */
  #writtenDepth = 0;
  /** Line breaks to write before the next text: 1 for a new line, 2 for a new paragraph. */
  #breaks = 0;
  #prefix = '';
  /** The tag at hand. */
  #tag = '';
  #attribute = '';
  #value = '';
  readonly #attributes = new Map<string, string>();
  /** Behind the last thing that was understood. */
  #end = 0;

  constructor(html: string, elementText: ElementText | undefined) {
    this.#html = html;
    this.#elementText = elementText;
  }

  markdown(): string {
    for (const [at, address] of this.#sameLinks) if (this.#standsAlone(at)) this.#pieces[at] = address;
    return this.#pieces
      .join('')
      .replace(/(?<![ \t])[ \t]+$/gm, '')
      .trim();
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
    const isUseful = isWanted || this.#attribute === 'href' || this.#attribute === 'alt';
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

  /** A tag that never ends is text that somebody wrote: nothing is lost for a `<`. */
  onend(): void {
    if (this.#end < this.#html.length) this.#text(this.#html.slice(this.#end));
    while (this.#open.length > 0) this.#closeLast();
  }

  #isInside(name: string): boolean {
    return this.#open.at(-1)?.name === name;
  }

  #text(text: string): void {
    const top = this.#open.at(-1)?.name;
    if (top !== undefined && hidden.has(top)) return;
    if (top === 'pre') {
      this.#write(text, false);
      return;
    }
    const collapsed = /[\t\r\n\f]| {2}/.test(text) ? text.replace(/[ \t\r\n\f]+/g, ' ') : text;
    const shown = collapsed.startsWith(' ') && this.#isBehindSpace() ? collapsed.slice(1) : collapsed;
    if (shown !== '') this.#write(shown, true);
  }

  #isBehindSpace(): boolean {
    return this.#breaks > 0 || /^$|\s$/.test((this.#pieces.at(-1) ?? '').slice(-1));
  }

  #begin(name: string): void {
    const top = this.#open.at(-1)?.name ?? '';
    if (hidden.has(top)) return;
    if (this.#elementText && top !== 'pre') {
      const text = this.#elementText(name, this.#attributes, { start: this.#tagStart, end: this.#end });
      if (text !== undefined) {
        this.#text(text);
        return;
      }
    }
    if (this.#isInside('pre')) {
      if (name === 'br') this.#write('\n', false);
    } else if (name === 'br') this.#breaks = Math.min(this.#breaks + 1, 2);
    else if (name === 'img') this.#text(this.#attributes.get('alt') ?? '');
    else if (name === 'li') this.#beginListElement();
    else if (Object.hasOwn(blocks, name)) this.#break(blocks[name]!);
    else if (this.#open.length < depthMax) this.#beginNested(name);
  }

  #beginNested(name: string): void {
    if (hidden.has(name)) this.#push(name);
    else if (Object.hasOwn(styles, name)) this.#beginMark(name, styles[name]!, styles[name]!, '');
    else if (name === 'a') this.#beginLink();
    else if (name === 'blockquote') {
      this.#quoteDepth += 1;
      this.#break(2);
      this.#push(name);
    } else if (name === 'ul' || name === 'ol') {
      this.#break(this.#listDepth > 0 ? 1 : 2);
      this.#listDepth += 1;
      this.#push(name);
    } else if (name === 'pre') {
      this.#break(2);
      this.#write('```\n', false);
      this.#push(name);
    }
  }

  /** Closes the element and what was opened inside it. One that is not open has no effect, but for its line break. */
  #close(name: string): void {
    const isInert = this.#isInside('pre') ? name !== 'pre' : hidden.has(this.#open.at(-1)?.name ?? '');
    if (isInert && !this.#isInside(name)) return;
    if (name === 'li') this.#break(1);
    if (Object.hasOwn(blocks, name)) this.#break(blocks[name]!);
    while (this.#openCounts.get(name) && this.#closeLast() !== name);
  }

  /** @returns Its name. */
  #closeLast(): string {
    const { name, mark } = this.#open.pop()!;
    this.#openCounts.set(name, this.#openCounts.get(name)! - 1);
    if (mark) this.#endMark(mark);
    else if (name === 'blockquote') {
      this.#quoteDepth -= 1;
      this.#break(2);
    } else if (name === 'ul' || name === 'ol') {
      this.#listDepth -= 1;
      this.#break(this.#listDepth > 0 ? 1 : 2);
    } else if (name === 'pre') {
      this.#breaks = 1;
      this.#write('```', false);
      this.#breaks = 2;
    }
    return name;
  }

  #push(name: string, mark?: Mark): void {
    this.#open.push({ name, mark });
    this.#openCounts.set(name, (this.#openCounts.get(name) ?? 0) + 1);
    if (mark) this.#marks.push(mark);
  }

  #beginListElement(): void {
    this.#break(1);
    this.#prefix = `${'  '.repeat(Math.min(Math.max(0, this.#listDepth - 1), indentMax))}- `;
  }

  /** A link inside a link ends the outer one. */
  #beginLink(): void {
    this.#close('a');
    const address = this.#attributes.get('href') ?? '';
    const isUsable = /^(?:https?:|mailto:|tel:)[^\s()<>]+$/i.test(address);
    if (isUsable) this.#beginMark('a', '[', `](${address})`, address);
    else this.#push('a');
  }

  /** What is bold already does not become bolder. */
  #beginMark(name: string, opening: string, closing: string, instead: string): void {
    const isThere = this.#marks.some((mark) => mark.opening === opening);
    this.#push(name, isThere ? undefined : { opening, closing, instead, isWritten: false, wasWritten: false, from: 0 });
  }

  #endMark(mark: Mark): void {
    this.#marks.pop();
    if (mark.isWritten) this.#writeClosing(mark);
    else if (!mark.wasWritten && mark.instead !== '') this.#write(mark.instead, true);
  }

  /** Space before a closing mark comes behind it: Markdown wants the mark at the text. */
  #writeClosing(mark: Mark): void {
    mark.isWritten = false;
    if (mark.instead !== '' && this.#writeSameLink(mark)) return;
    const last = this.#pieces.at(-1)!;
    const hasSpace = last.endsWith(' ');
    if (hasSpace) this.#pieces[this.#pieces.length - 1] = last.slice(0, -1);
    this.#pieces.push(hasSpace ? `${mark.closing} ` : mark.closing);
  }

  /** A link whose text is its address becomes one piece. @returns Whether it is such a link. */
  #writeSameLink({ from, opening, closing, instead }: Mark): boolean {
    const label = this.#pieces.slice(from + 1).join('');
    if (![label, `mailto:${label}`, `tel:${label}`].includes(instead)) return false;
    this.#pieces.length = from + 1;
    this.#pieces[from] = this.#pieces[from]!.slice(0, -opening.length);
    this.#sameLinks.set(from + 1, label);
    this.#pieces.push(opening + label + closing);
    return true;
  }

  /** Whether a bare address at this piece would end where it does: nothing touches it but the end of a sentence. */
  #standsAlone(at: number): boolean {
    const before = this.#pieces.slice(0, at).findLast((piece) => piece !== '') ?? '';
    const behind = this.#pieces.slice(at + 1).find((piece) => piece !== '') ?? '';
    return /(?:^|[\s(])$/.test(before.slice(-1)) && /^[.,;:!?]*(?:\s|$)/.test(behind);
  }

  #break(count: 1 | 2): void {
    this.#breaks = Math.max(this.#breaks, count);
  }

  /** @param isStyled Whether the marks of open elements hold for it. */
  #write(text: string, isStyled: boolean): void {
    this.#writeBreaks();
    if (!isStyled) {
      this.#pieces.push(this.#prefix + text);
      this.#prefix = '';
      return;
    }
    const isSpace = text.startsWith(' ');
    if (isSpace) this.#pieces.push(' ');
    if (text === ' ') return;
    this.#pieces.push(this.#prefix + this.#openings());
    this.#prefix = '';
    this.#pieces.push(isSpace ? text.slice(1) : text);
  }

  #writeBreaks(): void {
    const depth = Math.min(this.#quoteDepth, indentMax);
    const quote = '> '.repeat(depth);
    if (this.#pieces.length === 0) this.#pieces.push(quote);
    else if (this.#breaks > 0) {
      for (const mark of this.#marks.toReversed()) if (mark.isWritten) this.#writeClosing(mark);
      const between = '> '.repeat(Math.min(depth, this.#writtenDepth));
      this.#pieces.push(`\n${between}`.repeat(this.#breaks - 1), `\n${quote}`);
    }
    this.#writtenDepth = depth;
    this.#breaks = 0;
  }

  /** Of the elements that are open and not written yet. */
  #openings(): string {
    let openings = '';
    for (const mark of this.#marks) {
      if (mark.isWritten) continue;
      mark.isWritten = true;
      mark.wasWritten = true;
      mark.from = this.#pieces.length;
      openings += mark.opening;
    }
    return openings;
  }
}
