import { z } from 'zod';
import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import type { RowProblem } from '../entries.ts';
import { excerpt } from '../narrow.ts';
import type { RowNotes } from '../rows/row-notes.ts';
import { isCountFormat, readCount, readJulian } from './counted-time.ts';
import { idFormats, idTimeReader, isIdFormat } from './id-time.ts';
import { compilePattern, patternFault } from './time-pattern.ts';
import { isTimeZone, type LocalTime, localTime, offsetOf, Zone } from './wall-time.ts';

/** Formats in which exports write an instant, in addition to patterns. */
export const timeFormats = [
  ...['iso', 'unix-s', 'unix-ms', 'unix-us', 'unix-ns', 'pubnub', 'apple-s', 'apple-ns', 'excel', 'julian'],
  ...['dotnet', 'dotnet-ticks', 'filetime', 'js', ...idFormats],
] as const;

/** Returns why the name of a format or a pattern is invalid, or undefined. */
export const formatFault = (format: string): string | undefined =>
  (timeFormats as readonly string[]).includes(format) || isIdFormat(format) ? undefined : patternFault(format);

/** For the options of a source whose times name no zone. Add the description where you use it. */
export const zoneSchema = z
  .string()
  .refine(isTimeZone, { error: 'expected a time zone such as Europe/Berlin, UTC or +02:00' })
  .optional();

/** A time as it was read. */
export interface ReadTime {
  readonly atMs: number;
  /** Part below a millisecond, in ns: 0 to 999,999. */
  readonly nanoseconds: number;
  /** Assumption that was made: `utc` if neither the time nor the mapping names a zone. */
  readonly assumed?: 'gap' | 'overlap' | 'utc';
}

/**
 * @returns undefined if the text is no such time. White space around it is ignored.
 */
export type TimeReader = (text: string) => ReadTime | undefined;

/**
 * Returns a reader of times in one format: `timeReader('d/M/yyyy, HH:mm', options.zone)('1/3/2026, 21:05')` is an
 * instant in epoch ms. If a local time is ambiguous, the assumption is named in `assumed`: `noteAssumption` reports it.
 *
 * @param format One of `timeFormats`, or a pattern that `compilePattern` accepts.
 * @param zone Zone of local times without an offset. Undefined: UTC, marked as assumed.
 */
export function timeReader(format: string, zone: string | undefined): TimeReader {
  const readInstant = instantReader(format);
  if (readInstant) return (text) => readInstant(text.trim());
  const clock = zone === undefined ? undefined : new Zone(zone);
  const readLocal = Object.hasOwn(localReaders, format)
    ? localReaders[format as keyof typeof localReaders]
    : compilePattern(format);
  return (text) => {
    const local = readLocal(text.trim());
    return local && toInstant(local, clock);
  };
}

/** Returns a reader for formats that need no zone. */
function instantReader(format: string): TimeReader | undefined {
  if (isCountFormat(format) && format !== 'dotnet-ticks') return (text) => readCount(text, format);
  if (format === 'julian') return readJulian;
  return format === 'dotnet' ? readDotnet : idTimeReader(format);
}

const localReaders = {
  iso: readIso,
  excel: readExcel,
  'dotnet-ticks': readTicks,
  js: readJsDate,
} as const satisfies Readonly<Record<string, (text: string) => LocalTime | undefined>>;

function toInstant({ localMs, nanoseconds, offsetMs }: LocalTime, zone: Zone | undefined): ReadTime {
  if (offsetMs !== undefined) return { atMs: localMs - offsetMs, nanoseconds };
  if (!zone) return { atMs: localMs, nanoseconds, assumed: 'utc' };
  const { atMs, assumed } = zone.findInstant(localMs);
  return assumed === undefined ? { atMs, nanoseconds } : { atMs, nanoseconds, assumed };
}

const isoPattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?)? ?(?:(Z|UTC|GMT)|([+-]\d\d):?(\d\d)?)?$/i;

/** ISO 8601 and RFC 3339 as databases write them: with T or a space, with or without seconds, fraction and offset. */
function readIso(text: string): LocalTime | undefined {
  return readUsualIso(text) ?? readAnyIso(text);
}

