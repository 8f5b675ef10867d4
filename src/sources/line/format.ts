import type { TextLine } from '../kit/rows/text-lines.ts';
import { localTime } from '../kit/time/wall-time.ts';

/**
 * Chats that LINE exports as text. LINE documents none of it; the shapes are those that readers of such files and their tests show, such as
 * https://github.com/nakasyou/Patchouli and the ones that it names (looked at 2026-11).
 *
 *     [LINE] Chat history with Ann Kai       [LINE] Ann Kaiとのトーク履歴      [LINE] 與Ann Kai的聊天記錄
 *     Saved on: 2024/01/16 10:30             保存日時：2024/01/16 10:30        儲存日期：2024/01/16 10:30
 *
 *     2024/01/15(Mon)                        2024/01/15(月)                   2024/01/15（一）
 *     10:30⇥Ann Kai⇥Hello                    10:30⇥Ann Kai⇥Hello              上午10:30⇥Ann Kai⇥Hello
 *     10:31⇥Ben⇥"A text                      午後2:03⇥Ben⇥[写真]
 *     of two lines"                          22:05⇥⇥メッセージの送信を取り消しました
 *
 * - `⇥` is a tab; copies have two or more spaces. The newest computers write one space, a day such as `2025.12.30 火曜日`, and no first line.
 * - A line with a time and one column, or an empty first column, is the app's.
 * - Days are also `2015/12/25 Fri`, `2024/1/2週二`, `R7/02/09(日)` and `令和7年2月9日(日)` (year of the era) and `Mon, 11/03/2025`, with day and month in the order
 *   of the phone's country: the day of the week says which it is.
 * - Times have minutes and no zone. There are no ids, and oneself has the own name.
 */

/** A day with a year at its end. */
export interface SlashedDay {
  readonly numbers: readonly [number, number];
  readonly year: number;
  /** 0 is Sunday; undefined in a language that is not known. */
  readonly weekday: number | undefined;
}

/** What a line is. */
export type LineOfChat =
  | { readonly kind: 'day'; readonly localMs: number | undefined }
  | { readonly kind: 'slashed-day'; readonly day: SlashedDay }
  | { readonly kind: 'columns'; readonly ofDayMs: number; readonly author: string | undefined; readonly text: string }
  /** A time and one space: where the name ends is not written. */
  | { readonly kind: 'spaced'; readonly ofDayMs: number; readonly text: string }
  /** A beginning with a time that does not exist. */
  | { readonly kind: 'bad' }
  | { readonly kind: 'other' };

