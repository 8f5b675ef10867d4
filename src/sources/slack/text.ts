import { findEmoji, isCustomEmojiName } from '../kit/text/emoji.ts';
import { emojiPattern, replaceEmoji } from './emoji.ts';
import { escapeInline, escapeMarkdown, fixedSpaces, readLineBeginning, meansMarkup } from '../kit/text/typed-text.ts';
import { inlineCode } from '../kit/text/markdown.ts';
import { joined, type Token, withoutBadMarks } from '../kit/text/styled-text.ts';
import { decodeEntities, referenceInCode, resolveReference, type TextContext } from './references.ts';

/**
 * Converts Slack's markup ("mrkdwn") to Markdown.
 *
 * - `*bold*`, `_italic_`, `~struck~`, code, `&gt;` quotes, `:emoji:` and everything between `<` and `>` is converted.
 * - Entities are decoded last and once, so `&lt;b&gt;` becomes text and can never become markup.
 * - Ordinary text is not escaped with backslashes, unless `escapes` requests it. Chat clients display syntax that they
 *   do not understand. People would see an escape, while unintended markup (`2*3*4`) at worst makes a digit italic; and
 *   the text that is read back equals the text that was written.
 * - One pass, in time linear to the length, whatever the text: no backtracking, no repeated look-ahead.
 *
 * https://docs.slack.dev/messaging/formatting-message-text (2026-11)
 */
export function mrkdwnToMarkdown(text: string, context: TextContext): string {
  if (!context.escapes && meansMarkup(text, { isMarkup: true, isLineStart: true })) context.lose('accidentalMarkup');
  if (anyMarkup.test(text)) return new MrkdwnReader(text, context).read();
  return context.escapes ? escapeMarkdown(text) : text;
}

/** A `plain_text` object: entities and emoji, no other markup. */
export function plainToMarkdown(text: string, context: TextContext): string {
  const plain = decodeEntities(replaceEmoji(text, () => context.lose('emojiInText')));
  return typedText(plain, context);
}

/** Text without any markup. */
export function typedText(text: string, context: TextContext): string {
  if (context.escapes) return escapeMarkdown(text);
  if (meansMarkup(text, { isMarkup: false, isLineStart: true })) context.lose('accidentalMarkup');
  return text;
}

const anyMarkup = /[<&:*_~`]/;
const reference = /<([^<>\n]+)>/y;
const codeParts = /<([^<>\n]+)>|&(?:amp|lt|gt);/g;
const indentAt = /[ \t]*/y;
const anyMark = /[*_~`<]/;
const wordCharacter = /[\p{L}\p{N}]/u;

const markdownMarks: Readonly<Record<string, string>> = { '*': '**', _: '_', '~': '~~' };

/** Characters at which reading must stop and look. */
const isSpecial = new Uint8Array(128);
for (const character of '<&:*_~`\n') isSpecial[character.charCodeAt(0)] = 1;

/**
 * Reads from left to right. `pieces` holds the finished output; text from `done` to the current position is ordinary
 * and is copied in one slice when something special follows. An emphasis mark is first written unchanged and remembered
 * in `open`. When its partner comes on the same line, both are replaced; otherwise it stays ordinary text. At the end
 * of the line, pairs that Markdown would not recognise are taken out again.
 */
class MrkdwnReader {
  readonly #text: string;
  readonly #context: TextContext;
  readonly #pieces: Token[] = [];
  /** At most one mark of each kind, the latest last. */
  #open: { mark: string; at: number; piece: number }[] = [];
  #done = 0;
  /** `line`: the current line is quoted. `rest`: everything from here on is. */
  #quote: 'none' | 'line' | 'rest' = 'none';
  #hasMoreFences = true;
  /** The first piece of the line, and how many pairs of marks it has. */
  #lineStart = 0;
  #pairs = 0;

  constructor(text: string, context: TextContext) {
    this.#text = text;
    this.#context = context;
  }

