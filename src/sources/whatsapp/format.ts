import { localTime } from '../kit/time/wall-time.ts';

/**
 * Lines of "Export chat", as phones write them in the language and region that they are set to. There is no description of it but
 * that of how to make one (https://faq.whatsapp.com/1180414079177245, 2026-11); the rest is what exports have (looked at in 2026-11):
 *
 *     [24.12.23, 18:30:05] Ann: Hi                   iOS: brackets and seconds; also [2023/12/24 下午6:30:05], [24/12/23 6:30:05 p. m.]
 *     24/12/23, 6:30 pm - Ann: Hi                    Android: no seconds; also 24.12.2023 klo 18.30 - …, 2023. 12. 24. 오후 6:30 - …
 *     24/12/2023 18:30:05: Ann: Hi                   Android before 2015
 *     [18:30, 24/12/2023] Ann: Hi                    copied out of WhatsApp Web
 *     24/12/23, 18:30 - Ann changed the subject …    nobody's: the app wrote it. On iOS there is a name before it, and U+200E
 *
 * Lines without such a beginning go on with the message above. Digits may be Arabic, Persian or Devanagari, years Buddhist, spaces
 * narrow or fixed; marks of direction may stand anywhere. No zone, no ids, no reactions, no quotes.
 */

const bidi = '[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]{0,4}';
const digit = '[0-9\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f]';
/** A word that may stand around the time of day: `klo`, `下午`, `p.m.`. */
const word = '[^\\s0-9\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f[\\]:,،–-]';
const separator = `${bidi}(?:\\.\\s?|[/-])${bidi}`;
const date = `(?<a>${digit}{1,4})(?<separator>${separator})(?<b>${digit}{1,2})${separator}(?<c>${digit}{1,4})\\.?${bidi}`;
const clock = `(?<hour>${digit}{1,2})(?:[:.]|\\sh\\s)(?<minute>${digit}{2})`;
const second = `[:.](?<second>${digit}{2})`;
const before = `[,،]?\\s{0,2}(?<before>(?:${word}{1,12}\\s?){0,3})${bidi}`;
const after = `(?<after>(?:\\s?${word}{1,10}){0,3})${bidi}`;

export const heads = {
  ios: new RegExp(`^${bidi}\\[${bidi}${date}${before}${clock}${second}${after}\\]\\s?`),
  android: new RegExp(`^${bidi}${date}${before}${clock}(?:${second})?${after}\\s[-–]\\s`),
  early: new RegExp(`^${bidi}${date}${before}${clock}${second}${after}:\\s`),
  web: new RegExp(`^${bidi}\\[${bidi}${clock}${after}[,،]\\s${date}\\]\\s?`),
};

const kinds = Object.entries(heads);

/** The beginning of a message: its time as numbers, in the order in which they stand, and what is behind it. */
export interface Head {
  /** Numbers of the date from left to right. A year has four digits; one of two is as it stands. */
  readonly date: readonly [number, number, number];
  /** Undefined for a time that no clock shows: `27:00`. */
  readonly secondOfDay: number | undefined;
  /** What all messages of a file have in common: where it differs, somebody pasted the line into a message. */
  readonly shape: string;
  /** The same but for the digits of the year. */
  readonly outline: string;
  readonly dateShape: DateShape;
  readonly rest: string;
}

/** What the way a date is written says of the order of its numbers. */
export interface DateShape {
  /** Where the year has four digits. */
  readonly year: 'first' | 'last' | 'short';
  /** Nobody writes months first with dots or hyphens. */
  readonly isSlashed: boolean;
  /** The half of the day in Chinese, Japanese or Korean: there the year comes first. */
  readonly isEastern: boolean;
}

export type DateOrder = 'day-first' | 'month-first' | 'year-first';

/** @returns undefined for a line that goes on with the message above. */
export function readHead(line: string): Head | undefined {
  if (!mayBegin(line)) return undefined;
  for (const [kind, pattern] of kinds) {
    const found = pattern.exec(line);
    if (found) return headOf(kind, found.groups!, line.slice(found[0].length));
  }
  return undefined;
}

