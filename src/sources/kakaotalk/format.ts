import { localTime } from '../kit/time/wall-time.ts';
import { type KnownNames, noNames } from './known-names.ts';

/**
 * Chats that KakaoTalk exports as text, and on a Mac as a table. Kakao documents none of it; the shapes are those of files that people
 * published, such as the samples of https://github.com/suziewithz/kakaoship (looked at 2026-11).
 *
 *     KakaoTalk Chats with Harbour crew (3)              Android     Harbour crew 3 님과 카카오톡 대화
 *     8:34pm, July 9, 2015, Ann : Hello                              2015년 7월 9일 오후 8:34, Ann : Hello
 *     8:34pm, July 9, 2015, Ann invited Ben.                         2015년 7월 9일 오후 8:34, Ann님이 Ben님을 초대했습니다.
 *     KakaoTalk Chats with Harbour crew (3 people)-1.txt iOS         Harbour crew (3명)과 카카오톡 대화-1.txt
 *     Jul 9, 2015, 8:34 PM, Ann : Hello                              2015. 7. 9. 오후 8:34, Ann : Hello
 *     Jul 9, 2015, 8:34 PM: Ann invited Ben.                         2015. 7. 9. 오후 8:34: Ann님이 Ben님을 초대했습니다.
 *     July 9, 2018, 8:34 p.m., Ann : Hello               Android since 2018; since 2023 `July 9, 2023 at 8:34 p.m., Ann : Hello`
 *     --------------- Thursday, July 9, 2015 ---------------  Windows  --------------- 2015년 7월 9일 목요일 ---------------
 *     [Ann] [8:34 PM] Hello                                          [Ann] [오후 8:34] Hello
 *     Date,User,Message                                  Mac
 *     2015-07-09 20:34:26,"Ann","Hello"
 *
 * - Times have minutes, on a Mac seconds, and no zone.
 * - The first line of an iPhone may be the name of the file: `Talk_2015.8.3 00:20-1.txt`. On computers a title is also `Harbour crew Talk Chats`.
 * - Oneself is `you` or `회원님` on phones. There are no ids.
 * - A line without a beginning goes on with the message above. Lines of the app on Windows have no beginning either.
 */

/** One's own id: files write oneself in several ways. */
export const self = 'self';
export const isSelf = (name: string): boolean => /^(?:you|회원님)$/i.test(name);

/** Wall time of a line, in whole minutes. */
interface Moment {
  /** As if it were UTC, in epoch ms. */
  readonly localMs: number;
}

/** What a line is. */
export type KakaoLine =
  | { readonly kind: 'day'; readonly localMs: number | undefined }
  | ({ readonly kind: 'row'; readonly author: string | undefined; readonly text: string } & Moment)
  /** A time of day, on the day of a line before. */
  | { readonly kind: 'timed'; readonly ofDayMs: number; readonly author: string; readonly text: string }
  /** A line of the app in the table of a Mac, without a time. */
  | { readonly kind: 'untimed' }
  /** A beginning with a date or time that does not exist. */
  | { readonly kind: 'bad' }
  | { readonly kind: 'other' };

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekday = '(?:[A-Z][a-z]+day, |)';

const patterns = {
  androidEn: /^(\d{1,2}):(\d\d) ?(am|pm), ([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4})(?:, (.*))?$/is,
  korean: /^(\d{4})년 (\d{1,2})월 (\d{1,2})일 (?:(오전|오후) )?(\d{1,2}):(\d\d)(?:, (.*))?$/s,
  dotted: /^(\d{4})\. (\d{1,2})\. (\d{1,2})\. (?:(오전|오후) )?(\d{1,2}):(\d\d)(?:(,|:) (.*))?$/s,
  wordsEn:
    /^([A-Z][a-z]{2})[a-z]{0,6} (\d{1,2}), (\d{4})(?:,| at)? (\d{1,2}):(\d\d)(?:[ \u202f]([ap]\.?m)\.?)?(?:(,|:) (.*))?$/is,
  windows: /^\[(.+?)\] \[(?:(오전|오후) )?(\d{1,2}):(\d\d)(?: (AM|PM))?\](?: (.*))?$/s,
  windowsDay: /^-{5,} (.+?) -{5,}$/,
  dayEn: new RegExp(`^${weekday}([A-Z][a-z]{2})[a-z]* (\\d{1,2}), (\\d{4})$`),
  dayKr: /^(\d{4})년 (\d{1,2})월 (\d{1,2})일(?: [월화수목금토일]요일)?$/,
} as const;

/**
 * Reads a line as a beginning; `other` if it is none.
 *
 * @param names That are known, for names with ` : ` in them.
 */
export function readLine(line: string, names: KnownNames = noNames): KakaoLine {
  const windows = patterns.windows.exec(line);
  if (windows) return timedLine(windows);
  const day = patterns.windowsDay.exec(line);
  if (day) return headingIn(day[1]!);
  return androidEn(line, names) ?? korean(line, names) ?? wordsEn(line, names) ?? dayAlone(line);
}

function timedLine([, author, half, hour, minute, halfEn, text = '']: RegExpExecArray): KakaoLine {
  const hours = hourOf(Number(hour), half ?? halfEn);
  if (hours === undefined || Number(minute) > 59) return { kind: 'bad' };
  return { kind: 'timed', ofDayMs: (hours * 60 + Number(minute)) * 60_000, author: author!, text };
}

function androidEn(line: string, names: KnownNames): KakaoLine | undefined {
  const found = patterns.androidEn.exec(line);
  if (!found) return undefined;
  const [, hour, minute, half, month, day, year, rest] = found;
  return rowLine({ year, month: monthOf(month!), day, hour, minute, half }, { rest, names, isMessage: undefined });
}

