import { calendarDay } from '../kit/time/calendars.ts';
import { dateText, hourOfDay } from '../kit/time/date-words.ts';
import { clockMark, type ScannedDate, scanDate } from './date-scan.ts';

const spelledUnit = '\\s?(\\p{L}[\\p{L}\\p{M}]*)\\.?\\s?';
/** `9:00:00`, `18.05.07`, and with words for the units: `18 h 05 min 07 s`, `6시 5분 7초`. */
const clocks = [
  /(?<!\d)(\d{1,2})[:.](\d{2})[:.](\d{2})(?!\d)/,
  new RegExp(`(?<!\\d)(\\d{1,2})${spelledUnit}(\\d{1,2})${spelledUnit}(\\d{1,2})(?:\\s?(\\p{L}[\\p{L}\\p{M}]*))?`, 'u'),
];
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;
/** A zone that is not UTC. */
const offset = /(?:utc|gmt)\s?[+-]\s?\d/;

/**
 * The instant of a date as Takeout writes it, in whatever order, language, digits and calendar: `Thursday, November 3, 2016 at 11:59:50 AM
 * UTC`, `2026年5月29日星期五 UTC 03:00:29`, `2015. február 15., vasárnap 21:54:36 UTC`. Every word of it must be one of the language.
 *
 * @returns undefined for a language that is not known, a zone other than UTC, and a date that can be read in two ways.
 */
export function parseInstant(text: string): number | undefined {
  if (text.length > 200) return undefined;
  if (iso.test(text)) return Date.parse(text);
  const words = dateText(text);
  const found = clocks.map((clock) => clock.exec(words)).find((one) => one !== null);
  if (!found || offset.test(words)) return undefined;
  const [clock, ...parts] = found;
  const [hour, minute, second] = parts.filter((part) => /^\d/.test(part ?? '')).map(Number) as [number, number, number];
  if (minute > 59 || second > 60) return undefined;
  const units = parts.filter((part) => part !== undefined && !/^\d/.test(part)).join(' ');
  const behind = words.slice(found.index + clock.length);
  const rest = `${words.slice(0, found.index)} ${clockMark}${units}${clockMark} ${behind}`;
  const instants = new Map<number, boolean>();
  for (const { dayMs, hours, isWeekday } of readDay(rest)) {
    const inDay = hours === undefined ? hour : hour <= 12 ? hourOfDay(hour, [hours]) : undefined;
    if (inDay === undefined || inDay > 23) continue;
    const atMs = dayMs + ((inDay * 60 + minute) * 60 + second) * 1000;
    instants.set(atMs, isWeekday || instants.get(atMs) === true);
  }
  // One word may be different months in two languages. The day of the week decides.
  const certain = instants.size === 1 ? [...instants.keys()] : [...instants].flatMap(([ms, is]) => (is ? [ms] : []));
  return certain.length === 1 ? certain[0] : undefined;
}

/** A day, and the hours that match the words next to the clock. */
interface DayReading {
  readonly dayMs: number;
  readonly hours: number | undefined;
  /** Whether it has the day of the week that the date says. */
  readonly isWeekday: boolean;
}

/** Days by how they are written: most messages of a chat share theirs with others. */
const rememberedMax = 10_000;
const remembered = new Map<string, readonly DayReading[]>();

function readDay(date: string): readonly DayReading[] {
  const known = remembered.get(date);
  if (known !== undefined) return known;
  if (remembered.size >= rememberedMax) remembered.clear();
  const readings = scanDate(date).flatMap(possibleDays);
  remembered.set(date, readings);
  return readings;
}

/**
 * Reads a date from its numbers. The year has four digits. One of the other numbers is the day; if the month is a
 * number, it is directly before or after the day.
 */
function possibleDays({ numbers, months, weekdays, era, hours, isUtc }: ScannedDate): DayReading[] {
  const at = numbers.findIndex((number) => number.length === 4);
  const [first, second, more] = numbers.filter((_, index) => index !== at).map(Number);
  if (!isUtc || at === -1 || first === undefined || more !== undefined) return [];
  const year = Number(numbers[at]);
  const named = second === undefined ? months.map(([calendar, month]) => ({ calendar, month, day: first })) : [];
  const calendars = [...new Set([era ?? 'gregory', 'gregory', 'buddhist', 'persian', 'islamic-umalqura'])];
  const orders = at === 0 ? [[first, second!]] : [[second!, first]];
  const counted =
    second === undefined || months.length > 0
      ? []
      : calendars.flatMap((calendar) => orders.map(([month, day]) => ({ calendar, month: month!, day: day! })));
  return [...named, ...counted].flatMap(({ calendar, month, day }) => {
    const dayMs = isYearOf(calendar, year) ? calendarDay(calendar, [year, month, day]) : undefined;
    if (dayMs === undefined) return [];
    const isWeekday = weekdays.has(new Date(dayMs).getUTCDay());
    // Only the day of the week proves a calendar that is not ours.
    return calendar === 'gregory' || isWeekday ? [{ dayMs, hours, isWeekday }] : [];
  });
}

/** Years in which there was a chat of Google, as the calendar counts them. */
function isYearOf(calendar: string, year: number): boolean {
  const [from, to] = years[calendar] ?? [0, 0];
  return year >= from && year <= to;
}

const years: Readonly<Record<string, readonly [number, number]>> = {
  gregory: [2004, 2100],
  buddhist: [2547, 2643],
  persian: [1382, 1479],
  'islamic-umalqura': [1424, 1500],
};
