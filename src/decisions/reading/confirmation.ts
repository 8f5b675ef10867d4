import { sha256Hex } from '../../lib/hash.ts';
import { sortedKeys } from '../../lib/settings.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import type { ReadingRules } from '../../mapping/rules.ts';
import { namesAudience, saysHidden, saysUndelivered, splitWords } from '../../model/visibility-words.ts';
import type { ExportTables } from '../../model/export-tables.ts';
import { keptBackRules } from '../../model/kept-back.ts';
import type { Store } from '../../store/open.ts';
import { alarmName, type Decision } from '../decision.ts';
import { namesInOptions } from '../../rows/names-in-options.ts';

/** How the rows of tables are read: what a person confirms by its digest. */
export interface Reading {
  /** The section `source`, as its source takes it. */
  readonly options: unknown;
  readonly tables: ExportTables;
  /** Values by which rows are sorted, by role and column. */
  readonly words: Readonly<Record<string, readonly string[]>>;
}

/** Everything between a reading and the first message. */
export interface Judgement {
  /** Made of the reading and of the alarms that fired. */
  readonly digest: string;
  readonly state: 'proposed' | 'confirmed' | 'by hand';
  readonly by: string | null;
  readonly at: string | null;
  /** Why nothing is sent, a sentence each; none: it goes on. */
  readonly stops: readonly string[];
  /** Tables and columns that are new in the export since it was confirmed, and change nothing of what is read. */
  readonly news: readonly string[];
  /** Alarms of a confirmed reading that keep back the messages which tripped them. */
  readonly keepsBack: readonly Decision[];
}

/** Returns the reading of the latest plan; undefined for a source whose fields are fixed. */
export function storedReading(store: Store): Reading | undefined {
  const tables = store.facts.read('tables');
  if (tables === undefined) return undefined;
  const words = JSON.parse(store.facts.read('words') ?? '{}') as Reading['words'];
  return { options: JSON.parse(store.facts.read('sourceOptions') ?? '{}'), tables: JSON.parse(tables), words };
}

/** @param alarms That fired, and that nobody has found to be right. */
export function judgeReading(
  reading: Reading,
  { proposed, confirmed }: Pick<ReadingRules, 'proposed' | 'confirmed'>,
  alarms: readonly Decision[],
): Judgement {
  const digest = readingDigest(reading, alarms);
  if (confirmed !== undefined) {
    const { by, at } = confirmed;
    const { stops, news } = compare(reading, confirmed);
    const keepsBack = alarms.filter(isKeptBack);
    const told = alarms.map(
      (alarm) =>
        `${alarm.why}${isKeptBack(alarm) ? `: these messages are kept back until you confirm them with --confirm-reading ${digest}` : ''}.`,
    );
    return { digest, state: 'confirmed', by, at, stops, news: [...news, ...told], keepsBack };
  }
  const unseen = proposed ? ['Nobody has confirmed yet how the rows are read.'] : [];
  const stops = [...unseen, ...alarms.map(({ why }) => `${why}.`)];
  return { digest, state: proposed ? 'proposed' : 'by hand', by: null, at: null, stops, news: [], keepsBack: [] };
}

/** Messages would go under a wrong name, or unreadable. */
const isKeptBack = (alarm: Decision): boolean => alarmName(alarm) in keptBackRules;

const digestOf = (value: unknown): string => sha256Hex(JSON.stringify(value, sortedKeys)).slice(0, 12);

/** The value that `--confirm-reading` takes. */
function readingDigest(reading: Reading, alarms: readonly Decision[]): string {
  const { options, words } = reading;
  return digestOf({ options, types: markedTypes(reading), words, alarms: alarms.map(({ id }) => id).sort() });
}

/** The columns that the options name, and those that may hide rows, by table, with their types. */
function markedTypes({ options, tables }: Reading): Readonly<Record<string, string>> {
  const names = namesInOptions(options);
  return Object.fromEntries(
    Object.entries(tables.read).flatMap(([table, columns]) =>
      Object.entries(columns).flatMap(([column, type]) =>
        names.has(column) || mayHide(column) ? [[`${table}.${column}`, type]] : [],
      ),
    ),
  );
}

