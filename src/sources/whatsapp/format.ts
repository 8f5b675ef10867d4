import { asciiDigits } from '../kit/time/date-words.ts';
import { clockWords, hourOf } from './clock-words.ts';
import { dayOf, eraPattern } from './years.ts';

/**
 * Lines of "Export chat", as phones write them in the language and region that they are set to. There is no description of it but
 * that of how to make one (https://faq.whatsapp.com/1180414079177245, 2026-11); the rest is what exports have (looked at in 2026-11):
 *
 *     [24.12.23, 18:30:05] Ann: Hi                   iOS: brackets and seconds; also [2023/12/24 下午6:30:05], [24/12/23 6:30:05 p. m.]
 *     [24/12/23 18:30] Ann: Hi                       iOS, rarely, without seconds
 *     [18:30:05, 24/12/23] Ann: Hi                   iOS in languages that put the time first
 *     24/12/23, 6:30 pm - Ann: Hi                    Android: no seconds; also 24.12.2023 klo 18.30 - …, 2023. 12. 24. 오후 6:30 - …
 *     18:30 24/12/23 - Ann: Hi                       Android in languages that put the time first
 *     24/12/2023 18:30:05: Ann: Hi                   Android before 2015
 *     [18:30, 24/12/2023] Ann: Hi                    copied out of WhatsApp Web
 *     24/12/23, 18:30 - Ann changed the subject …    the app wrote it. On iOS there is a name before it, and U+200E or U+200F
 *
 * Lines without such a beginning go on with the message above. Digits may be those of any script, years of other calendars
 * (`years.ts`), words around the clock of any language (`clock-words.ts`), spaces narrow or fixed; marks of direction may stand
 * anywhere. No zone, no ids, no reactions, no quotes.
 */

const bidi = '[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]{0,4}';
const digit = '\\p{Nd}';
const separator = `${bidi}(?:\\.\\s?|[/-]|\\s?[年년月월]\\s?)${bidi}`;
const numbers = `(?<a>${digit}{1,4})(?<separator>${separator})(?<b>${digit}{1,2})${separator}(?<c>${digit}{1,4})`;
const date = `(?:(?<era>${eraPattern})\\s?)?${numbers}[.日일]?${bidi}`;
const clock = `(?<hour>${digit}{1,2})(?:[:.]|\\s?h\\s?)(?<minute>${digit}{2})`;
const second = `(?:[:.]|\\smin\\s)(?<second>${digit}{2})(?:\\ss(?=[\\s\\]]))?`;
/** Words between the date and the clock, and behind the clock. */
const before = `(?<before>[^\\p{Nd}[\\]:\\n]{0,40}?)`;
const after = `(?<after>[^\\p{Nd}[\\]:\\n–-]{0,30}?)${bidi}`;
const timeFirst = `${after}[,،]?\\s${bidi}${date}`;

export const heads = {
  ios: new RegExp(`^${bidi}\\[${bidi}${date}${before}${clock}${second}${after}\\]\\s?`, 'u'),
  // Not [2023-12-24, 18:30], which is Signal's.
  'ios-minutes': new RegExp(`^${bidi}\\[${bidi}(?!${digit}{4}-)${date}${before}${clock}${after}\\]\\s?`, 'u'),
  'ios-time-first': new RegExp(`^${bidi}\\[${bidi}${clock}${second}${timeFirst}\\]\\s?`, 'u'),
  android: new RegExp(`^${bidi}${date}${before}${clock}(?:${second})?${after}\\s[-–]\\s`, 'u'),
  'android-time-first': new RegExp(`^${bidi}${clock}(?:${second})?${timeFirst}\\s[-–]\\s`, 'u'),
  early: new RegExp(`^${bidi}${date}${before}${clock}${second}${after}:\\s`, 'u'),
  web: new RegExp(`^${bidi}\\[${bidi}${clock}${timeFirst}\\]\\s?`, 'u'),
};

type Kind = keyof typeof heads;
const kinds = Object.entries(heads) as readonly (readonly [Kind, RegExp])[];

/** The beginning of a message: its time, as numbers in their written order, and the rest of the line. */
export interface Head {
  /** Numbers of the date from left to right. A year has four digits; a year of two digits is kept as written. */
  readonly date: readonly [number, number, number];
  /** Undefined for a time that no clock shows: `27:00`. */
  readonly secondOfDay: number | undefined;
  /** The shape that all messages of a file share. A line with a different shape was pasted into a message. */
  readonly shape: string;
  /** The same but for the digits of the year. */
  readonly outline: string;
  readonly dateShape: DateShape;
  /** Written before the date: `R` for Reiwa. */
  readonly era: string | undefined;
  /** How an iPhone writes. */
  readonly isIos: boolean;
  readonly hasSeconds: boolean;
  /** Copied out of a chat: a phone exports nothing like it. */
  readonly isCopied: boolean;
  /** Words next to the clock that belong to no known language and may be a half of the day. The hour is kept as written. */
  readonly unknown: string;
  readonly rest: string;
}

