import type { Style } from '../kit/text/markdown.ts';
import { type StyledPiece, styledText } from '../kit/text/styled-text.ts';
import { meansMarkup } from '../kit/text/typed-text.ts';
import type { Lost } from '../kit/lost.ts';
import { plain } from './format.ts';

/** Text as Markdown, and what it could not say. */
export interface ChatText {
  readonly markdown: string;
  /** Whom it mentions, by name, each once. */
  readonly mentions: readonly string[];
  readonly lost: Lost;
}

const stylesBySign: Readonly<Record<string, keyof Style>> = { '*': 'bold', _: 'italic', '~': 'strike' };
const mention = /@\u2068([^\u2066-\u2069\n]{1,256})\u2069/g;
/** Markup that the app itself shows as quotes and lists. */
const ownBlocks = /^(?:> |[-*] |\d{1,3}\. )/gm;

/**
 * WhatsApp's markup as Markdown: `*bold*`, `_italic_`, `~struck~`, `` `code` ``, ```` ```code``` ````. Quotes and lists look the same in
 * both. One pass, in time linear to the length.
 *
 * https://faq.whatsapp.com/539178204879377 (2026-11)
 */
export function chatText(typed: string): ChatText {
  const mentions = new Set<string>();
  const withNames = (_: string, name: string) => {
    mentions.add(plain(name));
    return `@${name}`;
  };
  const text = typed.includes('@\u2068') ? typed.replace(mention, withNames) : typed;
  const isAccidental = meansMarkup(text.replace(ownBlocks, ''), { isMarkup: true, isLineStart: true });
  const { markdown, stylesLost } = /[*_~`]/.test(text)
    ? styledText(cutPieces(text))
    : { markdown: text, stylesLost: 0 };
  return {
    markdown,
    mentions: [...mentions],
    lost: { styles: stylesLost || undefined, accidentalMarkup: isAccidental ? 1 : undefined },
  };
}

function cutPieces(text: string): StyledPiece[] {
  const parts = text.split('```');
  // The last fence has no partner.
  if (parts.length % 2 === 0) parts.push(`${parts.splice(-2, 1)[0]}\`\`\`${parts.pop()}`);
  return parts.flatMap((part, index) =>
    index % 2 === 1 ? [{ text: part, style: { code: true } }] : new LineMarks(part).pieces(),
  );
}

/** The styles of text without fences. A mark holds from the edge of a word to the edge of another, in one line. */
class LineMarks {
  readonly #text: string;
  readonly #pieces: StyledPiece[] = [];
  #style: Style = {};
  #from = 0;
  /** The next place where each mark can close, as far as it was looked for. */
  readonly #closes = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  pieces(): StyledPiece[] {
    for (let at = 0; at < this.#text.length; at++) {
      const mark = this.#text[at]!;
      if (mark === '\n') this.#cut(at, at, {});
      else if (mark === '`') at = this.#code(at);
      else if (Object.hasOwn(stylesBySign, mark)) this.#mark(mark, at);
    }
    this.#cut(this.#text.length, this.#text.length, {});
    return this.#pieces;
  }

  #mark(mark: string, at: number): void {
    const name = stylesBySign[mark] as 'bold' | 'italic' | 'strike';
    if (this.#style[name]) {
      if (this.#canClose(at)) this.#cut(at, at + 1, { ...this.#style, [name]: false });
      return;
    }
    if (!this.#canOpen(at)) return;
    const close = this.#closeOf(mark, at);
    const lineEnd = this.#text.indexOf('\n', at);
    if (close > at + 1 && (lineEnd === -1 || close < lineEnd)) this.#cut(at, at + 1, { ...this.#style, [name]: true });
  }

  #code(at: number): number {
    const end = this.#text.indexOf('`', at + 1);
    const words = end === -1 ? '' : this.#text.slice(at + 1, end);
    if (words.trim() === '' || words.includes('\n')) return at;
    this.#cut(at, end + 1, this.#style);
    this.#pieces.push({ text: words, style: { ...this.#style, code: true } });
    return end;
  }

  /** Ends a piece before the mark, and begins the next one after it. */
  #cut(at: number, next: number, style: Style): void {
    if (at > this.#from) this.#pieces.push({ text: this.#text.slice(this.#from, at), style: { ...this.#style } });
    this.#from = next;
    this.#style = style;
  }

  #canOpen(at: number): boolean {
    return beforeMark.test(this.#text[at - 1] ?? ' ') && isInk(this.#text[at + 1]);
  }

  #canClose(at: number): boolean {
    return isInk(this.#text[at - 1]) && behindMark.test(this.#text[at + 1] ?? ' ');
  }

  /** Finds the closing mark once for all marks before it; -1 if there is none. */
  #closeOf(mark: string, at: number): number {
    const known = this.#closes.get(mark);
    if (known !== undefined && (known === -1 || known > at + 1)) return known;
    let close = this.#text.indexOf(mark, at + 2);
    while (close !== -1 && !this.#canClose(close)) close = this.#text.indexOf(mark, close + 1);
    this.#closes.set(mark, close);
    return close;
  }
}

/** Not a backslash or a slash: `¯\_(ツ)_/¯` is no markup. */
const beforeMark = /[\s*_~([{"'“‘„«¿¡–—-]/;
const behindMark = /[\s*_~)\]}"'”’»…–—.,:;!?-]/;
const isInk = (character: string | undefined): boolean => character !== undefined && /\S/.test(character);
