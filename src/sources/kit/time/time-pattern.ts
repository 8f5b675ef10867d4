import { type LocalTime, localTime, offsetOf } from './wall-time.ts';

/**
 * Patterns of times, with the letters of Unicode (UTS 35), which Java, .NET and Moment know too:
 *
 *     dd.MM.yyyy HH:mm:ss      01.03.2024 21:05:00
 *     M/d/yyyy h:mm a          3/1/2024 9:05 PM
 *     d MMM yyyy, HH:mm XXX    1 Mar 2024, 21:05 +01:00
 *     EEE MMM d HH:mm:ss z yyyy  Tue Oct 31 22:10:47 UTC 2017
 *
 * Months have names of the languages below, AM and PM also those of Chinese, Japanese and Korean. Text in single quotes stands for itself, and so does anything that is no letter.
 */

const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'nb', 'pl', 'cs'];

/**
 * Names of months without dots, in lower case, as used alone and after a day, long and short. A name for different
 * months in different languages is left out.
 */
let months: ReadonlyMap<string, number> | undefined;

function monthNames(): ReadonlyMap<string, number> {
  const names = new Map<string, number>([['sept', 9]]);
  for (const language of languages) {
    for (const style of ['long', 'short'] as const) {
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(language, { month: style, day, timeZone: 'UTC' });
        for (let month = 1; month <= 12; month++) {
          const parts = format.formatToParts(Date.UTC(2024, month - 1, 1));
          const name = plainName(parts.find(({ type }) => type === 'month')!.value);
          names.set(name, (names.get(name) ?? month) === month ? month : 0);
        }
      }
    }
  }
  return names;
}

function plainName(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/\.$/, '');
}

const american = { EST: -5, EDT: -4, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 };
const others = { UT: 0, UTC: 0, GMT: 0, WET: 0, WEST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3, MSK: 3, JST: 9, KST: 9 };

/** Words for zones that mean one offset all over the world, in hours; `CST`, `IST` and `BST` mean several. */
const zones: Readonly<Record<string, number>> = { ...others, ...american };

/** Pattern and field of each run of letters. */
const fields: Readonly<Record<string, readonly [pattern: string, field: string]>> = {
  yyyy: ['\\d{4}', 'year'],
  yy: ['\\d{2}', 'shortYear'],
  MMMM: ['\\p{L}+', 'monthName'],
  MMM: ['\\p{L}+\\.?', 'monthName'],
  MM: ['\\d{2}', 'month'],
  M: ['\\d{1,2}', 'month'],
  dd: ['\\d{2}', 'day'],
  d: ['\\d{1,2}', 'day'],
  HH: ['\\d{2}', 'hour'],
  H: ['\\d{1,2}', 'hour'],
  hh: ['\\d{2}', 'halfDayHour'],
  h: ['\\d{1,2}', 'halfDayHour'],
  mm: ['\\d{2}', 'minute'],
  m: ['\\d{1,2}', 'minute'],
  ss: ['\\d{2}', 'second'],
  s: ['\\d{1,2}', 'second'],
  a: ['[ap]\\.?\\s?m\\.?|上午|下午|午前|午後|오전|오후', 'halfDay'],
  XXX: ['Z|[+-]\\d{2}:?\\d{2}', 'offset'],
  z: ['\\p{L}{2,5}', 'zoneName'],
  EEEE: ['\\p{L}+', 'weekday'],
  EEE: ['\\p{L}+\\.?', 'weekday'],
};

/** Year 70 is 1970, year 69 is 2069, as POSIX has it. */
const pivot = 70;

/** Returns why a pattern is invalid, or undefined. */
export function patternFault(pattern: string): string | undefined {
  const names: string[] = [];
  for (const piece of splitPattern(pattern)) {
    if (!/^[A-Za-z]/.test(piece)) continue;
    const name = /^S+$/.test(piece) ? 'fraction' : fields[piece]?.[1];
    if (name === undefined) return `"${piece}" is no part of a time pattern`;
    if (names.includes(name)) return `"${piece}" comes twice`;
    names.push(name);
  }
  const hasDate = names.some((name) => /year/i.test(name)) && names.some((name) => /month/.test(name));
  return hasDate && names.includes('day') ? undefined : 'a pattern needs year, month and day: "yyyy-MM-dd HH:mm:ss"';
}

/** @param pattern One without faults. */
export function compilePattern(pattern: string): (text: string) => LocalTime | undefined {
  const source = splitPattern(pattern).map(pieceSource).join('');
  const expression = new RegExp(`^${source}$`, 'iu');
  return (text) => {
    const groups = expression.exec(text)?.groups;
    return groups && readLocalTime(groups);
  };
}

/** Says whether a text begins as times of a pattern do. @param pattern One without faults. */
export function beginsLike(pattern: string): (text: string) => boolean {
  const expression = new RegExp(`^${splitPattern(pattern).map(pieceSource).join('')}`, 'iu');
  return (text) => expression.test(text);
}

/** Runs of one letter, quoted text, and single other characters. */
const splitPattern = (pattern: string): readonly string[] =>
  pattern.match(/([A-Za-z])\1*|'(?:[^']|'')*'|[^A-Za-z]/gu) ?? [];

function pieceSource(piece: string): string {
  if (/^S+$/.test(piece)) return '(?<fraction>\\d{1,9})';
  if (/^[A-Za-z]/.test(piece)) {
    const [pattern, field] = fields[piece]!;
    return `(?<${field}>${pattern})`;
  }
  if (/^\s$/.test(piece)) return '\\s+';
  const literal = piece.length > 1 ? piece.slice(1, -1).replaceAll("''", "'") : piece;
  return literal.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function readLocalTime(groups: Readonly<Record<string, string | undefined>>): LocalTime | undefined {
  const { offset, zoneName } = groups;
  const zoneHours = zoneName === undefined ? undefined : zones[zoneName.toUpperCase()];
  if (zoneName !== undefined && zoneHours === undefined) return undefined;
  return localTime(
    {
      year: groups.year === undefined ? fullYear(Number(groups.shortYear)) : Number(groups.year),
      month: groups.month === undefined ? monthOf(groups.monthName!) : Number(groups.month),
      day: Number(groups.day),
      hour: hourOf(groups),
      minute: Number(groups.minute ?? 0),
      second: Number(groups.second ?? 0),
      fraction: groups.fraction ?? '',
    },
    zoneHours === undefined ? offsetIn(offset) : zoneHours * 3_600_000,
  );
}

const offsetIn = (offset: string | undefined): number | undefined =>
  offset === undefined ? undefined : /^z$/i.test(offset) ? 0 : offsetOf(offset.slice(0, 3), Number(offset.slice(-2)));

const fullYear = (year: number) => (year < pivot ? 2000 : 1900) + year;

/** 0, which is no month, for a name that is not known. */
function monthOf(name: string): number {
  // Made when the first name is met: it takes some 50 ms.
  months ??= monthNames();
  return months.get(plainName(name)) ?? 0;
}

/** 25, which is no hour, for a 13 o'clock with AM or PM. */
function hourOf({ hour, halfDayHour, halfDay }: Readonly<Record<string, string | undefined>>): number {
  if (halfDayHour === undefined) return Number(hour ?? 0);
  const counted = Number(halfDayHour);
  if (counted < 1 || counted > 12) return 25;
  return (counted % 12) + (/^(?:p|下午|午後|오후)/i.test(halfDay ?? '') ? 12 : 0);
}
