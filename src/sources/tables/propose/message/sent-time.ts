import { formatFault, timeReader } from '../../../kit/time/time-reading.ts';
import type { Reading } from '../../../table-source.ts';
import { valueText } from '../../bind/value.ts';
import { aliases } from '../aliases.ts';
import { type ColumnChoice, type ColumnProfile, count, evidence, mostly, profileOfValues } from '../columns.ts';
import { type FittingFormat, futureReadings, idReadings, readsBy, sniffTime, timeReadings } from './time.ts';

const names = aliases.message;
const keys = { from: 'messages.time.from', format: 'messages.time.format' };

interface Found {
  readonly profile: ColumnProfile;
  readonly formats: readonly FittingFormat[];
}

/**
 * When a message was sent: column, format and zone; or two columns for day and time of day.
 *
 * @param nowMs Nothing was sent later than a day after it.
 */
export function proposeTime(columns: ColumnChoice, nowMs = Date.now()): void {
  const { draft } = columns;
  const decided = draft.at('messages.time');
  const column = typeof decided === 'string' ? decided : draft.at(keys.from);
  const said = draft.at(keys.format);
  const format = isWrong(said) ? undefined : said;
  const isElsewhere = draft.at('messages.time.date') !== undefined || typeof column === 'object';
  if (isElsewhere) return;
  if (typeof column === 'string' && typeof format === 'string') {
    proposeZone(columns, readsBy(columns.profile(column), format));
    return;
  }
  const profiles = typeof column === 'string' ? [columns.profile(column)] : columns.candidates(names.time);
  const readings = (profile: ColumnProfile): readonly FittingFormat[] => {
    if (typeof format === 'string') return readsBy(profile, format);
    // Somebody has said that the column holds the time: it may be one of ids.
    const ids = profile.name === column ? readIds(columns, profile, nowMs) : [];
    const times = timeReadings(profile, nowMs).filter((time) => !ids.some(({ format }) => format === time.format));
    return decideFormat(columns, profile, [...ids, ...times]);
  };
  const found = withFormats(profiles, readings);
  if (found[0]) {
    const rivals = column === undefined ? findRivals(columns, found, withFormats(columns.unused, readings)) : [];
    chooseTime(columns, [...found, ...rivals], { decided, nowMs });
    return;
  }
  const others = typeof column === 'string' ? [] : withFormats(columns.unused, readings);
  const [sole, ...more] = others.filter(({ profile }) => profile.texts.length === profile.rowCount);
  if (sole && more.length === 0 && profiles.length === 0 && !isLater(sole.profile.name) && isOfSending(columns, sole)) {
    chooseTime(columns, [sole], { decided, nowMs });
    return;
  }
  if (others.length > 0 || typeof format === 'string') askForColumn(columns, profiles, others, { format, nowMs });
  else askAboutNoTime(columns, profiles, nowMs);
}

/** Whether the only column of times has one in each row, and they rise from row to row: those are written when a message is. */
function isOfSending(columns: ColumnChoice, found: Found): boolean {
  const times = readTimes(columns, found).map((at) => at ?? Number.NaN);
  return times.length >= risingMin && times.every((at, index) => index === 0 || at >= times[index - 1]!);
}

function readTimes({ rows }: ColumnChoice, { profile, formats }: Found): readonly (number | undefined)[] {
  const read = timeReader(formats[0]!.format, undefined);
  return rows.map((row) => read(valueText(row.get(profile.name)) ?? '')?.atMs);
}

/** Fewer rows may rise by accident. */
const risingMin = 5;

/** A format that is none is no answer: the options say so themselves. */
const isWrong = (format: unknown): boolean => typeof format === 'string' && formatFault(format) !== undefined;

const withFormats = (profiles: readonly ColumnProfile[], readings: (profile: ColumnProfile) => Found['formats']) =>
  profiles
    .map((profile): Found => ({ profile, formats: profile.texts.length > 0 ? readings(profile) : [] }))
    .filter(({ formats }) => formats.length > 0);

const hourMs = 3_600_000;

