/** Date and time of day as somewhere's clock shows them, or exact where an offset was written with them. */
export interface LocalTime {
  /** As if it were UTC, in epoch ms. */
  readonly localMs: number;
  readonly nanoseconds: number;
  /** What was added to UTC, in ms; undefined where nothing says so. */
  readonly offsetMs?: number | undefined;
}

export interface TimeFields {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  /** 60 in a leap second, which becomes the first of the next minute. */
  readonly second: number;
  /** Digits after the second. */
  readonly fraction: string;
}

/** @returns undefined for a date or time of day that does not exist, such as 30 February. */
export function localTime(fields: TimeFields, offsetMs: number | undefined): LocalTime | undefined {
  const { year, month, day, hour, minute, second, fraction } = fields;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const nanosecond = fraction === '' ? 0 : Number(fraction.slice(0, 9).padEnd(9, '0'));
  // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  if (year < 100 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  const midnight = Date.UTC(year, month - 1, day);
  const localMs = midnight + ((hour * 60 + minute) * 60 + second) * 1000 + Math.floor(nanosecond / 1_000_000);
  return { localMs, nanoseconds: nanosecond % 1_000_000, offsetMs };
}

/** @param hours With its sign, which holds for the minutes too: `-03`. */
export const offsetOf = (hours: string, minutes: number): number =>
  (Math.abs(Number(hours)) * 60 + minutes) * (hours.startsWith('-') ? -60_000 : 60_000);

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : daysInMonth[month - 1]!;
}