/** Most lines that go on begin with a letter. */
function mayBegin(line: string): boolean {
  const code = line.charCodeAt(0);
  return (code >= 48 && code <= 57) || code === 91 || (code > 0x600 && firstMark.test(line));
}
const firstMark = new RegExp(`^(?:[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]|${digit})`);

function headOf(kind: string, groups: Readonly<Record<string, string | undefined>>, rest: string): Head {
  const [a, b, c] = [groups.a!, groups.b!, groups.c!];
  const half = halfOfDay(`${groups.before}${groups.after}`);
  const hour = hourOf(numberOf(groups.hour!), half);
  const [minute, second] = [numberOf(groups.minute!), numberOf(groups.second ?? '0')];
  const isOnClock = hour <= 23 && minute <= 59 && second <= 60;
  const year = a.length > 2 ? 'first' : c.length > 2 ? 'last' : 'short';
  const written = groups.separator!;
  const separator = written.length === 1 ? written : written.replace(marks, '').trim();
  return {
    date: [gregorian(numberOf(a)), numberOf(b), gregorian(numberOf(c))],
    secondOfDay: isOnClock ? (hour * 60 + minute) * 60 + second : undefined,
    shape: `${kind} ${year} ${separator} ${groups.second === undefined}`,
    outline: `${kind} ${separator} ${groups.second === undefined}`,
    dateShape: {
      year,
      isSlashed: separator === '/',
      isEastern: half?.isEastern === true,
    },
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

function numberOf(digits: string): number {
  const number = Number(digits);
  return Number.isNaN(number) ? Number(digits.replace(/[^0-9]/g, (other) => String(digitOf(other)))) : number;
}

/** Arabic and Persian digits begin at a multiple of 16, those of Devanagari at U+0966. */
function digitOf(character: string): number {
  const code = character.charCodeAt(0);
  return code >= 0x966 ? code - 0x966 : code & 0xf;
}

/** Thai years count from the death of the Buddha. */
const gregorian = (year: number): number => (year > 2400 ? year - 543 : year);

const mornings =
  /^(?:am|πμ|öö|fm|vm|ص|قبلازظهر|قظ|पूर्वाह्न|sa|de|pd|пробяд|пробед|прпл|pg|上午|午前|오전|凌晨|清晨|早上)$/;
const evenings = /^(?:pm|μμ|ös|em|nm|م|بعدازظهر|بظ|अपराह्न|ch|du|md|слобяд|слобед|слпл|ptg|下午|午後|오후|中午|晚上)$/;
const eastern = /^[\u4e00-\u9fff\uac00-\ud7af]/;

interface HalfOfDay {
  readonly isEvening: boolean;
  readonly isEastern: boolean;
}

function halfOfDay(words: string): HalfOfDay | undefined {
  if (words === '') return undefined;
  const bare = words.replace(marks, '').replace(/[.\s]/g, '').toLowerCase();
  if (bare === '') return undefined;
  const isEvening = evenings.test(bare);
  return isEvening || mornings.test(bare) ? { isEvening, isEastern: eastern.test(bare) } : undefined;
}

function hourOf(hour: number, half: HalfOfDay | undefined): number {
  if (half === undefined || hour > 12) return hour;
  return (hour % 12) + (half.isEvening ? 12 : 0);
}

/** As if it were UTC, in ms; undefined where there is no such day or time of day, or WhatsApp was not there yet. */
export function localMsOf({ date, secondOfDay }: Head, order: DateOrder): number | undefined {
  const [a, b, c] = date;
  const [year, month, day] = order === 'year-first' ? [a, b, c] : order === 'day-first' ? [c, b, a] : [c, a, b];
  const fullYear = year < 100 ? 2000 + year : year;
  if (secondOfDay === undefined || fullYear < 2009 || fullYear > 2099) return undefined;
  const midnight = { year: fullYear, month, day, hour: 0, minute: 0, second: 0, fraction: '' };
  const time = localTime(midnight, undefined);
  return time && time.localMs + secondOfDay * 1000;
}
