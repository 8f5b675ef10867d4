import { plain } from './format.ts';
import { speakerOfName, speakerOnIos } from './speaker.ts';
import {
  appMark,
  omittedKind,
  saysAbsent,
  saysAttached,
  saysCall,
  saysDeleted,
  saysEdited,
  saysForPeople,
  saysWholeCall,
} from './words.ts';

/** A file that a message names, or what was left out of the export in its place, and how the app says so. */
export type RowFile = { readonly path: string } | { readonly omitted: string; readonly words: string };

/** Content of a message after its time. */
export interface RowWords {
  /** The author as written, without white space and marks that only the app writes. */
  readonly author: string | undefined;
  /** `absent`: the app says that it has not got the message. */
  readonly kind: 'message' | 'system' | 'call' | 'deleted' | 'absent';
  readonly text: string;
  readonly file: RowFile | undefined;
  readonly isEdited: boolean;
  /** Set if it is unclear whether the app or the author wrote it. */
  readonly isDoubtful?: true;
}

const nameCharsMax = 256;

/** The beginning of a message behind its time. */
export interface SplitRow {
  readonly author: string | undefined;
  readonly text: string;
  /** The author may be words of the app. */
  readonly isDoubtful?: true;
}

const knowsNone = (): boolean => false;

/**
 * Returns the author of a message, and its first line. On Android, a line of the app has no author. A colon inside
 * quotes that are still open does not follow a name: `Ann changed the subject from "Pier: 4" to "Pier 5"`. A name that
 * consists only of marks is written with their codes: `U+200E`.
 *
 * @param known Whether an author of this name writes in the chat.
 */
export function splitAuthor(rest: string, known: (name: string) => boolean = knowsNone): SplitRow {
  const colon = rest.search(/:(?:\s|$)/);
  const written = colon === -1 ? '' : rest.slice(0, colon);
  const name = plain(written) || invisibleName(written.trim());
  if (name === '' || name.length > nameCharsMax || hasOpenQuote(name)) return { author: undefined, text: rest };
  const speaker = speakerOfName(name, known);
  if (speaker === 'app') return { author: undefined, text: rest };
  const text = rest.slice(colon + 1).replace(/^[ \u00a0\u202f]/, '');
  return { author: name, text, ...(speaker === 'either' && { isDoubtful: true }) };
}

const invisibleName = (marks: string): string =>
  [...marks].map((mark) => `U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`).join(' ');

const quotePairs = ['“”', '„“', '«»', '「」', '‘’'];