/** Other columns with a time in every row, which often is not the same: when a row was imported is not when it was sent. */
function findRivals(columns: ColumnChoice, found: readonly Found[], all: readonly Found[]): readonly Found[] {
  const [best] = found;
  const known = new Set(found.map(({ profile }) => profile.name));
  const sent = best ? readTimes(columns, best) : [];
  return all.filter((other) => {
    const { profile } = other;
    // Numbers of 16 digits that are ids look like times.
    const isId =
      /id$|nr$|no$|num/i.test(profile.name) ||
      profile.name.startsWith('$outer.') ||
      other.formats[0]!.format === 'excel';
    if (known.has(profile.name) || isLater(profile.name) || isId || profile.texts.length < profile.rowCount)
      return false;
    const differing = readTimes(columns, other).filter(
      (at, index) => Math.abs((at ?? 0) - (sent[index] ?? 0)) > hourMs,
    );
    return differing.length * 10 >= profile.rowCount;
  });
}

function chooseTime(
  columns: ColumnChoice,
  [best, ...others]: readonly Found[],
  { decided, nowMs }: { readonly decided: unknown; readonly nowMs: number },
): void {
  const { profile, formats } = best!;
  const isPlain = typeof decided === 'string';
  columns.use(profile.name);
  const [timeOfDay] =
    formats[0]!.isDayOnly && !isPlain
      ? [...columns.candidates(names.timeOfDay, isTimeOfDay), ...columns.unused.filter(isTimeOfDay)]
      : [];
  if (timeOfDay) {
    proposeTwoColumns(columns, profile, timeOfDay);
    return;
  }
  columns.draft.choose(keys.from, {
    value: profile.name,
    because: `"${profile.name}"; ${formats[0]!.because}`,
    // A time next to a more specific one usually belongs to another event. If they are equal, the user has to choose.
    alternatives: [
      ...others
        .filter((other) => !isLater(other.profile.name))
        .map((other) => ({ value: other.profile.name, because: other.formats[0]!.because })),
      // It may say when a row was changed.
      ...(isLater(profile.name) && decided === undefined ? idTimes(columns, nowMs) : []),
    ],
    isRequired: true,
  });
  // A column alone means ISO; any other format needs a place to be said.
  if (isPlain && formats[0]!.format !== 'iso') columns.draft.replace('messages.time', { from: decided });
  if (!isPlain || formats[0]!.format !== 'iso')
    proposeFormat(columns, formats, inWordsOfFuture(profile, formats, nowMs));
  proposeZone(columns, formats);
}

/** No column that is named like a time is one, as far as the formats go; others are by their values. */
function askForColumn(
  columns: ColumnChoice,
  named: readonly ColumnProfile[],
  others: readonly Found[],
  { format, nowMs }: { readonly format: unknown; readonly nowMs: number },
): void {
  const readings = ({ profile, formats: [best, ...more] }: Found) => ({
    value: profile.name,
    because: more.length > 0 ? `${best!.because}; it may be ${firstBy([best!, ...more])}` : best!.because,
  });
  // Not every message was edited.
  const isPartly = ({ profile }: Found) => profile.texts.length < profile.rowCount;
  const whole = others.filter((one) => !isPartly(one));
  const unread = typeof format === 'string' ? `is read by the format ${JSON.stringify(format)}` : 'is one';
  columns.draft.choose(keys.from, {
    because: named[0]
      ? `${showSample(named[0])}; no column named like a time ${unread}`
      : 'no column is named like a time',
    alternatives: [
      ...whole.map(readings),
      ...(whole.every(({ profile }) => isLater(profile.name)) ? idTimes(columns, nowMs) : []),
      ...others.filter(isPartly).map(readings),
      ...(typeof format === 'string' ? named.map((one) => ({ value: one.name, because: evidence(one) })) : []),
    ],
    isRequired: true,
  });
}

