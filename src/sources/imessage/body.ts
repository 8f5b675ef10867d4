import type { LostPart } from '../../model/lost-parts.ts';
import { markdownLink, type Style } from '../kit/text/markdown.ts';
import { type StyledPiece, styledText } from '../kit/text/styled-text.ts';
import { meansMarkup } from '../kit/text/typed-text.ts';
import {
  asDictionary,
  asList,
  isBinaryPlist,
  PlistReference,
  type PlistValue,
  readBinaryPlist,
} from './archive/binary-plist.ts';
import { type ArchivedObject, type ArchivedValue, isArchivedObject, readTypedStream } from './archive/typed-stream.ts';

/** A piece of text, and what was set for it. */
interface Run {
  readonly text: string;
  readonly style: Style;
  /** Address of the person whom it mentions. */
  readonly mention?: string;
  readonly link?: string;
  readonly isUnderlined?: true;
  /** An effect that Markdown does not have, such as shaking letters. */
  readonly hasEffect?: true;
}

/** A text as Messages keeps it. */
export type Body = readonly Run[];

export const plainBody = (text: string): Body => [{ text, style: {} }];

/** The text alone. */
export const textOf = (body: Body): string => body.map(({ text }) => text).join('');

/**
 * The text of an `attributedBody`.
 *
 * @throws RangeError if it is in no archive that is known.
 */
export const readBody = (bytes: Uint8Array): Body =>
  isBinaryPlist(bytes) ? plainBody(keyedText(bytes)) : readRuns(readTypedStream(bytes));

const objectsMax = 8;

/** The text of an archive of NSKeyedArchiver, which names its objects by number. */
function keyedText(bytes: Uint8Array): string {
  const archive = asDictionary(readBinaryPlist(bytes));
  const objects = asList(archive?.get('$objects'));
  let value: PlistValue | undefined = asDictionary(archive?.get('$top'))?.get('root');
  for (let step = 0; step < objectsMax; step++) {
    if (typeof value === 'string') return value;
    if (value instanceof PlistReference) value = objects[value.index];
    else {
      const object = asDictionary(value);
      value = object?.get('NS.string') ?? object?.get('NSString');
    }
  }
  throw new RangeError('Expected a text');
}

/** An NSAttributedString: its text, then of each run its number and length, and where the number is new its attributes. */
function readRuns({ values }: ArchivedObject): Body {
  const text = readString(values[0]);
  if (text === undefined) throw new RangeError('Expected a text');
  const known = new Map<number, Omit<Run, 'text'>>();
  const runs: Run[] = [];
  let start = 0;
  for (let at = 1; at + 1 < values.length; ) {
    const [number, length] = [values[at], values[at + 1]];
    if (typeof number !== 'number' || typeof length !== 'number' || length < 0) break;
    at += 2;
    const next = values[at];
    if (!known.has(number)) known.set(number, isArchivedObject(next) ? readAttributes(next) : { style: {} });
    if (typeof next === 'object') at += 1;
    runs.push({ text: text.slice(start, start + length), ...known.get(number)! });
    start += length;
  }
  if (start < text.length) runs.push({ text: text.slice(start), style: {} });
  return runs;
}

const readString = (value: ArchivedValue | undefined): string | undefined => {
  const bytes = isArchivedObject(value) ? value.values[0] : undefined;
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('utf8') : undefined;
};

/** Addresses are objects of their own: whether they are relative, and the text. */
const urlOf = (value: ArchivedValue | undefined): string | undefined =>
  isArchivedObject(value) ? value.values.map(readString).find((text) => text !== undefined) : undefined;

const styles: Readonly<Record<string, keyof Style>> = {
  __kIMTextBoldAttributeName: 'bold',
  __kIMTextItalicAttributeName: 'italic',
  __kIMTextStrikethroughAttributeName: 'strike',
};

/** A dictionary: how many, then keys and values. */
function readAttributes({ values }: ArchivedObject): Omit<Run, 'text'> {
  const style: { -readonly [Name in keyof Style]: Style[Name] } = {};
  const run: { -readonly [Name in keyof Omit<Run, 'text'>]: Run[Name] } = { style };
  for (let at = 1; at + 1 < values.length; at += 2) {
    const key = readString(values[at]) ?? '';
    const value = values[at + 1];
    const [mention, link] = [readString(value), urlOf(value)];
    if (Object.hasOwn(styles, key)) style[styles[key]!] = true;
    else if (key === '__kIMMentionConfirmedMention' && mention !== undefined) run.mention = mention;
    else if (key === '__kIMLinkAttributeName' && link !== undefined) run.link = link;
    else if (key === '__kIMTextUnderlineAttributeName') run.isUnderlined = true;
    else if (key === '__kIMTextEffectAttributeName') run.hasEffect = true;
  }
  return run;
}

/** Facts collected while the text of a message is written. */
export interface Gathered {
  readonly mentions: string[];
  readonly lost: Partial<Record<LostPart, number>>;
  /** Returns the person with an address. */
  personOf(address: string): string;
}

/** Place of a file. */
const place = /\ufffc/g;

/** Runs of one text: more are no message of a person. */
const runsMax = 1000;

export function writeMarkdown(body: Body, gathered: Gathered): string {
  const { lost } = gathered;
  const text = textOf(body);
  if (text === '') return '';
  const isPlain = body.every((run) => !isStyled(run));
  if (meansMarkup(text, { isMarkup: false, isLineStart: true })) lost.accidentalMarkup = 1;
  if (isPlain || body.length > runsMax) {
    if (!isPlain) add(lost, 'styles', body.length);
    return withoutPlaces(text);
  }
  const { markdown, stylesLost } = styledText(body.map((run) => makePiece(run, gathered)));
  if (stylesLost > 0) add(lost, 'styles', stylesLost);
  return withoutPlaces(markdown);
}

const isStyled = ({ style, mention, link, isUnderlined, hasEffect }: Run): boolean =>
  mention !== undefined ||
  link !== undefined ||
  !!isUnderlined ||
  !!hasEffect ||
  !!(style.bold || style.italic || style.strike);

function makePiece(run: Run, { mentions, lost, personOf }: Gathered): StyledPiece {
  const { text, style, mention, link } = run;
  if (run.isUnderlined) add(lost, 'underlines', 1);
  if (run.hasEffect) add(lost, 'styles', 1);
  if (mention !== undefined) {
    const person = personOf(mention);
    if (!mentions.includes(person)) mentions.push(person);
    return { text: text.startsWith('@') ? text : `@${text}`, style };
  }
  const words = text.trim();
  const isOther = link !== undefined && words !== '' && !isSameAddress(link, words);
  return isOther ? { text: markdownLink(link, text), style, isMarkdown: true } : { text, style };
}

/** Messages writes `http://example.com/` for the words `example.com`. */
const isSameAddress = (link: string, words: string): boolean => bare(link) === bare(words);
const bare = (address: string): string =>
  address
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:|tel:)/, '')
    .replace(/\/$/, '');

/** Files were between pieces of text, or at an end. */
const withoutPlaces = (text: string): string =>
  text.includes('\ufffc')
    ? text
        .replace(place, '\n')
        .replace(/\n{2,}/g, '\n')
        .replace(/^\s+|\s+$/g, '')
    : text;

const add = (lost: Gathered['lost'], part: LostPart, by: number): void => {
  lost[part] = (lost[part] ?? 0) + by;
};
