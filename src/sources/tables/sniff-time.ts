import { type ColumnProfile, count } from './column-profile.ts';
import type { ReadTime } from '../kit/time-reading.ts';
import { timeReader } from '../kit/time-reading.ts';

/** A format that fits the values of a column. */
export interface FittingFormat {
  readonly format: string;
  readonly because: string;
  /** Whether the times say their own zone, or need none. */
  readonly isExact: boolean;
  /** Whether there are days only. */
  readonly isDayOnly: boolean;
}

const counts = ['unix-s', 'unix-ms', 'unix-us', 'pubnub', 'unix-ns'] as const;

const dates = [
  'd.M.yyyy',
  'd/M/yyyy',
  'M/d/yyyy',
  'd-M-yyyy',
  'M-d-yyyy',
  'yyyy/M/d',
  'yyyy.M.d',
  'd.M.yy',
  'd/M/yy',
  'M/d/yy',
  'd MMM yyyy',
  'MMM d, yyyy',
  'EEE, d MMM yyyy',
] as const;
const timesOfDay = ['H:mm', 'H:mm:ss', 'H:mm:ss.SSS', 'h:mm a', 'h:mm:ss a', 'H:mm:ss XXX'] as const;

const patterns: readonly string[] = dates.flatMap((date) => [
  date,
  ...timesOfDay.flatMap((time) => [`${date} ${time}`, `${date}, ${time}`]),
]);

/** Chats are younger than this; numbers that would be older are of another unit. */
const earliestMs = Date.UTC(1990, 0, 1);
const latestMs = Date.UTC(2100, 0, 1);

/** Values that may be something else: one in fifty. */
const shareMin = 0.98;

/** Every format that reads nearly all values as times between 1990 and 2100; the best share first, equals are ambiguous. */
export function sniffTime(profile: ColumnProfile): readonly FittingFormat[] {
  const { texts } = profile;
  if (texts.length === 0) return [];
  const isNumeric = texts.every((text) => /^-?\d+(?:[.,]\d+)?$/.test(text));
  const candidates = isNumeric ? [...counts, 'excel'] : ['iso', 'dotnet', ...patterns];
  const first = texts[0]!;
  const fitting = candidates
    .filter((format) => isNumeric || texts.length > 20 || plausible(format, first))
    .map((format) => ({ format, read: readAll(format, texts) }))
    .filter(({ read }) => read.length >= texts.length * shareMin)
    .sort((a, b) => b.read.length - a.read.length);
  const best = fitting[0]?.read.length ?? 0;
  return fitting.filter(({ read }) => read.length === best).map(({ format, read }) => describe(format, read, texts));
}

const plausible = (format: string, text: string): boolean => readAll(format, [text]).length === 1;

function readAll(format: string, texts: readonly string[]): readonly ReadTime[] {
  const read = timeReader(format, undefined);
  const found: ReadTime[] = [];
  for (const [index, text] of texts.entries()) {
    const time = read(text);
    if (time && time.atMs >= earliestMs && time.atMs < latestMs) found.push(time);
    // Most formats fit nothing: twenty misses say so.
    else if (index - found.length > 20 + texts.length * (1 - shareMin)) break;
  }
  return found;
}

function describe(format: string, read: readonly ReadTime[], texts: readonly string[]): FittingFormat {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { atMs } of read) {
    first = Math.min(first, atMs);
    last = Math.max(last, atMs);
  }
  const looks = /^\d+$/.test(texts[0]!)
    ? `${texts[0]!.length} digits`
    : `like ${JSON.stringify(texts[0]!.slice(0, 40))}`;
  return {
    format,
    because: `${count(read.length)} of ${count(texts.length)} values are ${looks}, ${day(first)} to ${day(last)}`,
    isExact: read.every(({ assumed }) => assumed === undefined),
    isDayOnly: !texts.some((text) => /\d:\d|T\d/.test(text)) && !/^unix|pubnub|excel|dotnet/.test(format),
  };
}

const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