/** Nothing is a time of a known format: ids may hold one, times may be those of a clock that goes wrong. */
function askAboutNoTime(columns: ColumnChoice, [named]: readonly ColumnProfile[], nowMs: number): void {
  const { draft } = columns;
  if (!named) {
    const alternatives = idTimes(columns, nowMs);
    draft.choose(keys.from, { because: 'no column is named like a time', alternatives, isRequired: true });
    return;
  }
  const future = futureReadings(named, nowMs);
  columns.use(named.name);
  draft.choose(keys.from, { value: named.name, because: evidence(named), isRequired: true });
  draft.choose(keys.format, {
    because: `${showSample(named)}: ${future.length > 0 ? 'that is still to come' : whyNot(named)}`,
    alternatives: [...readIds(columns, named, nowMs), ...future].map(shownBy),
    isRequired: true,
  });
}

/** Columns whose ids hold the time at which they were made. */
const idTimes = (columns: ColumnChoice, nowMs: number): readonly Reading[] =>
  columns.unused.flatMap((profile) => {
    const found = profile.texts.length === 0 || isLink(profile.name) ? [] : readIds(columns, profile, nowMs);
    return found.length === 0
      ? []
      : [{ value: profile.name, because: `its ids hold the time at which they were made: ${firstBy(found)}` }];
  });

/** Whether a column names something else than the row itself: rooms and people were made before. */
const isLink = (name: string): boolean =>
  /(?:user|sender|author|room|channel|conversation|chat|thread|group|parent|reply|member|owner|tenant|account|team)/i.test(
    name,
  );

/** Ids that hold a time; by an epoch of one's own, if another time in the row tells when it was. */
function readIds(columns: ColumnChoice, profile: ColumnProfile, nowMs: number): readonly FittingFormat[] {
  const known = idReadings(profile, nowMs);
  const own = findEpoch(columns, profile);
  const formats = own === undefined ? [] : readsBy(profile, `snowflake-${own}`);
  return [...formats, ...known];
}

/** Between the making of an id and of a time in the same row. */
const delayMs = 3000;

/** Another time in the row, less the upper bits of its id: the same in half of the rows, and more where a row was changed. */
function findEpoch(columns: ColumnChoice, { name, texts }: ColumnProfile): number | undefined {
  if (!texts.every((text) => /^\d{15,20}$/.test(text))) return undefined;
  for (const other of columns.names.slice(0, columnsMax)) {
    const [format] = other === name ? [] : sniffTime(columns.profile(other));
    if (!format || format.format === 'excel') continue;
    const read = timeReader(format.format, undefined);
    const epochs = columns.rows.flatMap((row) => {
      const [id, time] = [valueText(row.get(name)), read(valueText(row.get(other)) ?? '')];
      return id && time ? [time.atMs - Number(BigInt(id) >> 22n)] : [];
    });
    const least = Math.min(...epochs);
    const near = epochs.filter((epoch) => epoch - least < delayMs).length;
    if (epochs.length < 3 || near * 2 < epochs.length || least < 0) continue;
    // Most begin with a day.
    const midnight = Math.round(least / dayMs) * dayMs;
    return Math.abs(midnight - least) < delayMs ? midnight : Math.floor(least / 1000) * 1000;
  }
  return undefined;
}

const firstBy = (formats: readonly FittingFormat[]): string =>
  formats.map(({ format, first }) => `${format} ${first}`).join(', ');

const showSample = ({ name, texts }: ColumnProfile): string =>
  `"${name}" holds ${texts
    .slice(0, 2)
    .map((text) => JSON.stringify(text.slice(0, 40)))
    .join(', ')}`;

