import type { LostPart } from '../../model/lost-parts.ts';
import type { Style } from '../kit/text/markdown.ts';
import { asArray, asCount, asWord } from '../kit/narrow.ts';
import { type StyledPiece, styledText } from '../kit/text/styled-text.ts';
import { meansMarkup } from '../kit/text/typed-text.ts';
import { asFields, ownValue, uuidOf } from './format.ts';

/** Facts collected while the texts of a message are read. */
export interface Gathered {
  readonly mentions: string[];
  readonly lost: Partial<Record<LostPart, number>>;
  /** Returns the person with an account id; the name is undefined if nothing describes them. */
  personOf(aci: string): { readonly id: string; readonly name: string | undefined };
}

/** By name in an export of Signal's own, by number in Desktop's database. */
const styles: Readonly<Record<string, keyof Style | 'spoiler'>> = {
  BOLD: 'bold',
  ITALIC: 'italic',
  SPOILER: 'spoiler',
  STRIKETHROUGH: 'strike',
  MONOSPACE: 'code',
  1: 'bold',
  2: 'italic',
  3: 'spoiler',
  4: 'strike',
  5: 'code',
};

interface Range {
  readonly start: number;
  readonly end: number;
  readonly style: keyof Style | undefined;
  readonly mention: string | undefined;
}

/** Ranges that a text can have: more are no message of a person, and would take time that grows with their square. */
const rangesMax = 1000;

/** A text with its ranges, counted in UTF-16, as Markdown. A mention is a range over one placeholder. */
export function writeMarkdown(body: string, bodyRanges: unknown, gathered: Gathered): string {
  const { lost } = gathered;
  if (body !== '' && meansMarkup(body, { isMarkup: false, isLineStart: true })) lost.accidentalMarkup = 1;
  const all = asArray(bodyRanges);
  if (all.length === 0) return body;
  const ranges = all.slice(0, rangesMax).flatMap((value) => readRange(value, body.length, lost));
  if (all.length > rangesMax) lost.styles = (lost.styles ?? 0) + all.length - rangesMax;
  const { markdown, stylesLost } = styledText(cutPieces(body, ranges, gathered));
  if (stylesLost > 0) lost.styles = (lost.styles ?? 0) + stylesLost;
  return markdown;
}

function readRange(value: unknown, length: number, lost: Gathered['lost']): Range[] {
  const range = asFields(value);
  const start = range.start === undefined ? 0 : asCount(range.start);
  const count = asCount(range.length) ?? 0;
  const mention = uuidOf(range.mentionAci ?? range.mentionUuid);
  const style = ownValue(styles, asWord(range.style));
  const isRange = start !== undefined && count > 0 && start < length && (mention !== undefined || style !== undefined);
  if (!isRange || style === 'spoiler') {
    if (style !== undefined) lost.styles = (lost.styles ?? 0) + 1;
    return [];
  }
  return [{ start, end: Math.min(start + count, length), style, mention }];
}

function cutPieces(body: string, ranges: readonly Range[], gathered: Gathered): StyledPiece[] {
  const cuts = new Set([0, body.length]);
  for (const { start, end } of ranges) cuts.add(start).add(end);
  const sorted = [...cuts].sort((a, b) => a - b);
  const pieces: StyledPiece[] = [];
  for (let at = 0; at + 1 < sorted.length; at++) {
    const from = sorted[at]!;
    const style: { -readonly [Name in keyof Style]: Style[Name] } = {};
    let mention: Range | undefined;
    for (const range of ranges) {
      if (range.start > from || range.end <= from) continue;
      if (range.style !== undefined) style[range.style] = true;
      if (range.mention !== undefined) mention ??= range;
    }
    if (mention === undefined) pieces.push({ text: body.slice(from, sorted[at + 1]), style });
    else if (mention.start === from) pieces.push({ text: mentioned(mention.mention!, gathered), style });
  }
  return pieces;
}

function mentioned(aci: string, { mentions, lost, personOf }: Gathered): string {
  const { id, name } = personOf(aci);
  if (!mentions.includes(id)) mentions.push(id);
  if (name === undefined) lost.unnamed = (lost.unnamed ?? 0) + 1;
  return `@${name ?? id}`;
}
