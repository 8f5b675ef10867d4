import { encodeForLink, inlineCode } from './markdown.ts';

/** Quotations and lists inside each other that show: each costs every line of it some characters. */
const indentMax = 16;

/** A style or link that is open: what is written before the text in it, and behind. */
export class Mark {
  readonly opening: string;
  readonly closing: string;
  /** Address of a link, as the HTML has it. */
  readonly address: string | undefined;
  /** Whether the opening is in the text, and the closing is owed. */
  isWritten = false;
  /** Whether it ever was. */
  wasWritten = false;
  /** The piece that its opening ends in, when nothing but text of its own follows it. */
  from = 0;

  constructor(opening: string, closing: string, address?: string) {
    this.opening = opening;
    this.closing = closing;
    this.address = address;
  }
}

/** A list that is open. */
interface List {
  /** Number of the next item; undefined for bullets. */
  next: number | undefined;
  /** Columns before the marker of its items. */
  readonly indent: number;
  /** Columns before the text of the item at hand. */
  contentIndent: number;
}

/** Markdown while it is written: line breaks are owed until text follows, and marks touch the text and end with its line. */
export class MarkdownOutput {
  /** Joined at the end only: looking at the end of a string that grows would cost its length each time. */
  readonly #pieces: string[] = [];
  /** Those of the open elements, at most one of each kind. */
  readonly #marks: Mark[] = [];
  /** Indexes of pieces that are links whose text is their address. */
  readonly #sameLinks = new Map<number, string>();
  readonly #lists: List[] = [];
  #quoteDepth = 0;
  /** Depth of the quotation that was written last. */
  #writtenDepth = 0;
  /** Line breaks to write before the next text: 1 for a new line, 2 for a new paragraph. */
  #breaks = 0;
  #prefix = '';

