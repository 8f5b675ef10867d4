/** Text from an export or a server, made fit for a terminal: no sequence that moves, recolours, links or reorders. */

// Each class excludes what may start another sequence, so that no input makes these patterns look twice at a character.
const controlSequence = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g;
const controlString =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)/g;
const otherEscape = /\u001b[ -/]*[0-~]?/g;
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns the text without escape sequences (CSI, OSC and its relatives, with their contents), C0 and C1 controls and
 * bidi controls. Line feeds and tabs stay: use `oneLine` if a line of its own could be mistaken for one of ours.
 */
export function forTerminal(text: string): string {
  const plain = text.replace(controlString, '').replace(controlSequence, '').replace(otherEscape, '');
  return plain.replace(/\r\n?/g, '\n').replace(invisible, '').toWellFormed();
}

/** `forTerminal` on one line: runs of white space, U+2028 and U+2029 among it, become one space. */
export const oneLine = (text: string): string => forTerminal(text).replace(/\s+/gu, ' ').trim();

/** Characters that a terminal obeys or does not show. Joiners stay: emoji are made of them. */
const unseen =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** On one line, and nothing taken away: what cannot be seen is written as an escape (`\n`, `\u001b`). */
export const visibleLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(
      unseen,
      (character) => shortEscapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

let segmenter: Intl.Segmenter | undefined;

/** The segmenter is made with the first text that needs one: it takes 10 ms. */
function splitGraphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** At most `columns` wide, whole graphemes, ended by `…` where something was cut. */
export function truncate(text: string, columns: number): string {
  if (isNarrow(text)) return text.length <= columns ? text : `${text.slice(0, Math.max(columns - 1, 0))}…`;
  let width = 0;
  let fits = '';
  for (const { segment } of splitGraphemes(text)) {
    const next = width + graphemeWidth(segment);
    if (next > columns) return `${fits}…`;
    // The last column is kept for the ellipsis until the text is known to end here.
    if (next <= columns - 1) fits += segment;
    width = next;
  }
  return text;
}

/** The words of a text in lines of at most `columns`; a word that is longer has a line of its own, whole. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Columns that the text takes in a terminal, as far as one can know without asking it. */
export function displayWidth(text: string): number {
  if (isNarrow(text)) return text.length;
  let width = 0;
  for (const { segment } of splitGraphemes(text)) width += graphemeWidth(segment);
  return width;
}

/** Printable ASCII, Latin-1 and the ellipsis: one column per character. */
const isNarrow = (text: string): boolean => /^[ -~\u00a1-\u00ac\u00ae-\u02ff…]*$/.test(text);

/** Emoji, CJK, Hangul, kana and full-width forms. */
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|.\ufe0f)/su;
const zeroWidth = /^(?:\p{Mark}|\p{Cf}|\p{Cc})+$/u;

function graphemeWidth(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return zeroWidth.test(grapheme) ? 0 : 1;
}

/** Returns the text without this character at its end, however often it occurs there. In linear time, unlike `/x+$/`. */
export function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
