/**
 * Text as people typed it, if Markdown would interpret some of it as markup: indents, dashes, `#`, `1.`, a pair of
 * stars.
 *
 * Sources send it as typed, because most chats display syntax that they do not understand. `meansMarkup` returns
 * whether that changes how it looks, and `escapeMarkdown` adds backslashes instead.
 */

/** Characters that begin a block at the start of a line. */
const lineStart =
  /(?: {4}| {0,3}\t| {0,3}(?:>|#{1,6}(?![^\s])|[-+*][ \t]|\d{1,9}[.)](?![^\s])|(?:=+[ \t]*|-[- \t]*|\*[* \t]*|_[ \t]*_[ \t]*_[_ \t]*)(?:\n|$)))/y;

/** Marks in a line of any text, and what each of them has: looking for that first is quicker by far. */
const inline: readonly (readonly [has: string, mark: RegExp])[] = [
  ['**', /\*\*[^*\s][^*\n]*\*\*/],
  ['__', /__[^_\s][^_\n]*__/],
  ['~~', /~~[^~\s][^~\n]*~~/],
  ['*', /(?<=[\p{L}\p{N}])\*[^*\s][^*\n]*\*/u],
  ['](', /\]\([^)\s]/],
  ['\\', /\\[!-/:-@[-`{-~]/],
];

/** Marks that Slack's own markup takes for its own, and here were not: with brackets and entities as they are. */
const literal =
  /(?<![\p{L}\p{N}_*])[*_][^\s*_][^\n*_]*[*_]|`[^`\n]+`|<\/?[A-Za-z][^\n<>]*>|&(?:#\d|#x|[A-Za-z]{2,31};)/u;

/** The same in Slack's escaping. */
const escaped = /&lt;\/?[A-Za-z][^\n&]{0,200}&gt;|&amp;(?:#\d|#x|[A-Za-z]{2,31};)/;

const anyLiteral = /[*_`<&]/;

/**
 * Whether Markdown shows the text otherwise than it was typed.
 *
 * @param isMarkup It has markup of its own, whose single marks and entities are none of people's.
 */
export function meansMarkup(
  text: string,
  { isMarkup, isLineStart }: { isMarkup: boolean; isLineStart: boolean },
): boolean {
  if (isLineStart && beginsBlock(text, 0)) return true;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    if (beginsBlock(text, at + 1)) return true;
  for (const [has, mark] of inline) if (text.includes(has) && mark.test(text)) return true;
  return isMarkup ? text.includes('&') && escaped.test(text) : anyLiteral.test(text) && literal.test(text);
}

/** For `lost.accidentalMarkup` of a text without any markup. */
export const countMarkup = (text: string): 1 | undefined =>
  meansMarkup(text, { isMarkup: false, isLineStart: true }) ? 1 : undefined;

function beginsBlock(text: string, at: number): boolean {
  // Most lines begin with a letter.
  const first = text.charCodeAt(at);
  if (first > 62 && first !== 95) return false;
  lineStart.lastIndex = at;
  return lineStart.test(text);
}

/** Backslashes in a line before what would be a mark. */
export const escapeInline = (text: string): string =>
  text.replace(/[\\`*~[\]]|<(?!\s)|&(?=[#A-Za-z])|_/g, (mark, at: number) =>
    mark === '_' && isWord(text[at - 1]) && isWord(text[at + 1]) ? mark : `\\${mark}`,
  );

const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

const lineBeginning = /([ \t]*)(#{1,6}(?![^\s])|[-+](?![^\s])|>|-[- \t]*$|=+[ \t]*$|\d{1,9}(?=[.)](?![^\s])))?/my;

/** Returns the length of the block syntax at the start of a line, and a replacement that begins no block. */
export function readLineBeginning(text: string, at: number): { readonly length: number; readonly markdown: string } {
  lineBeginning.lastIndex = at;
  const [whole = '', spaces = '', mark = ''] = lineBeginning.exec(text) ?? [];
  const isNumber = /^\d/.test(mark);
  return { length: whole.length, markdown: fixedSpaces(spaces) + (isNumber ? `${mark}\\` : mark && `\\${mark}`) };
}

/** Spaces at the start of a line that stay spaces: four of the ordinary ones make code of it. */
export const fixedSpaces = (spaces: string): string =>
  spaces.replaceAll('\t', '\u00a0'.repeat(4)).replaceAll(' ', '\u00a0');

/** Escapes text so that a Markdown reader shows it as typed. */
export const escapeMarkdown = (text: string): string => text.split('\n').map(escapeLine).join('\n');

export function escapeLine(line: string): string {
  const { length, markdown } = readLineBeginning(line, 0);
  return markdown + escapeInline(line.slice(length));
}