  markdown(): string {
    for (const [at, address] of this.#sameLinks) if (this.#standsAlone(at)) this.#pieces[at] = address;
    return this.#pieces
      .join('')
      .replace(/(?<![ \t])[ \t]+$/gm, '')
      .trim();
  }

  get isInCode(): boolean {
    return this.#marks.some(({ opening }) => opening === '`');
  }

  break(count: 1 | 2): void {
    this.#breaks = Math.max(this.#breaks, count);
  }

  /** `<br>`: two of them make a paragraph. */
  lineBreak(): void {
    this.#breaks = Math.min(this.#breaks + 1, 2);
  }

  /** Words, in which white space is one space. */
  text(text: string): void {
    const collapsed = /[\t\r\n\f]| {2}/.test(text) ? text.replace(/[ \t\r\n\f]+/g, ' ') : text;
    const shown = collapsed.startsWith(' ') && this.#isBehindSpace() ? collapsed.slice(1) : collapsed;
    if (shown !== '') this.#write(shown);
  }

  /** Lines that stay as they are: code, a table. */
  block(lines: string): void {
    this.break(2);
    this.#writeBreaks();
    const quote = '> '.repeat(Math.min(this.#quoteDepth, indentMax));
    const indent = ' '.repeat(this.#lists.at(-1)?.contentIndent ?? 0);
    this.#pieces.push((this.#prefix || indent) + lines.replaceAll('\n', `\n${quote}${indent}`));
    this.#prefix = '';
    this.break(2);
  }

  beginQuote(): void {
    this.#quoteDepth += 1;
    this.break(2);
  }

  endQuote(): void {
    this.#quoteDepth -= 1;
    this.break(2);
  }

  /** @param start Number of the first item; undefined for bullets. */
  beginList(start: number | undefined): void {
    const parent = this.#lists.at(-1);
    this.break(parent ? 1 : 2);
    const indent = parent && this.#lists.length < indentMax ? parent.contentIndent : (parent?.indent ?? 0);
    this.#lists.push({ next: start, indent, contentIndent: indent + 2 });
  }

  endList(): void {
    this.#lists.pop();
    this.break(this.#lists.length > 0 ? 1 : 2);
  }

  /** @param value The number that the item itself says. */
  beginItem(value: number | undefined): void {
    this.break(1);
    const list = this.#lists.at(-1) ?? { next: undefined, indent: 0, contentIndent: 0 };
    const number = list.next === undefined ? undefined : (value ?? list.next);
    if (number !== undefined) list.next = number + 1;
    const marker = number === undefined ? '- ' : `${number}. `;
    list.contentIndent = list.indent + marker.length;
    this.#prefix = ' '.repeat(list.indent) + marker;
  }

  /**
   * Begins a style or link. Bold inside bold has no effect, and code has no styles.
   *
   * @returns Whether it did.
   */
  beginMark(mark: Mark): boolean {
    if (mark.address === undefined && this.isInCode) return false;
    if (this.#marks.some(({ opening }) => opening === mark.opening)) return false;
    this.#marks.push(mark);
    return true;
  }

  /** Ends the one that began last. */
  endMark(mark: Mark): void {
    this.#marks.pop();
    if (mark.isWritten) this.#writeClosing(mark);
    else if (!mark.wasWritten && mark.address !== undefined) this.#write(encodeForLink(mark.address));
  }

  #isBehindSpace(): boolean {
    return this.#breaks > 0 || /^$|\s$/.test((this.#pieces.at(-1) ?? '').slice(-1));
  }

  /** Space before a closing mark comes behind it: Markdown wants the mark at the text. */
  #writeClosing(mark: Mark): void {
    mark.isWritten = false;
    if (mark.address !== undefined && this.#writeSameLink(mark, mark.address)) return;
    if (mark.opening === '`') this.#lengthenFence(mark);
    else if (mark.opening === '[') this.#escapeLabel(mark);
    const last = this.#pieces.at(-1)!;
    const hasSpace = last.endsWith(' ');
    if (hasSpace) this.#pieces[this.#pieces.length - 1] = last.slice(0, -1);
    this.#pieces.push(hasSpace && mark.closing !== '' ? `${mark.closing} ` : mark.closing);
  }

  /** A link whose text is its address becomes one piece. @returns Whether it is such a link. */
  #writeSameLink({ from, opening, closing }: Mark, address: string): boolean {
    const label = this.#pieces.slice(from + 1).join('');
    if (![label, `mailto:${label}`, `tel:${label}`].includes(address)) return false;
    if (opening === '') return true;
    if (!isBareAddress(label)) return false;
    this.#pieces.length = from + 1;
    this.#pieces[from] = this.#pieces[from]!.slice(0, -opening.length);
    this.#sameLinks.set(from + 1, label);
    this.#pieces.push(opening + label + closing);
    return true;
  }

  /** Backticks in code need a longer fence around it. */
  #lengthenFence({ from }: Mark): void {
    const words = this.#pieces.slice(from + 1).join('');
    if (!words.includes('`') || !this.#pieces[from]!.endsWith('`')) return;
    const code = inlineCode(words);
    this.#pieces[from] = this.#pieces[from]!.slice(0, -1);
    this.#pieces.splice(from + 1, Infinity, code.slice(0, -1));
  }

  /** Brackets that have no partner would end the label. */
  #escapeLabel({ from }: Mark): void {
    const label = this.#pieces.slice(from + 1).join('');
    if (/[[\]]/.test(label) && !areBalanced(label, '[', ']'))
      this.#pieces.splice(from + 1, Infinity, label.replace(/[[\]]/g, '\\$&'));
  }

  /** Whether a bare address at this piece would end where it does: nothing touches it but the end of a sentence. */
  #standsAlone(at: number): boolean {
    let [left, right] = [at - 1, at + 1];
    while (this.#pieces[left] === '') left -= 1;
    while (this.#pieces[right] === '') right += 1;
    const before = this.#pieces[left] ?? '';
    const behind = this.#pieces[right] ?? '';
    return /(?:^|[\s(])$/.test(before.slice(-1)) && /^[.,;:!?]*(?:\s|$)/.test(behind);
  }

  #write(text: string): void {
    this.#writeBreaks();
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

  /** Openings of the marks that are open and not written yet. */
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

/** Whether an address can be written without a label: clients end it at spaces, and at a bracket that nothing opened. */
const isBareAddress = (address: string): boolean => !/[\s<>]/.test(address) && areBalanced(address, '(', ')');

function areBalanced(text: string, opening: string, closing: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === opening) depth += 1;
    else if (character === closing && --depth < 0) return false;
  }
  return depth === 0;
}