function whyNot(profile: ColumnProfile): string {
  if (mostly(profile, (text) => /\bago$|^vor |^il y a |^hace /i.test(text))) return 'it does not give an exact time';
  if (isTimeOfDay(profile)) return 'a time of day, and no column says the day';
  return 'no format that is known fits';
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

/** Describes times in the future: scheduled messages, or a wrong clock. */
function inWordsOfFuture(
  { name, texts }: ColumnProfile,
  [best, ...others]: readonly FittingFormat[],
  nowMs: number,
): string | undefined {
  if (!best || others.length > 0 || best.lastMs < nowMs + dayMs) return undefined;
  const read = timeReader(best.format, undefined);
  const isToCome = (text: string) => (read(text)?.atMs ?? 0) >= nowMs + dayMs;
  const later = texts.filter(isToCome);
  return `"${name}" is still to come in ${count(later.length)} of ${count(texts.length)} rows, such as ${JSON.stringify(later[0]?.slice(0, 40))}: these rows cannot be sent`;
}

/** @param future The finding about times in the future. */
function proposeFormat(columns: ColumnChoice, formats: readonly FittingFormat[], future?: string): void {
  const [best, ...others] = formats;
  columns.draft.choose(keys.format, {
    ...(best && { value: best.format }),
    because: best
      ? others.length > 0
        ? shownBy(best).because
        : (future ?? best.because)
      : 'no format that is known fits day and time together',
    alternatives: others.map(shownBy),
    isRequired: true,
  });
}

const shownBy = ({ format, because, first }: FittingFormat): Reading => ({
  value: format,
  because: `the first row is from ${first}; ${because}`,
});

function proposeZone(columns: ColumnChoice, formats: readonly FittingFormat[]): void {
  if (formats[0]?.isExact !== false || columns.draft.at('messages.time.zone') !== undefined) return;
  columns.draft.choose('zone', {
    because: 'no time names its zone; set the time zone of the clock: Europe/Berlin, America/New_York …',
    alternatives: [{ value: 'UTC', because: 'if the clock was set to UTC, as on many servers' }],
  });
}

const isTimeOfDay = (profile: ColumnProfile) =>
  mostly(profile, (text) => /^(?:\d{1,2}:\d{2}|(?:[01]\d|2[0-3])(?:[0-5]\d){2}$)/.test(text));

/** Whether a name says that something happened to a message later. */
const isLater = (name: string) => /edit|updat|modif|delet|read|deliver|seen|expir/i.test(name);

/** Chats of the last century are rare. */
const rareMs = Date.UTC(2000, 0, 1);
const dayMs = 86_400_000;
/** Other columns that are looked at. */
const columnsMax = 60;

/** Chooses among several formats the one that puts the times within a day of another date in the row, if only one does. */
function decideFormat(
  columns: ColumnChoice,
  profile: ColumnProfile,
  formats: readonly FittingFormat[],
): readonly FittingFormat[] {
  if (formats.length < 2) return formats;
  const sorted = [...formats].sort((a, b) => Number(a.lastMs < rareMs) - Number(b.lastMs < rareMs));
  for (const name of columns.names.slice(0, columnsMax)) {
    const [other, second] = name === profile.name ? [] : sniffTime(columns.profile(name));
    // A number of five digits is a day of Excel's as well.
    if (!other || second || other.format === 'excel') continue;
    const countRows = (format: string) => rowsWithinADay(columns, [profile.name, format], [name, other.format]);
    const agreeing = sorted.filter(({ format }) => countRows(format).near >= Math.max(1, countRows(format).both * 0.9));
    const [winner] = agreeing;
    if (!winner || agreeing.length > 1) continue;
    const { near, both } = countRows(winner.format);
    const because = `${winner.because}; within a day of "${name}" in ${count(near)} of ${count(both)} rows, which no other format is`;
    return [{ ...winner, because }];
  }
  return sorted;
}

type NamedFormat = readonly [name: string, format: string];

function rowsWithinADay({ rows }: ColumnChoice, one: NamedFormat, other: NamedFormat) {
  const readers = [one, other].map(([name, format]) => {
    const read = timeReader(format, undefined);
    return (row: (typeof rows)[number]) => read(valueText(row.get(name)) ?? '')?.atMs;
  });
  const gaps = rows.flatMap((row) => {
    const [a, b] = readers.map((read) => read(row));
    return a === undefined || b === undefined ? [] : [Math.abs(a - b)];
  });
  return { both: gaps.length, near: gaps.filter((gap) => gap <= dayMs).length };
}
