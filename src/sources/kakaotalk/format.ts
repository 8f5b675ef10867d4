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

/** What a line is. */
export type KakaoLine =
  | { readonly kind: 'day'; readonly localMs: number | undefined }
  | { readonly kind: 'row'; readonly localMs: number; readonly author: string | undefined; readonly text: string }
  /** A time of day, on the day of a line before. */
  | { readonly kind: 'timed'; readonly ofDayMs: number; readonly author: string; readonly text: string }
  /** A line of the app in the table of a Mac, without a time. */
  | { readonly kind: 'untimed' }
  /** A beginning with a date or time that does not exist. */
  | { readonly kind: 'bad' }
  | { readonly kind: 'other' };

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const dayKr = '(?<year>\\d{4})년 (?<month>\\d{1,2})월 (?<day>\\d{1,2})일';
const clockKr = '(?:(?<half>오전|오후) )?(?<hour>\\d{1,2}):(?<minute>\\d\\d)';
const dayEn = '(?<word>[A-Z][a-z]{2})[a-z]* (?<day>\\d{1,2}), (?<year>\\d{4})';
const clockEn = '(?<hour>\\d{1,2}):(?<minute>\\d\\d)';
/** A time alone is a heading. */
const rest = '(?:, (?<rest>.*))?$';
/** Behind a colon is a line of the app. */
const restOfBoth = '(?:(?:,|(?<isOfApp>:)) (?<rest>.*))?$';

/** Beginnings of lines. */
const beginnings: readonly RegExp[] = [
  new RegExp(`^${clockEn} ?(?<half>am|pm), ${dayEn}${rest}`, 'is'),
  new RegExp(`^${dayKr} ${clockKr}${rest}`, 's'),
  // On an iPhone a message is behind a comma.
  new RegExp(`^(?<year>\\d{4})\\. (?<month>\\d{1,2})\\. (?<day>\\d{1,2})\\. ${clockKr}(?<isIos>)${restOfBoth}`, 's'),
  new RegExp(
    `^(?=${months.join('|')})${dayEn}(?:,| at)? ${clockEn}(?:[ \u202f](?<half>[ap]\\.?m)\\.?)?${restOfBoth}`,
    'is',
  ),
];

const windows =
  /^\[(?<author>.+?)\] \[(?:(?<half>오전|오후) )?(?<hour>\d{1,2}):(?<minute>\d\d)(?: (?<halfEn>AM|PM))?\](?: (?<text>.*))?$/s;
const windowsDay = /^-{5,} (.+?) -{5,}$/;
const days: readonly RegExp[] = [
  new RegExp(`^(?:[A-Z][a-z]+day, |)${dayEn}$`),
  new RegExp(`^${dayKr}(?: [월화수목금토일]요일)?$`),
];

type Groups = Readonly<Record<string, string | undefined>>;

/**
 * Reads a line as a beginning; `other` if it is none.
 *
 * @param names That are known, for names with ` : ` in them.
 */
export function readLine(line: string, names: KnownNames = noNames): KakaoLine {
  const timed = windows.exec(line)?.groups;
  if (timed) return timedLine(timed);
  const day = windowsDay.exec(line);
  // Words between dashes are a text of a person, unless they have the form of a day.
  if (day) return headingIn(day[1]!) ?? { kind: 'other' };
  const groups = firstMatch(beginnings, line);
  if (groups) return rowLine(groups, names);
  // A heading names the day of the week: people write dates without it.
  const heading = /^[a-z]+day, |요일$/i.test(line.trimEnd()) ? headingIn(line) : undefined;
  return heading?.localMs === undefined ? { kind: 'other' } : heading;
}

function firstMatch(patterns: readonly RegExp[], line: string): Groups | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(line);
    if (found) return found.groups!;
  }
  return undefined;
}

function timedLine(groups: Groups): KakaoLine {
  const hours = hourOf(Number(groups.hour), groups.half ?? groups.halfEn);
  const minute = Number(groups.minute);
  if (hours === undefined || minute > 59) return { kind: 'bad' };
  return { kind: 'timed', ofDayMs: (hours * 60 + minute) * 60_000, author: groups.author!, text: groups.text ?? '' };
}

/** A day in words, without a time. */
function headingIn(words: string): Extract<KakaoLine, { kind: 'day' }> | undefined {
  const groups = firstMatch(days, words);
  return groups && { kind: 'day', localMs: readMoment({ ...groups, hour: '0', minute: '0' }) };
}

function rowLine(groups: Groups, names: KnownNames): KakaoLine {
  const localMs = readMoment(groups);
  const text = groups.rest;
  if (localMs === undefined) return { kind: 'bad' };
  if (text === undefined) return { kind: 'day', localMs };
  const author = groups.isOfApp === undefined ? names.authorOf(text, groups.isIos === undefined) : undefined;
  return { kind: 'row', localMs, author, text: author === undefined ? text : text.slice(author.length + 3) };
}

function readMoment({ year, month, word, day, hour, minute, half }: Groups): number | undefined {
  const hours = hourOf(Number(hour), half);
  if (hours === undefined) return undefined;
  const number = word === undefined ? Number(month) : months.indexOf(word.toLowerCase()) + 1;
  const fields = {
    year: Number(year),
    month: number,
    day: Number(day),
    hour: hours,
    minute: Number(minute),
    second: 0,
  };
  return localTime({ ...fields, fraction: '' }, undefined)?.localMs;
}

/** 오전 12 is midnight, and so is 12 AM; without a half the clock has 24 hours. */
function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour < 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (/^(?:오후|p\.?m)$/i.test(half) ? 12 : 0);
}

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
