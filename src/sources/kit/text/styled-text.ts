import { escapeInline, escapeLine, fixedSpaces } from './typed-text.ts';
import { inlineCode, type Style } from './markdown.ts';

/**
 * Returns pieces of styled text as Markdown in which no mark is visible: every CommonMark reader interprets each of
 * them as a mark.
 *
 * - A run of neighbours that share a style has one outer mark: `` **`chkDots()`'s** ``, and pieces of one style share
 *   theirs.
 * - Marks touch the text, and each line has its own.
 * - A mark counts only where CommonMark allows it: not inside a word when the text inside ends in punctuation, nor next
 *   to another of its kind. A style that cannot be set there is left out.
 * - Characters that people typed inside of a style, and that would end or begin it, get a backslash. Nothing else does,
 *   unless `escapes` requests it.
 *
 * https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis (2026-11)
 */
export function styledText(
  pieces: readonly StyledPiece[],
  escapes = false,
): { readonly markdown: string; readonly stylesLost: number } {
  if (!escapes && pieces.every(({ style }) => !isSet(style))) {
    return { markdown: pieces.reduce((markdown, { text }) => withLink(markdown, text), ''), stylesLost: 0 };
  }
  let stylesLost = 0;
  const lines = splitLines(pieces).map((line) => {
    const tokens = makeTokens(escapes ? escapedLine(line) : line);
    stylesLost += withoutBadMarks(tokens);
    // A number and its dot may have been two pieces.
    const markdown = escapes
      ? joined(tokens).replace(/^([ \u00a0]*\d{1,9})(?=[.)](?:[ \t]|$))/, '$1\\')
      : joined(tokens);
    const isMarked = tokens.some(({ pair, code }) => pair !== undefined || code !== undefined);
    return isMarked ? markdown.replace(/^ *(?: {4}|\t)[ \t]*/, fixedSpaces) : markdown;
  });
  return { markdown: lines.join('\n'), stylesLost };
}

export interface StyledPiece {
  readonly text: string;
  readonly style: Style;
  /** It is Markdown already, such as a link: taken as it is. */
  readonly isMarkdown?: boolean;
}

const isSet = ({ bold, italic, strike, code }: Style) => !!(bold || italic || strike || code);

type Mark = '**' | '_' | '~~';
const marks: readonly (readonly [keyof Style, Mark])[] = [
  ['bold', '**'],
  ['italic', '_'],
  ['strike', '~~'],
];

const noMarks: readonly Mark[] = [];

/** A piece of one line. */
interface Segment {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly isCode: boolean;
  readonly isMarkdown: boolean;
}

function splitLines(pieces: readonly StyledPiece[]): Segment[][] {
  const lines: Segment[][] = [[]];
  for (const { text, style, isMarkdown = false } of pieces) {
    const own = isSet(style) ? marks.filter(([name]) => style[name]).map(([, mark]) => mark) : noMarks;
    for (const [index, words] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (words !== '')
        addSegment(lines.at(-1)!, { text: words, marks: own, isCode: !!style.code && words.trim() !== '', isMarkdown });
    }
  }
  return lines;
}

/** Neighbours of one style are one: backticks of code would run together. */
function addSegment(line: Segment[], segment: Segment): void {
  const last = line.at(-1);
  const isOne =
    last?.isCode === segment.isCode &&
    !last.isMarkdown &&
    !segment.isMarkdown &&
    last.marks.join() === segment.marks.join();
  if (isOne) line[line.length - 1] = { ...last, text: last.text + segment.text };
  else line.push(segment);
}

function escapedLine(line: readonly Segment[]): Segment[] {
  const first = line.findIndex(({ text }) => text.trim() !== '');
  return line.map((segment, index) => {
    if (segment.isCode || segment.isMarkdown) return segment;
    return {
      ...segment,
      text: index <= first ? escapeLine(segment.text) : escapeInline(segment.text),
      isMarkdown: true,
    };
  });
}

/** Text, or a mark with the number of its pair. */
export interface Token {
  text: string;
  readonly pair?: number;
  readonly isOpening?: boolean;
  /** For code: the words between its backticks. */
  readonly code?: string;
}

/** The line with all its marks, each pair around the longest run that shares it. */
function makeTokens(line: readonly Segment[]): Token[] {
  const hasCode = line.some(({ isCode }) => isCode);
  let pairs = 0;
  const write = (segments: readonly Segment[], open: readonly Mark[]): Token[] => {
    const tokens: Token[] = [];
    for (let at = 0; at < segments.length; ) {
      const { mark, end } = longestRun(segments, at, open);
      if (mark === undefined) {
        tokens.push(segmentToken(segments[at]!, open, hasCode));
        at += 1;
        continue;
      }
      const pair = ++pairs;
      const inner = write(segments.slice(at, end), [...open, mark]);
      tokens.push(...aroundWords(inner, { text: mark, pair, isOpening: true }, { text: mark, pair, isOpening: false }));
      at = end;
    }
    return tokens;
  };
  return write(line, []);
}