function hasOpenQuote(name: string): boolean {
  if (!/["“”„«»「」‘’]/.test(name)) return false;
  const count = (character: string) => name.split(character).length - 1;
  if (count('"') % 2 === 1) return true;
  return quotePairs.some(([open, close]) => open !== close && count(open!) > count(close!));
}

/** Context of a message, and facts about its author. */
export interface RowPlace {
  readonly isIos: boolean;
  /** The author has the name of the chat, as lines of the app on iOS have it. */
  readonly isChat: boolean;
  readonly known: (name: string) => boolean;
}

/** @param lines Of the message: the first without time and author. */
export function rowWords(author: string | undefined, lines: readonly string[], place: RowPlace): RowWords {
  const isMarked = place.isIos && beginsMarked.test(lines[0]!);
  const { lines: said, isEdited } = withoutEditNote(lines);
  const { lines: left, file } = withoutFile(said);
  const text = (left.length === 1 ? withoutAppMarks(left[0]!) : left.map(withoutAppMarks).join('\n')).trim();
  const row = { author, text, file, isEdited };
  if (file !== undefined) return { ...row, kind: 'message' };
  if (lines.length === 1 && saysDeleted(text)) return { ...row, kind: author === undefined ? 'system' : 'deleted' };
  if (author === undefined) return { ...row, kind: saysCall(text) ? 'call' : 'system' };
  if (lines.length === 1 && isAbsent(text, isMarked, place)) return { ...row, kind: 'absent' };
  if (!isMarked)
    return { ...row, kind: !place.isIos && lines.length === 1 && saysWholeCall(text) ? 'call' : 'message' };
  if (saysCall(text)) return { ...row, kind: 'call' };
  if (text === '' || saysForPeople(text)) return { ...row, kind: 'message' };
  const speaker = speakerOnIos(text, { name: author, ...place });
  return { ...row, kind: speaker === 'app' ? 'system' : 'message', ...(speaker === 'either' && { isDoubtful: true }) };
}

/** Android writes `null` for what it cannot put into words. */
const isAbsent = (text: string, isMarked: boolean, { isIos }: RowPlace): boolean =>
  isIos ? isMarked && saysAbsent(text) : text === 'null' || saysAbsent(text);

/** U+200F in languages that are written from right to left. */
export const beginsMarked = /^[\u202a-\u202e]{0,2}[\u200e\u200f]/;

/** The app writes U+200E before what it says itself; elsewhere marks of direction are part of the text. */
const withoutAppMarks = (line: string): string => withoutEnd(line.replace(/^[\u200e\u200f\ufeff]+/, ''), /\u200e/);

/** In linear time, which an expression with `$` behind a repetition does not take. */
function withoutEnd(text: string, left: RegExp): string {
  let end = text.length;
  while (end > 0 && left.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** `… <This message was edited>` at the end. */
function withoutEditNote(lines: readonly string[]) {
  const last = lines.at(-1)!.trimEnd();
  const at = last.endsWith('>') ? last.lastIndexOf('<') : -1;
  const note = at === -1 ? '' : last.slice(at + 1, -1);
  const isOwn = at > 0 && isMark(last[at - 1]) && !note.includes(':') && omittedKind(note) === undefined;
  if (note === '' || !(isOwn || saysEdited(note))) return { lines, isEdited: false };
  return { lines: [...lines.slice(0, -1), withoutEnd(last.slice(0, at), /[\s\u200e]/)], isEdited: true };
}

/**
 * Separates the file of a message from its text. The file is in the first line, followed by its caption; on iOS it may
 * follow the caption.
 */
function withoutFile(lines: readonly string[]) {
  for (const index of lines.length === 1 ? [0] : [0, lines.length - 1]) {
    const found = fileIn(lines[index]!.trimEnd(), lines.length === 1);
    if (found) return { lines: lines.with(index, found.before), file: found.file };
  }
  return { lines, file: undefined };
}

/** Mark that iOS writes in place of U+200E in text that runs from right to left. */
const rightMark = '\u200f';
const isMark = (character: string | undefined): boolean => character === appMark || character === rightMark;

interface FoundFile {
  /** Text before the file in its line. */
  readonly before: string;
  readonly file: RowFile;
}

function fileIn(line: string, isWhole: boolean): FoundFile | undefined {
  if (line.endsWith('>')) return inAngles(line);
  if (line.endsWith(')')) return inBrackets(line);
  const mark = Math.max(line.lastIndexOf(appMark), line.lastIndexOf(rightMark));
  if (mark === -1 && !isWhole) return undefined;
  const words = line.slice(mark + 1);
  const kind = omittedKind(words);
  return kind && { before: line.slice(0, Math.max(mark, 0)).trim(), file: { omitted: kind, words: plain(words) } };
}

/** `<attached: 00000012-PHOTO-2024-03-15-21-15-21.jpg>`, `<Media omitted>` */
function inAngles(line: string): FoundFile | undefined {
  const at = line.lastIndexOf('<');
  if (at === -1) return undefined;
  const [before, inside] = [line.slice(0, at).trim(), line.slice(at + 1, -1)];
  const kind = omittedKind(inside);
  if (kind) return { before, file: { omitted: kind, words: plain(line.slice(at)) } };
  const colon = inside.indexOf(':');
  const path = plain(inside.slice(colon + 1));
  if (colon === -1 || !/\.[\p{L}\p{N}]{1,8}$/u.test(path)) return undefined;
  const isAttached = saysAttached(inside.slice(0, colon)) || (isMark(line[at - 1]) && /^\d{8}-/.test(path));
  return isAttached ? { before, file: { path } } : undefined;
}

/** `IMG-20240315-WA0007.jpg (file attached)` */
function inBrackets(line: string): FoundFile | undefined {
  const at = line.lastIndexOf(' (');
  const path = plain(line.slice(0, Math.max(at, 0)));
  if (!/\.[\p{L}\p{N}]{1,8}$/u.test(path) || path.length > nameCharsMax) return undefined;
  const isAttached = saysAttached(line.slice(at + 2, -1)) || /^[A-Z]{3}-\d{8}-WA\d{4}\./.test(path);
  return isAttached ? { before: '', file: { path } } : undefined;
}