/** The section `reading` of a mapping after a person has confirmed a reading with its alarms. */
export const confirmedRules = (
  reading: Reading,
  alarms: readonly Decision[],
  { seen, by, atMs }: { readonly seen: ReadingRules['seen']; readonly by: string; readonly atMs: number },
): ReadingRules => ({
  proposed: false,
  seen: { ...seen, ...Object.fromEntries(alarms.flatMap(whatWasShown)) },
  confirmed: {
    digest: readingDigest(reading, alarms),
    by,
    at: new Date(atMs).toISOString(),
    source: digestOf(reading.options),
    tables: mapValues(reading.tables.read, (columns) => ({ ...columns })),
    others: Object.keys(reading.tables.others),
    words: mapValues(reading.words, (words) => [...words]),
  },
});

/** Set by the option of an alarm that says that the reading is right. */
const whatWasShown = ({ options }: Decision): readonly (readonly [string, string])[] =>
  options.flatMap(({ effect }) =>
    'sets' in effect
      ? Object.entries(effect.sets).flatMap(([key, value]) =>
          key.startsWith(seenKey) ? [[key.slice(seenKey.length), value] as const] : [],
        )
      : [],
  );

const seenKey = 'reading.seen.';

const mapValues = <From, To>(record: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));

/** The difference between what was confirmed and what is there now. */
function compare(
  { options, tables, words }: Reading,
  confirmed: NonNullable<ReadingRules['confirmed']>,
): Pick<Judgement, 'stops' | 'news'> {
  const names = namesInOptions(options);
  const stops =
    confirmed.source === digestOf(options)
      ? []
      : ['The section source of the mapping was changed since it was confirmed.'];
  const news: string[] = [];
  const columnsThen = new Set(Object.values(confirmed.tables).flatMap((columns) => Object.keys(columns)));
  for (const [table, now] of Object.entries(tables.read)) {
    // A file of another day is compared with all that were there.
    const then = Object.hasOwn(confirmed.tables, table) ? confirmed.tables[table] : undefined;
    const bound = Object.entries(then ?? {}).filter(([column]) => names.has(column));
    const typeNow = (column: string) => (Object.hasOwn(now, column) ? now[column] : undefined);
    stops.push(...bound.flatMap(([column, type]) => columnFault(`${table}.${column}`, type, typeNow(column))));
    for (const column of Object.keys(now)) {
      if (then ? Object.hasOwn(then, column) : columnsThen.has(column)) continue;
      const name = shown(`${table}.${column}`);
      if (mayHide(column)) stops.push(`The new column ${name} may say who sees a row, or that it was deleted.`);
      else news.push(`The column ${name} is new, and is not read.`);
    }
  }
  for (const [table, columns] of Object.entries(confirmed.tables)) {
    const isFile = Object.values(columns).every((type) => type === '');
    if (!isFile && !Object.hasOwn(tables.read, table)) stops.push(`The table ${shown(table)} is gone.`);
  }
  const known = new Set(confirmed.others);
  for (const table of Object.keys(tables.others))
    if (!known.has(table)) news.push(`The table ${shown(table)} is new, and is not read.`);
  for (const [column, found] of Object.entries(words)) {
    const others = found.filter((word) => !confirmed.words[column]?.includes(word)).map(shown);
    if (others.length > 0)
      stops.push(`The column ${shown(column)} has new values: ${others.slice(0, newWordsMax).join(', ')}.`);
  }
  return { stops, news };
}

/** New values that are named. */
const newWordsMax = 5;

/** Files declare no types: a column that one of them lacks is said where it is read. */
function columnFault(column: string, before: string, now: string | undefined): readonly string[] {
  if (now === undefined) return before === '' ? [] : [`The column ${shown(column)} is gone.`];
  return now === before ? [] : [`The column ${shown(column)} was ${shown(before)}, and is ${shown(now)}.`];
}

/** Whether a column of this name may be a mark of visibility or deletion. */
function mayHide(column: string): boolean {
  const words = splitWords(column);
  return saysHidden(words) || saysUndelivered(words) || namesAudience(words);
}

const shown = (text: string): string => `"${oneLine(text)}"`;