/** The mark of the segment that reaches furthest, and where it ends. */
function longestRun(segments: readonly Segment[], at: number, open: readonly Mark[]) {
  let mark: Mark | undefined;
  let end = at;
  for (const candidate of segments[at]!.marks) {
    if (open.includes(candidate)) continue;
    let until = at + 1;
    while (segments[until]?.marks.includes(candidate)) until += 1;
    if (until > end) [mark, end] = [candidate, until];
  }
  return { mark, end };
}

function segmentToken({ text, isCode, isMarkdown }: Segment, open: readonly Mark[], hasCode: boolean): Token {
  if (isCode) return { text: text.replace(/\S(?:.*\S)?/, inlineCode), code: text.trim() };
  if (isMarkdown || (open.length === 0 && !hasCode)) return { text };
  const escaped = text.replace(/[*_~`]/g, (character, at: number) =>
    wouldCount(character, text[at - 1], text[at + 1], open, hasCode) ? `\\${character}` : character,
  );
  return { text: escaped };
}

function wouldCount(
  character: string,
  before: string | undefined,
  after: string | undefined,
  open: readonly Mark[],
  hasCode: boolean,
): boolean {
  if (character === '`') return hasCode || open.length > 0;
  if (!open.some((mark) => mark[0] === character)) return false;
  return character !== '_' || !isWord(before) || !isWord(after);
}

const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** The tokens with the pair around their words; spaces at the ends stay outside. Nothing but spaces gets no marks. */
function aroundWords(tokens: readonly Token[], opening: Token, closing: Token): Token[] {
  const first = tokens.findIndex(({ text }) => text.trim() !== '');
  if (first < 0) return [...tokens];
  const last = tokens.findLastIndex(({ text }) => text.trim() !== '');
  const from = tokens[first]!;
  const start = from.text.trimStart();
  const lead = from.text.slice(0, from.text.length - start.length);
  const body: Token[] = [{ ...from, text: start }, ...tokens.slice(first + 1, last + 1)];
  const to = body.at(-1)!;
  const end = to.text.trimEnd();
  const tail = to.text.slice(end.length);
  body[body.length - 1] = { ...to, text: end };
  return [
    ...tokens.slice(0, first),
    { text: lead },
    opening,
    ...body,
    closing,
    { text: tail },
    ...tokens.slice(last + 1),
  ];
}

/** A link behind an exclamation mark would be a picture. */
const withLink = (markdown: string, text: string): string =>
  text.startsWith('[') && markdown.endsWith('!') ? `${markdown.slice(0, -1)}\\!${text}` : markdown + text;

/** Returns the text of a line. Two pieces of code without a mark between them are joined; otherwise their backticks would run together. */
export function joined(tokens: readonly Token[]): string {
  let markdown = '';
  let last: { readonly words: string; readonly length: number } | undefined;
  for (const { text, code } of tokens) {
    if (text === '') continue;
    if (last !== undefined && code !== undefined && markdown.endsWith('`') && text.startsWith('`')) {
      const words = last.words + code;
      const both = inlineCode(words);
      markdown = markdown.slice(0, -last.length) + both + text.slice(text.trimEnd().length);
      last = { words, length: both.length };
      continue;
    }
    markdown = withLink(markdown, text);
    last = code === undefined ? undefined : { words: code, length: text.trim().length };
  }
  return markdown;
}

/** Passes over a line: each takes away what the one before made bad. After them all marks go. */
const passesMax = 4;

/** Empties the marks that would show. @returns how many pairs those were. */
export function withoutBadMarks(tokens: Token[]): number {
  let lost = 0;
  for (let pass = 0; pass <= passesMax; pass++) {
    const bad = badPairs(tokens, pass === passesMax);
    if (bad.size === 0) return lost;
    lost += bad.size;
    for (const token of tokens) if (token.pair !== undefined && bad.has(token.pair)) token.text = '';
  }
  return lost;
}

function badPairs(tokens: readonly Token[], areAll: boolean): ReadonlySet<number> {
  const bad = new Set<number>();
  const shown = tokens.filter(({ text }) => text !== '');
  for (const [index, { text, pair, isOpening }] of shown.entries()) {
    if (pair === undefined) continue;
    const before = lastCharacter(shown[index - 1]?.text);
    const after = firstCharacter(shown[index + 1]?.text);
    const [outside, inside] = isOpening ? [before, after] : [after, before];
    if (areAll || !isFlanking(text, outside, inside) || before === '\\') bad.add(pair);
  }
  return bad;
}

const firstCharacter = (text = '') => (text === '' ? '' : String.fromCodePoint(text.codePointAt(0)!));
const lastCharacter = (text = '') => [...text.slice(-2)].at(-1) ?? '';

/** Whether a mark counts between these characters: the one outside of the style, and the one inside. */
function isFlanking(mark: string, outside: string, inside: string): boolean {
  if (inside === '' || isSpace(inside) || inside === mark[0] || outside === mark[0]) return false;
  const isApart = outside === '' || isSpace(outside) || isOldPunctuation(outside);
  return isApart || (mark !== '_' && !isPunctuation(inside));
}

const isSpace = (character: string) => /\s/.test(character);
const isPunctuation = (character: string) => /[\p{P}\p{S}]/u.test(character);
/** Symbols beyond ASCII count since CommonMark 0.31 only. */
const isOldPunctuation = (character: string) => /[\p{P}$+<=>^`|~]/u.test(character);
