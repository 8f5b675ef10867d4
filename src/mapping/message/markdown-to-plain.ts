/**
 * Converts Markdown, as sources write it, to the text that a person would read. Code keeps its words, lists their
 * bullets and quotes their `>`; a link becomes its text followed by the address. Text without markup is unchanged.
 *
 * One pass, in time linear to the length, whatever the text: it comes from strangers.
 */
export function markdownToPlain(text: string): string {
  if (!anyMark.test(text)) return text;
  let isCode = false;
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (/^\s*```[^`]*$/.test(line)) isCode = !isCode;
    else lines.push(isCode ? line : new LineReader(line.replace(/^#{1,6} +/, '')).read());
  }
  return lines.join('\n');
}

const anyMark = /[*_~`[#\\]/;
const special = /[*_~`[!\\]/g;
/** Neither part may hold what begins another link, so no character is looked at from more than two places. */
const link = /!?\[([^[\]]*)\]\(([^()\s]+)\)/y;
const wordCharacter = /[\p{L}\p{N}]/u;
const escapable = /[\\`*_{}[\]()#+.!>~|-]/;

/**
 * Reads from left to right. A mark of emphasis is written unchanged and remembered in `open`. When its partner comes,
 * both are removed; otherwise it stays ordinary text.
 */
class LineReader {
  readonly #line: string;
  readonly #pieces: string[] = [];
  /** Positions of open marks in `pieces`, at most one of each kind. The latest last. */
  #open: { readonly mark: string; readonly piece: number }[] = [];
  /** Runs of backticks, by length, of which no second one follows. */
  readonly #unclosed = new Set<number>();

  constructor(line: string) {
    this.#line = line;
  }

  read(): string {
    const line = this.#line;
    for (let at = 0; at < line.length; ) {
      special.lastIndex = at;
      const next = special.exec(line)?.index ?? line.length;
      if (next > at) this.#pieces.push(line.slice(at, next));
      at = next < line.length ? this.#readSpecial(line[next]!, next) : next;
    }
    return this.#pieces.join('');
  }

  /** @returns Where to go on. */
  #readSpecial(character: string, at: number): number {
    if (character === '\\') return this.#readEscape(at);
    if (character === '`') return this.#readCode(at);
    if (character === '[' || character === '!') return this.#readLink(at);
    return this.#readMark(character, at);
  }

  #write(piece: string, end: number): number {
    this.#pieces.push(piece);
    return end;
  }

  #readEscape(at: number): number {
    const next = this.#line[at + 1] ?? '';
    return escapable.test(next) ? this.#write(next, at + 2) : this.#write('\\', at + 1);
  }

  /** Nothing inside code is markup. */
  #readCode(at: number): number {
    let end = at;
    while (this.#line[end] === '`') end++;
    const length = end - at;
    const fence = this.#line.slice(at, end);
    const closing = this.#unclosed.has(length) ? -1 : this.#line.indexOf(fence, end);
    if (closing === -1) {
      this.#unclosed.add(length);
      return this.#write(fence, end);
    }
    return this.#write(this.#line.slice(end, closing), closing + length);
  }

  #readLink(at: number): number {
    link.lastIndex = at;
    const [whole, label, url] = link.exec(this.#line) ?? [];
    if (whole === undefined) return this.#write(this.#line[at]!, at + 1);
    return this.#write(label === '' || label === url ? url! : `${label} (${url})`, at + whole.length);
  }

  #readMark(character: string, at: number): number {
    const line = this.#line;
    const isDouble = line[at + 1] === character;
    if (character === '~' && !isDouble) return this.#write(character, at + 1);
    const mark = isDouble ? character + character : character;
    const [before, after] = [line[at - 1] ?? ' ', line[at + mark.length] ?? ' '];
    const open = this.#open.findIndex((candidate) => candidate.mark === mark);
    // A single mark inside a word is none: 2*3*4, snake_case.
    if (open !== -1 && !/\s/.test(before) && (isDouble || !wordCharacter.test(after))) {
      this.#pieces[this.#open[open]!.piece] = '';
      this.#open = this.#open.slice(0, open);
      return at + mark.length;
    }
    if (open === -1 && !/\s/.test(after) && (isDouble || !wordCharacter.test(before))) {
      this.#open.push({ mark, piece: this.#pieces.length });
    }
    return this.#write(mark, at + mark.length);
  }
}
