import { idFormats } from '../../../kit/time/id-time.ts';
import { beginsLike } from '../../../kit/time/time-pattern.ts';
import { type ReadTime, type TimeReader, timeReader } from '../../../kit/time/time-reading.ts';
import { type ColumnProfile, count } from '../columns.ts';

/** A format that fits the values of a column. */
export interface FittingFormat {
  readonly format: string;
  readonly because: string;
  /** The first value, read in this format: `2017-10-31 22:10:47`. */
  readonly first: string;
  /** The latest value, read so. */
  readonly lastMs: number;
  /** Whether the times say their own zone, or need none. */
  readonly isExact: boolean;
  /** Whether there are days only. */
  readonly isDayOnly: boolean;
}

/** Numbers that are seldom anything else, and those that ids may be as well. */
const tellingCounts = ['unix-s', 'unix-ms', 'unix-us', 'pubnub', 'unix-ns', 'excel'] as const;
const otherCounts = [
  ...['filetime', 'dotnet-ticks', 'apple-s', 'apple-ns', 'julian'],
  ...['yyyyMMdd', 'yyyyMMddHHmm', 'yyyyMMddHHmmss', 'yyyyMMddHHmmssSSS'],
] as const;
/** Ids of 64 bits, which are numbers of as many digits as nanoseconds. */
const numberIds = ['discord-id', 'twitter-id', 'mastodon-id', 'snowflake-0'] as const;

const dates = [
  ...['d.M.yyyy', 'd/M/yyyy', 'M/d/yyyy', 'd-M-yyyy', 'M-d-yyyy', 'yyyy/M/d', 'yyyy.M.d', 'yyyy-M-d', 'yyyy. M. d.'],
  ...['d.M.yy', 'd/M/yy', 'M/d/yy', 'd-M-yy', 'M-d-yy', 'yy.M.d', 'yy/M/d', 'yy-M-d'],
  ...['d MMM yyyy', 'd. MMM yyyy', 'd-MMM-yyyy', "d 'de' MMM 'de' yyyy", 'MMM d, yyyy', 'MMM d yyyy'],
  ...['EEE, d MMM yyyy', 'EEE, MMM d, yyyy', 'yyyyMMdd', 'yyyy年M月d日', 'yyyy年M月d日(EEE)'],
] as const;
const timesOfDay = [
  ...['H:mm', 'H:mm:ss', 'HHmmss', 'H:mm:ss.SSS', 'h:mm a', 'h:mm:ss a', 'a h:mm', 'a h:mm:ss'],
  ...['H:mm:ss XXX', 'H:mm:ss z', 'H:mm XXX', 'h:mm:ss a XXX'],
] as const;

/** All patterns that begin with a date. */
const listPatterns = (date: string): readonly string[] => [
  date,
  ...timesOfDay.flatMap((time) => [`${date} ${time}`, `${date}, ${time}`, `${date} 'at' ${time}`]),
];

let beginnings: readonly (readonly [date: string, isBeginning: (text: string) => boolean])[] | undefined;

/** Patterns that may fit one of some texts: of a thousand, those whose date it begins with. */
function patternsFor(texts: readonly string[]): readonly string[] {
  beginnings ??= dates.map((date) => [date, beginsLike(date)] as const);
  const found = beginnings.flatMap(([date, isBeginning]) => (texts.some(isBeginning) ? listPatterns(date) : []));
  return [...found, ...otherPatterns];
}

const otherPatterns: readonly string[] = [
  ...['EEE MMM d H:mm:ss yyyy', 'EEE MMM d H:mm:ss XXX yyyy', 'EEE MMM d H:mm:ss z yyyy'],
  ...["yyyyMMdd'T'HHmmss", "yyyyMMdd'T'HHmmssXXX", "yyyyMMdd'T'HHmmss.SSSXXX"],
];

const dayMs = 86_400_000;

/** Chats are younger than this; numbers that would be older are of another unit. */
const usualEarliestMs = Date.UTC(1990, 0, 1);
const earliestMs: Readonly<Record<string, number>> = {
  // The first telephone that wrote such times.
  'apple-s': Date.UTC(2007, 0, 1),
  'apple-ns': Date.UTC(2007, 0, 1),
  'discord-id': Date.UTC(2015, 4, 1),
  'twitter-id': Date.UTC(2010, 10, 1),
  'mastodon-id': Date.UTC(2016, 10, 1),
  // The first versions of the programs that make such ids.
  cuid: Date.UTC(2012, 0, 1),
  aid: Date.UTC(2014, 0, 1),
  aidx: Date.UTC(2014, 0, 1),
};

/** Values that may be something else: one in fifty. */
const shareMin = 0.98;