/** Evidence in the format of a date for the order of its numbers. */
export interface DateShape {
  /** Position of a year with four digits. */
  readonly year: 'first' | 'last' | 'short';
  /** False for dots or hyphens, with which months never come first. */
  readonly isSlashed: boolean;
  /** The half of the day in Chinese, Japanese or Korean: there the year comes first. */
  readonly isEastern: boolean;
}

export type DateOrder = 'day-first' | 'month-first' | 'year-first';

/** @returns undefined for a line that goes on with the message above. */
export function readHead(written: string): Head | undefined {
  if (!mayBegin(written)) return undefined;
  // The first year of an era has no number.
  const line = written.includes('元年') ? written.replace(/^(.{0,4}(?:令和|平成))元年/u, '$11年') : written;
  for (const [kind, pattern] of kinds) {
    const found = pattern.exec(line);
    if (found) return makeHead(kind, found.groups!, line.slice(found[0].length));
  }
  return undefined;
}

/** Most lines that go on begin with a letter. */
function mayBegin(line: string): boolean {
  const code = line.charCodeAt(0);
  return (code >= 48 && code <= 57) || code === 91 || firstMark.test(line);
}
const firstMark = new RegExp(
  `^(?:[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]|${digit}|${eraPattern}\\s?(?:${digit}|元年))`,
  'u',
);

function makeHead(kind: Kind, groups: Readonly<Record<string, string | undefined>>, rest: string): Head {
  const [a, b, c] = [groups.a!, groups.b!, groups.c!];
  const words = clockWords(groups.before ?? '', groups.after ?? '');
  const { hour, unknown } = hourOf(numberOf(groups.hour!), words);
  const [minute, second] = [numberOf(groups.minute!), numberOf(groups.second ?? '0')];
  const isOnClock = hour <= 23 && minute <= 59 && second <= 60;
  const year = isLong(a) || groups.era !== undefined ? 'first' : isLong(c) ? 'last' : 'short';
  const written = groups.separator!;
  const separator = written.length === 1 ? written : written.replace(marks, '').trim();
  return {
    date: [gregorian(numberOf(a)), numberOf(b), gregorian(numberOf(c))],
    secondOfDay: isOnClock ? (hour * 60 + minute) * 60 + second : undefined,
    shape: `${kind} ${year} ${separator} ${groups.second === undefined}`,
    outline: `${kind} ${separator} ${groups.second === undefined}`,
    dateShape: { year, isSlashed: separator === '/', isEastern: words.isEastern },
    era: groups.era,
    isIos: kind.startsWith('ios'),
    hasSeconds: groups.second !== undefined,
    isCopied: kind === 'web',
    unknown,
    rest,
  };
}

const marks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Text without marks of direction, with ordinary spaces, as names and words of the app are compared. */
export const plain = (text: string): string =>
  isPlain(text) ? text : text.replace(marks, '').replace(/\s+/g, ' ').trim();

/** Most text is, and looking is quicker than replacing. */
const isPlain = (text: string): boolean =>
  !notPlain.test(text) && !text.includes('  ') && !text.startsWith(' ') && !text.endsWith(' ');
const notPlain = /[\t-\r\u00a0\u061c\u1680\u2000-\u200a\u200e\u200f\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]/;

/** Digits of some scripts are two units each. */
const isLong = (digits: string): boolean => digits.length > 2 && [...digits].length > 2;

function numberOf(digits: string): number {
  const number = Number(digits);
  return Number.isNaN(number) ? Number(asciiDigits(digits)) : number;
}

/** Thai years count from the death of the Buddha. */
const gregorian = (year: number): number => (year > 2400 ? year - 543 : year);

/**
 * Returns the time in ms, as if it were UTC. Returns undefined if there is no such day or time of day, or if it is
 * before WhatsApp existed.
 */
export function localTime({ date, secondOfDay, era }: Head, order: DateOrder): number | undefined {
  const [a, b, c] = date;
  const [year, month, day] = order === 'year-first' ? [a, b, c] : order === 'day-first' ? [c, b, a] : [c, a, b];
  const midnight = secondOfDay === undefined ? undefined : dayOf(year, month, day, era);
  return midnight === undefined ? undefined : midnight + secondOfDay! * 1000;
}
