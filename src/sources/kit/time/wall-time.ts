/**
 * Wall times, and zones by the time zone data of `Intl`. (`Temporal` would say all this, but Node 22 and 24 do not have it.)
 *
 *     const berlin = new Zone('Europe/Berlin');
 *     const local = localTime({ year: 2026, month: 3, day: 29, hour: 2, minute: 30, second: 0, fraction: '' }, undefined);
 *     berlin.findInstant(local.localMs); // { atMs: …, assumed: 'gap' }: that night the clock went from 2:00 to 3:00
 */

/** Date and time of day as somewhere's clock shows them, or exact where an offset was written with them. */
export interface LocalTime {
  /** As if it were UTC, in epoch ms. */
  readonly localMs: number;
  readonly nanoseconds: number;
  /** Offset from UTC, in ms; undefined if the text has none. */
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

const dayMs = 86_400_000;

/** Days for which a zone keeps its offset in memory: some 30 years of messages, about 1 MB. */
const daysMax = 10_000;

/** An instant, and the assumption made if a local time names none or two. */
export interface ZonedInstant {
  readonly atMs: number;
  /** `gap`: the clock was put forward over this time; `overlap`: it was put back, and this time came twice. */
  readonly assumed?: 'gap' | 'overlap';
  /** For an overlap: the later of the two instants. */
  readonly laterMs?: number;
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Local times of one zone. */
export class Zone {
  readonly #format: Intl.DateTimeFormat | undefined;
  /** Offset in ms by day of local time; null if the clock may change around that day. */
  readonly #offsetOfDay = new Map<number, number | null>();

  /** @throws RangeError for a name that is no zone: see `isTimeZone`. */
  constructor(name: string) {
    if (name.toUpperCase() === 'UTC') return;
    this.#format = new Intl.DateTimeFormat('en', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /**
   * The instant of a local time. In a gap the time is read with the offset from before it, so that it comes out as much
   * later as the clock was put forward; of two instants the earlier one is taken.
   *
   * @param localMs The local date and time as if it were UTC, in epoch ms.
   */
  findInstant(localMs: number): ZonedInstant {
    if (!this.#format) return { atMs: localMs };
    const day = Math.floor(localMs / dayMs);
    let offset = this.#offsetOfDay.get(day);
    if (offset === undefined) {
      const before = this.#offsetAt((day - 1) * dayMs);
      offset = before === this.#offsetAt((day + 2) * dayMs) ? before : null;
      if (this.#offsetOfDay.size >= daysMax) this.#offsetOfDay.clear();
      this.#offsetOfDay.set(day, offset);
    }
    return offset === null ? this.#nearChange(localMs) : { atMs: localMs - offset };
  }

  #nearChange(localMs: number): ZonedInstant {
    const before = this.#offsetAt(localMs - dayMs);
    const after = this.#offsetAt(localMs + dayMs);
    const instants = [localMs - before, localMs - after].filter((atMs) => atMs + this.#offsetAt(atMs) === localMs);
    const [first, second] = instants;
    if (first === undefined) return { atMs: localMs - before, assumed: 'gap' };
    if (second === undefined || second === first) return { atMs: first };
    return { atMs: Math.min(first, second), assumed: 'overlap', laterMs: Math.max(first, second) };
  }

  /** Returns the offset from UTC at this instant, in ms. */
  #offsetAt(atMs: number): number {
    const parts = new Map(this.#format!.formatToParts(atMs).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
    const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
    const local = Date.UTC(year, part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return local - Math.floor(atMs / 1000) * 1000;
  }
}
