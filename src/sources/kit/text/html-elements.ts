import { type Handler, Parser } from 'htmlparser2';
import type { Lose } from '../lost.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

/** An element with what is in it. Names and those of attributes are in lower case, entities are characters. */
export interface HtmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (HtmlElement | string)[];
}

/** An element that was looked for. */
export interface FoundElement {
  readonly element: HtmlElement;
  /** 1-based, where its tag begins. */
  readonly line: number;
  /** `cut-off`: the file ends inside of it. `too-large`: it has more than is held, and what is beyond is left out. */
  readonly fault?: 'cut-off' | 'too-large';
}

/** Characters of one element with its tags, and levels inside of it: far more than a message has. */
const lengthMax = 16 * 2 ** 20;
const depthMax = 256;

/**
 * Reads the requested elements of a page, one after another, however large the page is; in lists, one for a chunk of
 * UTF-8. Elements inside a requested element are part of it.
 *
 * const isMessage = (name: string, { class: kind = '' }) => name === 'div' && /\bmessage\b/.test(kind); for await
 * (const found of readHtmlElements(input.open(path), isMessage)) for (const { element, line } of found) …
 * markdownIn(element)
 *
 * Pages are read as browsers read them: the only fault is an end too early. Memory: the current element.
 *
 * @throws Only errors that `chunks` throws.
 */
export async function* readHtmlElements(
  chunks: AsyncIterable<Uint8Array>,
  isWanted: (name: string, attributes: HtmlElement['attributes']) => boolean,
): AsyncGenerator<readonly FoundElement[]> {
  const collector = new Collector(isWanted);
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    const found = collector.push(decoder.decode(chunk, { stream: true }));
    if (found.length > 0) yield found;
  }
  yield [...collector.push(decoder.decode()), ...collector.end()];
}

class Collector implements Partial<Handler> {
  readonly #isWanted: Parameters<typeof readHtmlElements>[1];
  readonly #parser: Parser;
  /** The element that was looked for, and those that are open inside of it; undefined for one that is too deep. */
  readonly #open: (HtmlElement | undefined)[] = [];
  #found: FoundElement[] = [];
  /** Line of the current element. */
  #line = 1;
  #length = 0;
  /** Ends of lines that no tag has passed yet, counted from the start of the text. */
  #lineEnds: number[] = [];
  #lineEndsPassed = 0;
  #textLength = 0;

  constructor(isWanted: Parameters<typeof readHtmlElements>[1]) {
    this.#isWanted = isWanted;
    this.#parser = new Parser(this, { lowerCaseTags: true, lowerCaseAttributeNames: true, decodeEntities: true });
  }

  push(text: string): readonly FoundElement[] {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      this.#lineEnds.push(this.#textLength + at);
    }
    this.#textLength += text.length;
    this.#parser.write(text);
    return this.#taken();
  }

  /** Nothing more will come. */
  end(): readonly FoundElement[] {
    const [element] = this.#open;
    this.#open.length = 0;
    this.#parser.end();
    if (element) this.#found.push({ element, line: this.#line, fault: 'cut-off' });
    return this.#taken();
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    if (this.#open.length === 0) {
      if (!this.#isWanted(name, attributes)) return;
      this.#line = this.#lineAt(this.#parser.startIndex);
      this.#length = 0;
      this.#open.push({ name, attributes, children: [] });
      return;
    }
    const parent = this.#open.at(-1);
    const isHeld = parent !== undefined && this.#open.length < depthMax && this.#hold(this.#tagLength());
    const element = isHeld ? { name, attributes, children: [] } : undefined;
    if (element) parent!.children.push(element);
    this.#open.push(element);
  }

  onclosetag(): void {
    const element = this.#open.pop();
    if (this.#open.length > 0 || element === undefined) return;
    const found = { element, line: this.#line };
    this.#found.push(this.#length > lengthMax ? { ...found, fault: 'too-large' } : found);
  }

  ontext(text: string): void {
    const parent = this.#open.at(-1);
    if (parent === undefined || !this.#hold(text.length)) return;
    const last = parent.children.length - 1;
    const before = parent.children[last];
    if (typeof before === 'string') parent.children[last] = before + text;
    else parent.children.push(text);
  }

  /** Whether there is room for so many characters more. */
  #hold(length: number): boolean {
    this.#length += length;
    return this.#length <= lengthMax;
  }

  #tagLength(): number {
    return this.#parser.endIndex - this.#parser.startIndex;
  }

  #lineAt(index: number): number {
    const rest = this.#lineEnds.findIndex((end) => end >= index);
    const passed = rest < 0 ? this.#lineEnds.length : rest;
    this.#lineEnds = this.#lineEnds.slice(passed);
    this.#lineEndsPassed += passed;
    return this.#lineEndsPassed + 1;
  }

  #taken(): readonly FoundElement[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }
}

/** Whether it is of a class, which may be one of several. */
export const hasClass = ({ attributes: { class: all = '' } }: HtmlElement, name: string): boolean =>
  all === name || (all.includes(name) && all.split(/\s+/).includes(name));

/** The elements inside of one for which this holds, in order; none inside of those. */
export function elementsIn(element: HtmlElement, isMeant: (element: HtmlElement) => boolean): HtmlElement[] {
  const meant: HtmlElement[] = [];
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (isMeant(child)) meant.push(child);
    else meant.push(...elementsIn(child, isMeant));
  }
  return meant;
}

/** The first element inside of one that is of a class. */
export const firstOfClass = (element: HtmlElement, name: string): HtmlElement | undefined =>
  elementsIn(element, (inner) => hasClass(inner, name))[0];

/** The words in an element, with single spaces. */
export function wordsIn(element: HtmlElement | undefined): string {
  return element === undefined ? '' : textIn(element).replace(/\s+/g, ' ').trim();
}

const textIn = (element: HtmlElement): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textIn(child))).join('');

/** Returns the content of an element as Markdown, as `htmlToMarkdown` does. */
export const markdownIn = (element: HtmlElement, lose: Lose): string =>
  htmlToMarkdown(htmlIn(element), undefined, lose);

/** Attributes that matter to a reader: the target of a link, the description of a picture, the start of a list. */
const shownAttributes = ['href', 'alt', 'start', 'value', 'type', 'checked'];

function htmlIn(element: HtmlElement): string {
  return element.children
    .map((child) => {
      if (typeof child === 'string') return escaped(child);
      const { name, attributes } = child;
      const shown = shownAttributes.filter((key) => attributes[key] !== undefined);
      const open = `<${name}${shown.map((key) => ` ${key}="${escaped(attributes[key]!)}"`).join('')}>`;
      return name === 'br' || name === 'img' ? open : `${open}${htmlIn(child)}</${name}>`;
    })
    .join('');
}

const escaped = (text: string): string => text.replace(/[&<>"\u00a0]/g, (character) => `&#${character.charCodeAt(0)};`);