function korean(line: string, names: KnownNames): KakaoLine | undefined {
  const plain = patterns.korean.exec(line);
  if (plain) {
    const [, year, month, day, half, hour, minute, rest] = plain;
    return rowLine({ year, month: Number(month), day, hour, minute, half }, { rest, names, isMessage: undefined });
  }
  const dotted = patterns.dotted.exec(line);
  if (!dotted) return undefined;
  const [, year, month, day, half, hour, minute, mark, rest] = dotted;
  return rowLine({ year, month: Number(month), day, hour, minute, half }, { rest, names, isMessage: mark === ',' });
}

/** Both phones: a colon is before a line of the app on iOS, and Android has a comma before all. */
function wordsEn(line: string, names: KnownNames): KakaoLine | undefined {
  const found = patterns.wordsEn.exec(line);
  if (!found || monthOf(found[1]!) === 0) return undefined;
  const [, month, day, year, hour, minute, half, mark, rest] = found;
  const isMessage = mark === ':' ? false : undefined;
  return rowLine({ year, month: monthOf(month!), day, hour, minute, half }, { rest, names, isMessage });
}

/** Words between dashes are a text of a person, unless they have the form of a day. */
function headingIn(words: string): KakaoLine {
  return patterns.dayEn.test(words) || patterns.dayKr.test(words)
    ? { kind: 'day', localMs: readDay(words) }
    : { kind: 'other' };
}

/** A heading names the day of the week: people write dates without it. */
function dayAlone(line: string): KakaoLine {
  const localMs = /^[a-z]+day, |요일$/i.test(line.trimEnd()) ? readDay(line) : undefined;
  return localMs === undefined ? { kind: 'other' } : { kind: 'day', localMs };
}

/** A day in words, without a time. */
function readDay(words: string): number | undefined {
  const [, month, day, year] = patterns.dayEn.exec(words) ?? [];
  if (month !== undefined)
    return readMoment({ year, month: monthOf(month), day, hour: '0', minute: '0', half: undefined });
  const [, yearKr, monthKr, dayKr] = patterns.dayKr.exec(words) ?? [];
  if (yearKr === undefined) return undefined;
  return readMoment({ year: yearKr, month: Number(monthKr), day: dayKr, hour: '0', minute: '0', half: undefined });
}

interface Fields {
  readonly year: string | undefined;
  readonly month: number;
  readonly day: string | undefined;
  readonly hour: string | undefined;
  readonly minute: string | undefined;
  readonly half: string | undefined;
}

interface RestOfLine {
  /** Behind the time: `Ann : Hello`, or a line of the app. A time alone is a heading. */
  readonly rest: string | undefined;
  readonly names: KnownNames;
  /** Undefined for Android, which writes messages and lines of the app alike. */
  readonly isMessage: boolean | undefined;
}

function rowLine(fields: Fields, { rest, names, isMessage }: RestOfLine): KakaoLine {
  const localMs = readMoment(fields);
  if (localMs === undefined) return { kind: 'bad' };
  if (rest === undefined) return { kind: 'day', localMs };
  const author = isMessage === false ? undefined : names.authorOf(rest, isMessage === undefined);
  if (author === undefined) return { kind: 'row', localMs, author, text: rest };
  return { kind: 'row', localMs, author, text: rest.slice(author.length + 3) };
}

function readMoment({ year, month, day, hour, minute, half }: Fields): number | undefined {
  const hours = hourOf(Number(hour), half);
  if (hours === undefined) return undefined;
  const fields = { year: Number(year), month, day: Number(day), hour: hours, minute: Number(minute), second: 0 };
  return localTime({ ...fields, fraction: '' }, undefined)?.localMs;
}

/** 오전 12 is midnight, and so is 12 AM; without a half the clock has 24 hours. */
function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour < 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (/^(?:오후|p\.?m)$/i.test(half) ? 12 : 0);
}

const monthOf = (name: string): number => months.indexOf(name.toLowerCase()) + 1;

/** What a file says above its messages. */
export interface Title {
  readonly name: string;
  /** How many people are in the chat; undefined for a chat of two, and where the file does not say it. */
  readonly people: number | undefined;
}

const titles: readonly RegExp[] = [
  /^KakaoTalk Chats with (?<name>.+?)(?: \((?<people>\d+)(?: people)?\))?(?:-\d+\.txt)?$/,
  /^(?<name>.+) (?:with KakaoTalk|Talk) Chats$/,
  /^(?<name>.+) \((?<people>\d+)명\)과 카카오톡 대화(?:-\d+\.txt)?$/,
  /^(?<name>.+?)(?: (?<people>\d+))? ?님과 카카오톡 대화(?:-\d+\.txt)?$/,
];

/** @returns undefined for a line that is no title. */
export function titleIn(line: string): Title | undefined {
  for (const pattern of titles) {
    const groups = pattern.exec(line.replace(/^\ufeff/, '').trim())?.groups;
    if (groups?.name !== undefined)
      return { name: groups.name, people: groups.people === undefined ? undefined : Number(groups.people) };
  }
  return undefined;
}

/** A line above the messages: the title, when the file was saved, or the name that an iPhone gave to the file. */
export const isHeadLine = (line: string): boolean =>
  titleIn(line) !== undefined || /^\ufeff?(?:(?:Date Saved|저장한 날짜) ?:|Talk_\d{4}\.[\d.: _]+-\d+\.txt$)/.test(line);

/** The head of the table that a Mac writes. */
export const isTableHead = (line: string): boolean => /^\ufeff?"?Date"?,"?User"?,"?Message"?$/.test(line);
