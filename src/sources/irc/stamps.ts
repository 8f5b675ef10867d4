import { compilePattern } from '../kit/time/time-pattern.ts';
import { offsetOf } from '../kit/time/wall-time.ts';
import type { Stamp } from './format.ts';

const clock = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d)(?::(?<second>[0-5]\\d|60)(?:[.,]\\d{1,9})?)?';
const zone = '(?<zone>Z|[+-]\\d\\d:?\\d\\d)?';

/** `09:15`, `[09:15:00]`, `2026-03-02 09:15:00`, `[2026-03-02T09:15:00.000+0100]`, with or without a space behind it. */
export const plainStamp = new RegExp(
  `^\\[?(?:(?<date>\\d{4}-\\d\\d-\\d\\d)[T ])?${clock}${zone}(?:\\]|(?=[\\s<*-]))\\s*(?<body>.*)$`,
);
/** The same, and a tab: what is between tabs counts. */
export const tabStamp = new RegExp(`^(?:(?<date>\\d{4}-\\d\\d-\\d\\d)[T ])?${clock}${zone}\\t(?<body>.*)$`);
/** `Mar 02 09:15:00 `: no year. */
export const monthStamp = new RegExp(`^(?<month>\\p{L}{3,4}\\.?) (?<day>[ \\d]\\d) ${clock} (?<body>.*)$`, 'u');
/** `[Monday, 2 March 2026] [09:15:00 CET] ` */
export const wordyStamp =
  /^\[(?<words>[^\]]{6,40}\d)\] \[(?<hour>\d{1,2}):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d))?(?: (?<half>[AP]M))?(?: (?<zoneName>[A-Z]{2,5}))?\] (?<body>.*)$/i;
const bracketClock =
  '\\((?:(?<date>\\d{4}-\\d\\d-\\d\\d) )?(?<hour>\\d{1,2}):(?<minute>[0-5]\\d)(?::(?<second>[0-5]\\d))?(?: (?<half>[AP]M))?\\)';
/** `(09:15:00 AM) `, also with a day in front. */
export const bracketStamp = new RegExp(`^${bracketClock} (?<body>.*)$`, 'i');
/** The same in HTML: `<font color="#A82F2F"><font size="2">(09:15:00 AM)</font>`. */
export const htmlStamp = new RegExp(
  `^(?:<font color="#[\\da-f]{6}">)?<font size="2">${bracketClock}</font>(?<body>.*)$`,
  'i',
);
/** `[09:15:1772442900] `: the seconds since 1970 in place of those of the minute. The clock shows UTC. */
export const epochStamp = /^\[(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<epoch>\d{9,11})\] (?<body>.*)$/;

/** When a line was written, as far as it says. */
export interface StampTime {
  /** Midnight as if it were UTC. */
  readonly dayMs: number | undefined;
  /** For a line that says all of the day but its year. */
  readonly monthAndDay: string | undefined;
  readonly timeOfDayMs: number;
  /** Offset from UTC. */
  readonly offsetMs: number | undefined;
}

const dayPatterns = [
  ...[
    'EEE MMM d yyyy',
    'EEE MMM d HH:mm:ss yyyy',
    'yyyy-MM-dd',
    'yyyyMMdd',
    'yyyy.MM.dd',
    'yyyy/MM/dd',
    "yyyy-MM-dd'T'HH:mm:ss",
  ],
  ...['EEEE, d MMMM yyyy', 'EEEE, MMMM d, yyyy', 'EEEE d MMMM yyyy', 'EEEE, d. MMMM yyyy', 'EEE d MMM yyyy'],
].map(compilePattern);
const withYear = compilePattern('yyyy MMM d');
const zoned = compilePattern('yyyy-MM-dd z');

/** A day as logs and their names write it, as if it were UTC; any time of it. */
export function readDay(text: string): number | undefined {
  const plain = text.replace(/ {2,}/g, ' ').trim();
  for (const read of dayPatterns) {
    const day = read(plain);
    if (day) return day.localMs;
  }
  return undefined;
}

/** @param year In which a line without one was written. */
export const readMonthAndDay = (year: number, monthAndDay: string): number | undefined =>
  withYear(`${year} ${monthAndDay}`)?.localMs;

/** @returns undefined for a day that there is not. */
export function readStamp(stamp: Stamp): StampTime | undefined {
  if (stamp.epoch !== undefined) return readEpoch(stamp);
  const { date, words, month, day, half, zone: offset, zoneName } = stamp;
  const said = date ?? words;
  const dayMs = said === undefined ? undefined : readDay(said);
  if (said !== undefined && dayMs === undefined) return undefined;
  const hour = hourOf(Number(stamp.hour), half);
  if (hour === undefined) return undefined;
  return {
    dayMs: dayMs === undefined ? undefined : Math.floor(dayMs / 86_400_000) * 86_400_000,
    monthAndDay: month === undefined ? undefined : `${month.replace('.', '')} ${Number(day)}`,
    timeOfDayMs: ((hour * 60 + Number(stamp.minute)) * 60 + Number(stamp.second ?? 0)) * 1000,
    offsetMs: offset === undefined ? offsetOfName(zoneName) : offsetOfText(offset),
  };
}

/** A server whose clock shows another zone writes other seconds than those of the message: which of the two is right, nothing says. */
function readEpoch({ epoch, hour, minute }: Stamp): StampTime | undefined {
  const timeOfDayMs = (Number(epoch) % 86_400) * 1000;
  if (Math.floor(timeOfDayMs / 60_000) !== Number(hour) * 60 + Number(minute)) return undefined;
  return { dayMs: Number(epoch) * 1000 - timeOfDayMs, monthAndDay: undefined, timeOfDayMs, offsetMs: 0 };
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour <= 23 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
}

const offsetOfText = (text: string): number => (text === 'Z' ? 0 : offsetOf(text.slice(0, 3), Number(text.slice(-2))));

/** `CET`; undefined for a name that means several offsets. */
const offsetOfName = (name: string | undefined): number | undefined =>
  name === undefined ? undefined : zoned(`2000-01-01 ${name.toUpperCase()}`)?.offsetMs;