  read(): string {
    const text = this.#text;
    let at = this.#beginLine(0);
    while (at < text.length) {
      const code = text.charCodeAt(at);
      at = code < 128 && isSpecial[code] === 1 ? this.#readSpecial(text[at]!, at) : at + 1;
    }
    this.#endLine(text.length);
    this.#copyTo(text.length);
    return joined(this.#pieces);
  }

  /** Handles the character at `at`; returns where to go on. */
  #readSpecial(character: string, at: number): number {
    switch (character) {
      case '<':
        return this.#readReference(at);
      case '&':
        return this.#readEntity(at);
      case ':':
        return this.#readEmoji(at);
      case '`':
        return this.#readCode(at);
      case '\n':
        return this.#readLineEnd(at);
      default:
        return this.#readMark(character, at);
    }
  }

  #typed(text: string): string {
    return this.#context.escapes ? escapeInline(text) : text;
  }

  #copyTo(end: number): void {
    if (end > this.#done) this.#pieces.push({ text: this.#typed(this.#text.slice(this.#done, end)) });
    this.#done = end;
  }

  /** Puts a piece in the place of the text from `from` to `to`. */
  #replace(from: number, to: number, text: string, code?: string): number {
    this.#copyTo(from);
    this.#pieces.push(code === undefined ? { text } : { text, code });
    this.#done = to;
    return to;
  }

  #readReference(at: number): number {
    reference.lastIndex = at;
    const found = reference.exec(this.#text);
    const markdown = found?.[1] && resolveReference(found[1], this.#context);
    if (markdown === undefined) return at + 1;
    // A link behind an exclamation mark would be a picture.
    const isPicture = markdown.startsWith('[') && at > this.#done && this.#text[at - 1] === '!';
    if (isPicture) return this.#replace(at - 1, reference.lastIndex, `\\!${markdown}`);
    const isName = /^[@#!]/.test(found![1]!) && !markdown.includes('](');
    return this.#replace(at, reference.lastIndex, isName ? this.#typed(markdown) : markdown);
  }

  #readEntity(at: number): number {
    const third = this.#text[at + 3];
    const end = third === ';' ? at + 4 : third === 'p' ? at + 5 : at;
    const entity = this.#text.slice(at, end);
    const character = decodeEntities(entity);
    return character === entity ? at + 1 : this.#replace(at, end, this.#context.escapes ? `\\${character}` : character);
  }

  #readEmoji(at: number): number {
    emojiPattern.lastIndex = at;
    const found = emojiPattern.exec(this.#text);
    const emoji = found?.[1] && findEmoji(found[1], found[2]);
    if (emoji === undefined && found !== null && isCustomEmojiName(found[1]!)) this.#context.lose('emojiInText');
    return emoji === undefined ? at + 1 : this.#replace(at, emojiPattern.lastIndex, emoji);
  }

  #readCode(at: number): number {
    if (this.#text.startsWith('```', at)) return this.#readFence(at);
    const end = this.#text.indexOf('`', at + 1);
    if (end <= at + 1 || this.#text.slice(at, end).includes('\n')) return at + 1;
    const code = this.#plainCode(this.#text.slice(at + 1, end));
    return this.#replace(at, end + 1, `\`${code}\``, code);
  }

  /** Slack lets code begin and end in the middle of a line; Markdown wants each fence of a longer block on its own. */
  #readFence(at: number): number {
    const end = this.#hasMoreFences ? this.#text.indexOf('```', at + 3) : -1;
    this.#hasMoreFences = end >= 0;
    if (end <= at + 3) return at + 3;
    const code = this.#plainCode(this.#text.slice(at + 3, end));
    if (!code.includes('\n')) {
      const isApart = !code.startsWith('`') && !code.endsWith('`');
      return this.#replace(at, end + 3, isApart ? `\`\`\`${code}\`\`\`` : inlineCode(code), code);
    }
    this.#open = [];
    const newline = this.#quote === 'rest' ? '\n> ' : '\n';
    const before = at === 0 || this.#text[at - 1] === '\n' ? '' : newline;
    const after = end + 3 === this.#text.length || this.#text[end + 3] === '\n' ? '' : newline;
    const lines = code.replace(/^\n|\n$/g, '').replaceAll('\n', newline);
    return this.#replace(at, end + 3, `${before}\`\`\`${newline}${lines}${newline}\`\`\`${after}`);
  }

  /** In code nothing is markup, but addresses and names are still in angle brackets, and entities are still escaped. */
  #plainCode(code: string): string {
    return code.replace(codeParts, (part, inner?: string) =>
      inner === undefined ? decodeEntities(part) : referenceInCode(inner, this.#context),
    );
  }

  #readLineEnd(at: number): number {
    this.#endLine(at);
    return this.#beginLine(at + 1);
  }

  #endLine(at: number): void {
    this.#open = [];
    if (this.#pairs > 0) {
      this.#copyTo(at);
      const lost = withoutBadMarks(this.#pieces.slice(this.#lineStart));
      for (let pair = 0; pair < lost; pair++) this.#context.lose('styles');
    }
    this.#lineStart = this.#pieces.length;
    this.#pairs = 0;
  }

  /** A quote ends with its line. Markdown would carry it on into the next one, so a blank line goes between. */
  #beginLine(at: number): number {
    if (this.#quote === 'rest') return this.#beginWords(this.#replace(at, at, '> '));
    const wasQuoted = this.#quote === 'line';
    const marker = quoteMarker(this.#text, at);
    this.#quote = marker === 12 ? 'rest' : marker === 4 ? 'line' : 'none';
    if (marker > 0)
      return this.#beginWords(this.#replace(at, at + marker + (this.#text[at + marker] === ' ' ? 1 : 0), '> '));
    const needsBlankLine = wasQuoted && at < this.#text.length && this.#text[at] !== '\n';
    return this.#beginWords(needsBlankLine ? this.#replace(at, at, '\n') : at);
  }

  /** Handles text that people typed at the start of a line. */
  #beginWords(at: number): number {
    if (!this.#context.escapes) return this.#beginMarked(at);
    const { length, markdown } = readLineBeginning(this.#text, at);
    return length === 0 ? at : this.#replace(at, at + length, markdown);
  }

  /** An indent that would make code of a line, and show the marks in it. */
  #beginMarked(at: number): number {
    const code = this.#text.charCodeAt(at);
    if (code !== 32 && code !== 9) return at;
    indentAt.lastIndex = at;
    const indent = indentAt.exec(this.#text)![0];
    if (indent.length < 4 && !indent.includes('\t')) return at;
    const end = this.#text.indexOf('\n', at);
    const words = this.#text.slice(at + indent.length, end === -1 ? undefined : end);
    return anyMark.test(words) ? this.#replace(at, at + indent.length, fixedSpaces(indent)) : at;
  }

  #readMark(mark: string, at: number): number {
    const before = this.#text[at - 1] ?? '';
    const after = this.#text[at + 1] ?? '';
    if (before === mark || after === mark) return at + 1;
    const index = this.#open.findIndex((open) => open.mark === mark);
    const partner = this.#open[index];
    if (partner && at > partner.at + 1 && !isSpace(before) && !wordCharacter.test(after)) {
      this.#open.length = index;
      return this.#close(mark, at, partner.piece);
    }
    if (wordCharacter.test(before) || isSpace(after)) return at + 1;
    if (partner) this.#open.splice(index, 1);
    this.#replace(at, at + 1, this.#typed(mark));
    this.#open.push({ mark, at, piece: this.#pieces.length - 1 });
    return at + 1;
  }

  #close(mark: string, at: number, opening: number): number {
    this.#copyTo(at);
    const text = markdownMarks[mark]!;
    const pair = ++this.#pairs;
    this.#pieces[opening] = { text, pair, isOpening: true };
    this.#pieces.push({ text, pair, isOpening: false });
    this.#done = at + 1;
    return at + 1;
  }
}

/** Length of the quote marker at the beginning of a line, or 0. */
const quoteMarker = (text: string, at: number): 0 | 4 | 12 =>
  text.startsWith('&gt;&gt;&gt;', at) ? 12 : text.startsWith('&gt;', at) ? 4 : 0;

const isSpace = (character: string) => character === '' || /\s/.test(character);