/**
 * Every format that reads nearly all values as times between 1990 and tomorrow; the best share first, equals are ambiguous. Formats in
 * which ids may be written too are left out.
 */
export function sniffTime(profile: ColumnProfile, nowMs = Date.now()): readonly FittingFormat[] {
  if (isNumeric(profile)) return fitting(profile, tellingCounts, nowMs);
  const found = fitting(profile, wordyFormats(profile), nowMs);
  if (found.length > 0) return found;
  // Some of the messages may be scheduled.
  const isUsual = ({ format }: FittingFormat) =>
    readAll(format, profile.texts, nowMs).length * 2 >= profile.texts.length;
  return futureReadings(profile, nowMs).filter(isUsual);
}

/** The same for a column that is likely to hold times: every format there is, but those of ids that are no number. */
export function timeReadings(profile: ColumnProfile, nowMs: number): readonly FittingFormat[] {
  if (!isNumeric(profile)) return sniffTime(profile, nowMs);
  return fitting(profile, [...tellingCounts, ...otherCounts, ...(mayBeIds(profile) ? numberIds : [])], nowMs);
}

/** Returns the readings of ids that contain the time of their creation. */
export const idReadings = (profile: ColumnProfile, nowMs: number): readonly FittingFormat[] =>
  fitting(profile, isNumeric(profile) ? numberIds : idFormats, nowMs);

/** Times of formats that leave no doubt, and that are still to come. */
export const futureReadings = (profile: ColumnProfile, nowMs: number): readonly FittingFormat[] =>
  isNumeric(profile) ? [] : fitting(profile, wordyFormats(profile), Math.max(nowMs, Date.UTC(2100)));

/** Returns whether a column can be read by the given format. */
export const readsBy = (profile: ColumnProfile, format: string): readonly FittingFormat[] =>
  fitting(profile, [format], Date.UTC(2100));

const isNumeric = ({ texts }: ColumnProfile) => texts.every((text) => /^-?\d+(?:[.,]\d+)?$/.test(text));

/** Instants of a clock are seldom so fine that not all of them end with zeros. */
const mayBeIds = ({ texts }: ColumnProfile) =>
  texts.every((text) => /^\d{18,19}$/.test(text)) && texts.some((text) => !text.endsWith('000'));

/** Values of which one at least must be a time, before all are looked at. */
const firstValues = 5;

/** Formats of texts that are no numbers. */
const wordyFormats = ({ texts }: ColumnProfile): readonly string[] => [
  ...['iso', 'js', 'dotnet'],
  ...patternsFor(texts.slice(0, firstValues)),
];

function fitting({ texts }: ColumnProfile, formats: readonly string[], nowMs: number): readonly FittingFormat[] {
  const first = texts.slice(0, firstValues);
  if (!first.some((text) => /\d/.test(text))) return [];
  const found = formats
    .filter((format) => readAll(format, first, nowMs).length > 0)
    .map((format) => ({ format, read: readAll(format, texts, nowMs) }))
    .filter(({ read }) => read.length >= texts.length * shareMin);
  // Year, month, day: patterns that read the same add nothing.
  if (found[0]?.format === 'iso') return [describe('iso', found[0].read, texts)];
  const best = Math.max(0, ...found.map(({ read }) => read.length));
  return found.filter(({ read }) => read.length === best).map(({ format, read }) => describe(format, read, texts));
}

/** Readers of the formats tried so far: some thousand, each a small function. */
const readers = new Map<string, TimeReader>();

function readerFor(format: string): TimeReader {
  const known = readers.get(format);
  if (known) return known;
  const read = timeReader(format, undefined);
  // Patterns of the user's own come and go.
  if (readers.size < 10_000) readers.set(format, read);
  return read;
}

/** Reads the times between the format's first year and one day after now. The extra day allows for wrong clocks and other time zones. */
function readAll(format: string, texts: readonly string[], nowMs: number): readonly ReadTime[] {
  const read = readerFor(format);
  const fromMs = earliestMs[format] ?? usualEarliestMs;
  const found: ReadTime[] = [];
  for (const [index, text] of texts.entries()) {
    const time = read(text);
    if (time && time.atMs >= fromMs && time.atMs < nowMs + dayMs) found.push(time);
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
    first: new Date(read[0]!.atMs).toISOString().slice(0, 19).replace('T', ' '),
    lastMs: last,
    isExact: read.every(({ assumed }) => assumed === undefined),
    isDayOnly: format === 'iso' ? !texts.some((text) => /\d:\d|T\d/.test(text)) : isDayPattern(format),
  };
}

/** Whether a format is a pattern without a time of day. */
const isDayPattern = (format: string) => /yy/.test(format) && !/[Hh]/.test(format.replace(/'[^']*'/g, ''));

const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
