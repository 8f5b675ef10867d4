/**
 * HTML of messages as Markdown: bold, italic, code, links, lists, quotations, paragraphs and line breaks. Other tags are
 * left out and what is in them stays, except scripts, styles and comments. Text keeps its characters: what looks like
 * Markdown in it is not escaped, as everywhere in the model.
 *
 * Reads each character once, whatever the input.
 */
export function htmlToMarkdown(html: string): string {
  const writer = new MarkdownWriter();
  let at = 0;
  for (const { 0: tag, index } of html.matchAll(tagPattern)) {
    writer.text(decodeEntities(html.slice(at, index)));
    at = index + tag.length;
    if (!tag.startsWith('<!')) writer.tag(tag);
  }
  writer.text(decodeEntities(html.slice(at)));
  return writer.end();
}

/**
 * A comment (one that does not end reaches to the end), or a tag; `<` before anything else is text. No tag reaches over
 * another `<`, also not in quotes: looking for its end then costs each character once. The count of parts is bounded,
 * because an endless tag would fill the memory of the regular expression.
 */
const tagPattern = /<!--.*?(?:-->|$)|<![^<>]*>|<\/?[a-z](?:[^<>"']|"[^"<]*"|'[^'<]*'){0,5000}>/gis;

const marks: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  s: '~~',
  del: '~~',
  strike: '~~',
  code: '`',
};

const blocks: ReadonlySet<string> = new Set([
  'p',
  'div',
  'ul',
  'ol',
  'tr',
  'table',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
]);

class MarkdownWriter {
  /** Joined at the end only: looking at the end of a string that grows would cost its length each time. */
  readonly #pieces: string[] = [];
  #listDepth = 0;
  #quoteDepth = 0;
  /** Depth of the quotation that was written last. */
  #writtenDepth = 0;
  #isPreformatted = false;
  /** Name of the element whose content is left out. */
  #hidden: string | undefined;
  readonly #links: (string | undefined)[] = [];
  /** Line breaks to write before the next text: 1 for a new line, 2 for a new paragraph. */
  #breaks = 0;
  #prefix = '';

  text(text: string): void {
    if (this.#hidden !== undefined) return;
    if (this.#isPreformatted) {
      this.#write(text);
      return;
    }
    const collapsed = text.replace(/[ \t\r\n\f]+/g, ' ');
    const isAtStart = this.#breaks > 0 || /^$|\s$/.test(this.#pieces.at(-1) ?? '');
    const shown = isAtStart ? collapsed.replace(/^ /, '') : collapsed;
    if (shown !== '') this.#write(shown);
  }

  tag(tag: string): void {
    const isEnd = tag.startsWith('</');
    const name = /[a-zA-Z][a-zA-Z0-9]*/.exec(tag)![0].toLowerCase();
    if (this.#hidden !== undefined) {
      if (isEnd && name === this.#hidden) this.#hidden = undefined;
    } else if (name === 'script' || name === 'style') {
      if (!isEnd) this.#hidden = name;
    } else if (name === 'pre') this.#fence(isEnd);
    else if (!this.#isPreformatted) this.#element(name, tag, isEnd);
    else if (name === 'br') this.#write('\n');
  }

  end(): string {
    while (this.#links.length > 0) this.#endLink();
    return this.#pieces
      .join('')
      .replace(/(?<![ \t])[ \t]+$/gm, '')
      .trim();
  }

  #element(name: string, tag: string, isEnd: boolean): void {
    const mark = marks[name];
    if (mark !== undefined && Object.hasOwn(marks, name)) this.#write(mark);
    else if (name === 'br') this.#breaks = Math.min(this.#breaks + 1, 2);
    else if (name === 'a') this.#link(tag, isEnd);
    else if (name === 'blockquote') this.#quote(isEnd);
    else if (name === 'li') this.#listElement(isEnd);
    else if (blocks.has(name)) this.#block(name, isEnd);
    else if (name === 'img') this.text(decodeEntities(attributeOf(tag, 'alt') ?? ''));
  }

  #write(text: string): void {
    const quote = '> '.repeat(this.#quoteDepth);
    if (this.#pieces.length === 0) this.#pieces.push(quote);
    else if (this.#breaks > 0) {
      const between = '> '.repeat(Math.min(this.#quoteDepth, this.#writtenDepth));
      this.#pieces.push(`\n${between}`.repeat(this.#breaks - 1), `\n${quote}`);
    }
    this.#writtenDepth = this.#quoteDepth;
    this.#pieces.push(this.#prefix + text);
    this.#breaks = 0;
    this.#prefix = '';
  }

  #block(name: string, isEnd: boolean): void {
    const isList = name === 'ul' || name === 'ol';
    const depthBefore = this.#listDepth;
    if (isList) this.#listDepth = Math.max(0, depthBefore + (isEnd ? -1 : 1));
    const isInsideList = isList && Math.min(depthBefore, this.#listDepth) > 0;
    this.#breaks = Math.max(this.#breaks, isInsideList || name === 'tr' || name === 'div' ? 1 : 2);
  }

  #listElement(isEnd: boolean): void {
    this.#breaks = Math.max(this.#breaks, 1);
    if (!isEnd) this.#prefix = `${'  '.repeat(Math.max(0, this.#listDepth - 1))}- `;
  }

  #quote(isEnd: boolean): void {
    this.#breaks = 2;
    this.#quoteDepth = Math.max(0, this.#quoteDepth + (isEnd ? -1 : 1));
  }

  #fence(isEnd: boolean): void {
    if (isEnd === !this.#isPreformatted) return;
    this.#breaks = isEnd ? 1 : 2;
    this.#write(isEnd ? '```' : '```\n');
    this.#breaks = isEnd ? 2 : 0;
    this.#isPreformatted = !isEnd;
  }

  #link(tag: string, isEnd: boolean): void {
    if (isEnd) {
      this.#endLink();
      return;
    }
    const address = decodeEntities(attributeOf(tag, 'href') ?? '');
    const isUsable = /^(?:https?:|mailto:|tel:)[^\s()<>]+$/i.test(address);
    this.#links.push(isUsable ? address : undefined);
    if (isUsable) this.#write('[');
  }

  #endLink(): void {
    const address = this.#links.pop();
    if (address !== undefined) this.#write(`](${address})`);
  }
}

function attributeOf(tag: string, name: string): string | undefined {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['hellip', '…'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['laquo', '«'],
  ['raquo', '»'],
  ['bull', '•'],
  ['middot', '·'],
  ['euro', '€'],
  ['pound', '£'],
  ['copy', '©'],
  ['reg', '®'],
  ['trade', '™'],
  ['deg', '°'],
  ['times', '×'],
  ['szlig', 'ß'],
  ...accented(),
]);

/** `&auml;`, `&Eacute;` and the like, put together from letter and accent. */
function accented(): [string, string][] {
  const accents = {
    acute: '\u0301',
    grave: '\u0300',
    circ: '\u0302',
    uml: '\u0308',
    tilde: '\u0303',
    cedil: '\u0327',
    ring: '\u030a',
  };
  return Object.entries(accents).flatMap(([accent, mark]) =>
    [...'aeiouyncAEIOUYNC'].map((letter): [string, string] => [`${letter}${accent}`, (letter + mark).normalize('NFC')]),
  );
}

/** What is no entity that we know stays as it is written. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,10}));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return entities.get(name) ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : entity;
  });
}
