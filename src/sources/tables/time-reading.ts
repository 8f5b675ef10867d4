import { type LocalTime, localTime, offsetOf } from './local-time.ts';
import type { timeFormats } from './time-binding.ts';
import { compilePattern } from './time-pattern.ts';
import { textOf } from './value.ts';
import { Zone } from './zoned-time.ts';

/** A time as it was read. */
export interface ReadTime {
  readonly atMs: number;
  /** What is finer than a millisecond, in ns: 0 to 999,999. */
  readonly nanoseconds: number;
  /** What had to be assumed: `utc` where neither the time nor the mapping names a zone. */
  readonly assumed?: 'gap' | 'overlap' | 'utc';
}

/** @returns undefined where the value is no such time. */
export type TimeReader = (value: unknown) => ReadTime | undefined;

/** Digits after the second in what each unit counts. */
const fractionDigits = { 'unix-s': 0, 'unix-ms': 3, 'unix-us': 6, pubnub: 7, 'unix-ns': 9 } as const;

/**
 * Reads times of one format.
 *
 * @param format One of `timeFormats`, or a pattern that `compilePattern` takes.
 * @param zone Of local times without an offset. Undefined: UTC, marked as assumed.
 */
export function timeReader(format: string, zone: string | undefined): TimeReader {
  if (Object.hasOwn(fractionDigits, format)) {
    const digits = fractionDigits[format as keyof typeof fractionDigits];
    return (value) => readCount(textOf(value)?.trim() ?? '', digits);
  }
  const clock = zone === undefined ? undefined : new Zone(zone);
  if (format === 'dotnet') return (value) => readDotnet(textOf(value)?.trim() ?? '');
  const readLocal = localReaders[format as LocalFormat] ?? compilePattern(format);
  return (value) => {
    const local = readLocal(textOf(value)?.trim() ?? '');
    return local && toInstant(local, clock);
  };
}

type LocalFormat = Extract<(typeof timeFormats)[number], 'iso' | 'excel'>;
const localReaders: Readonly<Record<LocalFormat, (text: string) => LocalTime | undefined>> = {
  iso: readIso,
  excel: readExcel,
};

function toInstant({ localMs, nanoseconds, offsetMs }: LocalTime, zone: Zone | undefined): ReadTime {
  if (offsetMs !== undefined) return { atMs: localMs - offsetMs, nanoseconds };
  if (!zone) return { atMs: localMs, nanoseconds, assumed: 'utc' };
  return { nanoseconds, ...zone.instantOf(localMs) };
}

/** Numbers are taken apart as text: nanoseconds since 1970 have more digits than a JavaScript number. */
function readCount(text: string, digits: number): ReadTime | undefined {
  const match = /^(-?)(\d{1,20})(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, sign, whole, fraction = ''] = match;
  const all = whole!.padStart(digits, '0') + fraction;
  const msEnd = Math.max(whole!.length, digits) - digits + 3;
  const ms = Number(all.slice(0, msEnd).padEnd(msEnd, '0'));
  const nanoseconds = Number(all.slice(msEnd, msEnd + 6).padEnd(6, '0'));
  if (ms > latestMs) return undefined;
  if (sign === '') return { atMs: ms, nanoseconds };
  return nanoseconds === 0 ? { atMs: -ms, nanoseconds } : { atMs: -ms - 1, nanoseconds: 1_000_000 - nanoseconds };
}

/** The last instant that a JavaScript Date can hold: in the year 275760. */
const latestMs = 8_640_000_000_000_000;

const isoPattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?)? ?(?:(Z|UTC|GMT)|([+-]\d\d):?(\d\d)?)?$/i;

/** ISO 8601 and RFC 3339 as databases write them: with T or a space, with or without seconds, fraction and offset. */
function readIso(text: string): LocalTime | undefined {
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
  return match ? readCount(match[1]!, fractionDigits['unix-ms']) : undefined;
}
