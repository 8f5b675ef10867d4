import { type ReadTime, timeReader } from '../../kit/time/time-reading.ts';
import { aliases } from './aliases.ts';
import { type ColumnChoice, type ColumnProfile, count, evidence, mostly, profileOfValues } from './columns.ts';

const names = aliases.message;

/** When a message was sent: column, format and zone; or two columns for day and time of day. */
export function proposeTime(columns: ColumnChoice): void {
  const decided = columns.draft.at('messages.time');
  const named = typeof decided === 'string' ? decided : columns.draft.at('messages.time.from');
  const isFormatted = columns.draft.at('messages.time.format') !== undefined;
  if (columns.draft.at('messages.time.date') !== undefined || (isFormatted && named !== undefined)) return;
  const profiles = typeof named === 'string' ? [columns.profile(named)] : columns.candidates(names.time);
  const found = profiles
    .map((profile) => ({ profile, formats: sniffTime(profile) }))
    .filter(({ formats }) => formats.length > 0);
  const [best, ...others] = found;
  if (!best) {
    const because =
      profiles.length === 0
        ? 'no column is named like a time'
        : `the values of "${profiles[0]!.name}" fit no format that is known: ${profiles[0]!.texts
            .slice(0, 2)
            .map((text) => JSON.stringify(text.slice(0, 40)))
            .join(', ')}`;
    const alternatives = timesByValue(columns).map((profile) => ({ value: profile.name, because: evidence(profile) }));
    columns.draft.choose(profiles.length === 0 ? 'messages.time.from' : 'messages.time.format', {
      because,
      alternatives,
      isRequired: true,
    });
    return;
  }
  columns.use(best.profile.name);
  const timeOfDay = best.formats[0]!.isDayOnly ? columns.candidates(names.timeOfDay, isTimeOfDay)[0] : undefined;
  if (timeOfDay) {
    proposeTwoColumns(columns, best.profile, timeOfDay);
    return;
  }
  columns.draft.choose('messages.time.from', {
    value: best.profile.name,
    because: `"${best.profile.name}"; ${best.formats[0]!.because}`,
    // A time beside a more telling one is usually when something else happened; equals are for the user to tell apart.
    alternatives: others
      .filter(({ profile }) => !isLater(profile.name))
      .map(({ profile, formats }) => ({ value: profile.name, because: formats[0]!.because })),
    isRequired: true,
  });
  const isPlain = typeof decided === 'string';
  // A column alone means ISO; any other format needs a place to be said.
  if (isPlain && best.formats[0]!.format !== 'iso') columns.draft.replace('messages.time', { from: decided });
  if (!isPlain || best.formats[0]!.format !== 'iso') proposeFormat(columns, best.formats);
  proposeZone(columns, best.formats);
}

/** Without a telling name, what is a time by its values. */
function timesByValue(columns: ColumnChoice): readonly ColumnProfile[] {
  return columns.names.map((name) => columns.profile(name)).filter((profile) => sniffTime(profile).length > 0);
}

function proposeTwoColumns(columns: ColumnChoice, date: ColumnProfile, time: ColumnProfile): void {
  columns.use(time.name);
  const both = columns.rows.map((row) =>
    [row.get(date.name), row.get(time.name)].filter((part) => part !== undefined && part !== '').join(' '),
  );
  const formats = sniffTime(profileOfValues(both, date.name, columns.nulls));
  columns.draft.choose('messages.time.date', { value: date.name, because: evidence(date), isRequired: true });
  columns.draft.choose('messages.time.time', { value: time.name, because: evidence(time), isRequired: true });
  proposeFormat(columns, formats);
  proposeZone(columns, formats);
}

function proposeFormat(columns: ColumnChoice, formats: readonly FittingFormat[]): void {
  const [best, ...others] = formats;
  columns.draft.choose('messages.time.format', {
    ...(best && { value: best.format }),
    because: best?.because ?? 'no format that is known fits day and time together',
    alternatives: others.map(({ format, because }) => ({ value: format, because })),
    isRequired: true,
  });
}

function proposeZone(columns: ColumnChoice, formats: readonly FittingFormat[]): void {
  if (formats[0]?.isExact !== false || columns.draft.at('messages.time.zone') !== undefined) return;
  columns.draft.choose('zone', {
    because: 'no time names its zone; say where the clock stood: Europe/Berlin, America/New_York …',
    alternatives: [{ value: 'UTC', because: 'if the clock stood at UTC, as that of many servers does' }],
  });
}

const isTimeOfDay = (profile: ColumnProfile) => mostly(profile, (text) => /^\d{1,2}:\d{2}/.test(text));

/** Whether a name says that something happened to a message later. */
const isLater = (name: string) => /edit|updat|modif|delet|read|deliver|seen|expir/i.test(name);

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