/** A line of the file, and what it is. */
export interface FoundLine extends TextLine {
  readonly found: LineOfChat;
  /** It looks like a heading or a beginning, and is a part of a text: why. */
  readonly pasted?: 'heading' | 'message';
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** English words are known. A word in letters of another script may be any: people do not write such a line by themselves. */
const weekdayWord = '(?:(?:sun|mon|tue|wed|thu|fri|sat)[a-z]{0,6}\\.?|(?:(?![a-z])[\\p{L}\\p{M}.]){1,20})';

const patterns = {
  day: new RegExp(
    `^((?:R|令和)(?:\\d{1,2}|元)|\\d{4})[/.年](\\d{1,2})[/.月](\\d{1,2})日? ?[(（]?${weekdayWord}[)）]?$`,
    'iu',
  ),
  slashedDay: /^([\p{L}\p{M}.]{1,20}), ?(\d{1,2})\/(\d{1,2})\/(\d{4})$/u,
  time: /^(?:(上午|下午|午前|午後|오전|오후) ?)?(\d{1,2}):(\d\d)(?:[ \u202f]?([ap])\.?m\.?)?(?=[\t ])/i,
  twoColumns: /^(?:\t| {2,})([^\t]*?)(?:\t| {2,})(.*)$/s,
} as const;

/** 2019 is the first year of the era. */
const reiwaBegin = 2018;

/** Reads a line as a heading or a beginning; `other` if it is none. */
export function readLine(line: string): LineOfChat {
  return timed(line) ?? heading(line.trimEnd());
}

function timed(line: string): LineOfChat | undefined {
  const found = patterns.time.exec(line);
  if (!found) return undefined;
  const rest = line.slice(found[0].length);
  const isSpaced = /^ (?! )/.test(rest);
  const ofDayMs = ofDay(found);
  // A text has such words too: they are no beginning.
  if (ofDayMs === undefined) return { kind: isSpaced ? 'other' : 'bad' };
  if (isSpaced) return { kind: 'spaced', ofDayMs, text: rest.slice(1) };
  const [, author, text] = patterns.twoColumns.exec(rest) ?? [];
  if (author === undefined) return { kind: 'columns', ofDayMs, author: undefined, text: rest.trimStart() };
  return { kind: 'columns', ofDayMs, author: author.trim() === '' ? undefined : author, text: text! };
}

/** 上午 12 is midnight as 12 AM is; Japan counts from 0 to 11. Without a half the clock has 24 hours. */
function ofDay([, half, hour, minute, halfEn]: RegExpExecArray): number | undefined {
  const [hours, minutes] = [Number(hour), Number(minute)];
  const hasHalf = half !== undefined || halfEn !== undefined;
  if (minutes > 59 || hours > (hasHalf ? 12 : 23)) return undefined;
  const isLater = halfEn === undefined ? /^(?:下午|午後|오후)$/.test(half ?? '') : /p/i.test(halfEn);
  return (((hasHalf ? hours % 12 : hours) + (isLater ? 12 : 0)) * 60 + minutes) * 60_000;
}

function heading(line: string): LineOfChat {
  const [, year, month, day] = patterns.day.exec(line) ?? [];
  if (year !== undefined) {
    const [, ofEra] = /^(?:R|令和)(.+)/i.exec(year) ?? [];
    const full = ofEra === undefined ? Number(year) : reiwaBegin + (ofEra === '元' ? 1 : Number(ofEra));
    return { kind: 'day', localMs: dayMs(full, Number(month), Number(day)) };
  }
  const [, word, first, second, last] = patterns.slashedDay.exec(line) ?? [];
  if (word === undefined) return { kind: 'other' };
  const weekday = weekdays.indexOf(word.slice(0, 3).toLowerCase());
  return {
    kind: 'slashed-day',
    day: {
      numbers: [Number(first), Number(second)],
      year: Number(last),
      weekday: weekday < 0 ? undefined : weekday,
    },
  };
}

/** Order of the numbers of a day. */
export type DateOrder = 'day-first' | 'month-first';

/** As if it were UTC, in epoch ms; undefined for a day that does not exist. */
export function slashedMs({ numbers: [first, second], year }: SlashedDay, order: DateOrder): number | undefined {
  return order === 'day-first' ? dayMs(year, second, first) : dayMs(year, first, second);
}

const dayMs = (year: number, month: number, day: number): number | undefined =>
  localTime({ year, month, day, hour: 0, minute: 0, second: 0, fraction: '' }, undefined)?.localMs;

/** What a file says above its messages. */
export interface Title {
  readonly name: string;
  /** The words are those of a group. */
  readonly isGroup: boolean;
}

const banner = /^\ufeff?\[LINE\] ?(?=\S)/;

const titles: readonly (readonly [pattern: RegExp, isGroup: boolean])[] = [
  [/^Chat history with (?<name>.+)$/, false],
  [/^Chat history in "?(?<name>.+?)"?$/, true],
  [/^(?<name>.+)とのトーク(?:履歴)?$/, false],
  [/^(?<name>.+)のトーク(?:履歴)?$/, true],
  [/^(?:與 ?)?(?<name>.+?) ?的聊天(?:[記紀]錄)?$/, false],
  [/^ประวัติการ(?:แชท|สนทนา)กับ (?<name>.+)$/, false],
];

/** The first line, or the name of a file. @returns undefined without `[LINE]` or the words of a title. */
export function titleIn(line: string): Title | undefined {
  const words = line
    .replace(banner, '')
    .replace(/^\ufeff/, '')
    .trim();
  for (const [pattern, isGroup] of titles) {
    const name = pattern.exec(words)?.groups?.name;
    if (name !== undefined) return { name, isGroup };
  }
  return isBanner(line) ? { name: words, isGroup: false } : undefined;
}

export const isBanner = (line: string): boolean => banner.test(line);

/** When the file was saved: words, a date and a time. */
export const isSaved = (line: string): boolean =>
  /^[\p{L}\p{M} ]{2,40}[:：]? ?(?:(?:R|令和)?\d{1,4}|令和元)[/.年]\d{1,2}[/.月]\d{1,4}日?,? .{0,4}\d{1,2}:\d\d.{0,4}$/u.test(
    line.trim(),
  );