/** The most usual ways, `2026-03-02T09:00:00.123Z` and `2026-03-02 09:00:00`: several times faster than by a pattern. */
function readUsualIso(text: string): LocalTime | undefined {
  const isUtc = text.endsWith('Z');
  const end = isUtc ? text.length - 1 : text.length;
  const hasForm =
    end >= 19 &&
    text[4] === '-' &&
    text[7] === '-' &&
    (text[10] === 'T' || text[10] === ' ') &&
    text[13] === ':' &&
    text[16] === ':' &&
    (end === 19 || (text[19] === '.' && end > 20));
  if (!hasForm) return undefined;
  const year = digitsIn(text, 0, 4);
  const month = digitsIn(text, 5, 7);
  const day = digitsIn(text, 8, 10);
  const hour = digitsIn(text, 11, 13);
  const minute = digitsIn(text, 14, 16);
  const second = digitsIn(text, 17, 19);
  const fraction = end === 19 ? '' : text.slice(20, end);
  if (!(year + month + day + hour + minute + second + digitsIn(fraction, 0, fraction.length) >= 0)) return undefined;
  return localTime({ year, month, day, hour, minute, second, fraction }, isUtc ? 0 : undefined);
}

/** Returns NaN for anything but digits. */
function digitsIn(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

function readAnyIso(text: string): LocalTime | undefined {
  const match = isoPattern.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', utc, offsetHours, offsetMinutes = 0] =
    match;
  return localTime(
    {
      year: +year!,
      month: +month!,
      day: +day!,
      hour: +hour,
      minute: +minute,
      second: +second,
      fraction,
    },
    utc ? 0 : offsetHours === undefined ? undefined : offsetOf(offsetHours, +offsetMinutes),
  );
}

/** Days from 1970 back to Excel's day 0, 30 December 1899 (its 29 February 1900 never was). */
const excelEpochDays = 25_569;
/** 31 December 9999: Excel knows no later day. */
const excelDaysMax = 2_958_465;

/** Days since 1900 with the time of day as their fraction, rounded to the millisecond: 45292.5. */
function readExcel(text: string): LocalTime | undefined {
  if (!/^\d{1,7}(?:[.,]\d+)?$/.test(text)) return undefined;
  const days = Number(text.replace(',', '.'));
  if (days < 1 || days > excelDaysMax) return undefined;
  return { localMs: Math.round((days - excelEpochDays) * 86_400_000), nanoseconds: 0 };
}

/** `/Date(1709294400000+0100)/`: the offset only says where it was written. */
function readDotnet(text: string): ReadTime | undefined {
  const match = /^\\?\/Date\((-?\d+)(?:[+-]\d{4})?\)\\?\/$/.exec(text);
  return match ? readCount(match[1]!, 'unix-ms') : undefined;
}

/** `DateTime.Ticks`: those of `UtcNow` or of a local clock. */
function readTicks(text: string): LocalTime | undefined {
  const count = readCount(text, 'dotnet-ticks');
  return count && { localMs: count.atMs, nanoseconds: count.nanoseconds };
}

const readJsPattern = compilePattern("EEE MMM d yyyy H:mm:ss 'GMT'XXX");

/** JavaScript's `String(date)`: `Tue Oct 31 2017 22:10:47 GMT+0100 (Central European Standard Time)`; the words in brackets are nothing. */
function readJsDate(text: string): LocalTime | undefined {
  return readJsPattern(text.replace(/ \([^()]*\)$/, ''));
}

/** Ambiguity of a time: `day` if midnight passed in a log without a line about it. */
export type Assumption = NonNullable<ReadTime['assumed']> | 'day';

/** A row's time for which something may have been assumed. */
interface AssumedTime {
  readonly assumed: Assumption | undefined;
  /** The time, unchanged from the export. */
  readonly text: string;
  readonly location: Location;
}

/** Says what had to be assumed, if anything: with each row, but of the zone, which holds for the whole file, once. */
export function noteAssumption(notes: RowNotes, { assumed, text, location }: AssumedTime, into: Entry[]): void {
  if (assumed === undefined) return;
  const { code, reason } = assumptionProblem(assumed, text);
  if (assumed === 'utc') notes.addOnce(code, reason, location, into);
  else notes.add(code, reason, location, into);
}

function assumptionProblem(assumed: Assumption, text: string): RowProblem {
  switch (assumed) {
    case 'utc':
      return {
        code: 'zone-assumed',
        reason: 'Times without a zone are taken as UTC: set "zone" in the mapping if they are not',
      };
    case 'day':
      return {
        code: 'day-assumed',
        reason: 'The time of day starts over, and no line marks a new day; read as the next day',
      };
    case 'gap':
      return {
        code: 'time-in-gap',
        reason: `${excerpt(text)} never was: the clock was put forward over it; taken as that much later`,
      };
    case 'overlap':
      return {
        code: 'time-in-overlap',
        reason: `${excerpt(text)} came twice: the clock was put back; taken as the first of the two`,
      };
  }
}

const readUtc = timeReader('iso', 'UTC');

/** Epoch ms of a text of ISO 8601, without an offset in UTC; undefined for any other value. */
export const isoMs = (value: unknown): number | undefined =>
  typeof value === 'string' ? readUtc(value)?.atMs : undefined;
