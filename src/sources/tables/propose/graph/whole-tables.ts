import { valueText } from '../../bind/value.ts';
import type { CellCondition, Row, RowReader, RowStep } from '../../row.ts';
import { type ColumnFacts, type Shape, tableFacts } from './facts.ts';
import { untilUnreadable } from '../../read-rows.ts';
import type { TableGroup } from './groups.ts';
import { isMarked } from '../message/markup.ts';

/** Values that are looked for: those of the samples of all tables, some 100 MB at most. */
const wantedMax = 1_000_000;

/** Rows of a table with plain texts that are read for markup, where a database finds by itself what else those behind the sample show. */
const readMax = 20_000;

/** Earlier results, for the next proposal of the same export: reading all of it takes as long as counting does. */
const known = new WeakMap<object, Map<string, Seen>>();

/** Facts about a whole table that its first rows do not show. */
interface Seen {
  /** Keys that other tables name. */
  readonly keys: ReadonlySet<string>;
  /**
   * Rows with a value that no row of the sample has, in a column of few values, or with one where all of them have none or the other way
   * round; or with markup in a text, where all of them are plain.
   */
  readonly unlike: readonly Row[];
}

/** Rows that are taken from behind the sample: for each column, and in all. */
const unlikePerColumn = 20;
const unlikeMax = 500;
/** UTF-16 units of all of them: a row may hold megabytes. */
const unlikeLength = 16 * 1024 * 1024;
/** Characters of a text in which markup is looked for; a longer one is no value of few. */
const lookedAt = 10_000;
/** So many different values are few. */
const fewValues = 20;

/**
 * Tables whose samples are not all of them, with those of their keys that the samples of other tables name: "every author is one of the
 * users" is seen in whole tables, not in their first rows; and with rows that are unlike those, such as the first draft after a thousand messages.
 *
 * @param of Whatever stays the same as long as the export does.
 */
export async function withWholeTables<Table>(
  groups: readonly TableGroup[],
  reader: RowReader<Table>,
  { of, nulls }: { readonly of: object; readonly nulls: readonly string[] },
): Promise<readonly TableGroup[]> {
  if (!groups.some(({ isCut }) => isCut)) return groups;
  const wanted = wantedIds(groups);
  const cache = known.get(of) ?? new Map<string, Seen>();
  known.set(of, cache);
  const whole: TableGroup[] = [];
  for (const group of groups) {
    if (!group.isCut) {
      whole.push(group);
      continue;
    }
    const name = JSON.stringify([group.paths, group.sample.table, group.sample.rows.length]);
    const seen = cache.get(name) ?? (await seenIn(group, reader, wanted));
    cache.set(name, seen);
    const rows = [...group.sample.rows, ...seen.unlike];
    const facts = tableFacts({ ...group.sample, rows }, group.name, nulls);
    const key = group.key && { ...group.key, ids: new Set([...group.key.ids, ...seen.keys]) };
    whole.push({ ...group, ...facts, key });
  }
  return whole;
}

/** Ids by the shape of their column: a number may look like a time. */
type WantedIds = ReadonlyMap<Shape | undefined, ReadonlySet<string>>;

const shapeOf = (column: ColumnFacts | undefined): Shape | undefined =>
  column?.shape === 'time' || column?.shape === 'long-id' ? 'number' : column?.shape;

function wantedIds(groups: readonly TableGroup[]): WantedIds {
  const wanted = new Map<Shape | undefined, Set<string>>();
  let count = 0;
  for (const { columns, key } of groups) {
    for (const column of columns) {
      const { ids } = column;
      const shape = shapeOf(column);
      if (column.name === key?.name || shape === 'text' || shape === 'json' || shape === 'flag') continue;
      const ofShape = wanted.get(shape) ?? new Set();
      wanted.set(shape, ofShape);
      for (const id of ids) if (count++ < wantedMax) ofShape.add(id);
    }
  }
  return wanted;
}

async function seenIn<Table>(group: TableGroup, reader: RowReader<Table>, wanted: WantedIds): Promise<Seen> {
  const { paths, sample, key } = group;
  const keys = new Set<string>();
  const ids = wanted.get(shapeOf(key));
  const strangers = new Strangers(group.columns, sample.declared?.primaryKey ?? []);
  const note = (row: Row) => {
    const id = key && valueText(row.get(key.name))?.trim();
    if (id !== undefined && ids?.has(id)) keys.add(id);
    strangers.note(row);
  };
  for (const path of paths) {
    const { rowsWhere } = reader;
    let left = rowsWhere === undefined ? Number.POSITIVE_INFINITY : strangers.hasPlainTexts ? readMax : 0;
    const rows = left > 0 ? rowsIn(reader.rows(path, { file: path, ...sample.table } as Table), path) : [];
    for await (const row of rows) {
      note(row);
      if (--left === 0) break;
    }
    if (left > 0 || rowsWhere === undefined) continue;
    const find = async (anyOf: readonly CellCondition[]) => {
      const values = key ? [...(ids ?? [])].filter((id) => !keys.has(id)) : [];
      const max = unlikePerColumn + values.length;
      const ofKey = values.length > 0 ? [{ column: key!.name, values, isOneOf: true }] : [];
      const before = keys.size + strangers.rows.length;
      let count = 0;
      if (anyOf.length + ofKey.length > 0)
        for await (const row of rowsIn(rowsWhere(path, [...anyOf, ...ofKey], max), path)) {
          note(row);
          count += 1;
        }
      return { isAll: count < max, isNew: keys.size + strangers.rows.length > before };
    };
    await strangers.find(find);
  }
  return { keys, unlike: strangers.rows };
}

/** Has a database look for rows that meet one of some conditions, or whose key is wanted still, and notes them. Says whether these were all, and whether they showed something. */
type Find = (anyOf: readonly CellCondition[]) => Promise<{ readonly isAll: boolean; readonly isNew: boolean }>;

async function* rowsIn(lists: AsyncIterable<readonly RowStep[]>, path: string): AsyncGenerator<Row> {
  for await (const steps of untilUnreadable(lists, path)) for (const step of steps) if (step.type === 'row') yield step;
}

/** Takes rows that show something new in a column. */
class Strangers {
  readonly rows: Row[] = [];
  #length = 0;
  readonly #columns: readonly {
    readonly name: string;
    readonly known: Set<string>;
    left: number;
    readonly isFew: boolean;
    /** Texts of which none in the sample has markup. */
    readonly isPlain: boolean;
  }[];

  /** @param always Columns that have a value in each row. */
  constructor(columns: readonly ColumnFacts[], always: readonly string[]) {
    this.#columns = columns.map(({ name, profile, shape }) => {
      const known = new Set(profile.texts);
      if (profile.texts.length < profile.rowCount) known.add('');
      const isFew = known.size <= fewValues;
      return {
        name,
        known: isFew ? known : new Set(known.has('') || always.includes(name) ? ['', filled] : [filled]),
        left: unlikePerColumn,
        isFew,
        isPlain: shape === 'text' && !isFew && !profile.texts.some(isMarked),
      };
    });
  }

  get hasPlainTexts(): boolean {
    return this.#columns.some(({ isPlain }) => isPlain);
  }

  /** Has a database look for values that are new in columns of few, and for rows without one where all have one: in all columns at once, as often as there are more. */
  async find(find: Find, columns = this.#columns): Promise<void> {
    for (;;) {
      const asked = columns.filter(({ isFew, known, left }) => left > 0 && (isFew || !known.has('')));
      const anyOf = asked.map(({ name, isFew, known }) => {
        return { column: name, values: isFew ? [...known] : [''], isOneOf: !isFew };
      });
      const { isAll, isNew } = await find(anyOf);
      if (isAll || asked.length === 0) return;
      if (isNew) continue;
      // Rows that show nothing new hide those that do.
      if (asked.length > 1) for (const column of asked) await this.find(find, [column]);
      return;
    }
  }

  note(row: Row): void {
    if (this.rows.length >= unlikeMax) return;
    let isNew = false;
    for (const column of this.#columns) {
      // Most columns have many values, and are filled or not as they were.
      if (column.left === 0 || (!column.isFew && !column.isPlain && column.known.size === 2)) continue;
      const text = valueText(row.get(column.name))?.trim() ?? '';
      if (!column.isFew && !column.isPlain && text !== '') continue;
      const shown = (column.isFew && text.length <= lookedAt) || text === '' ? text : filled;
      const isStrange = column.isPlain && isMarked(text.slice(0, lookedAt));
      if (!isStrange && column.known.has(shown)) continue;
      if (!isNew) {
        const length = lengthOf(row);
        // A shorter one may show the same.
        if (this.#length + length > unlikeLength) return;
        this.#length += length;
        this.rows.push(row);
        isNew = true;
      }
      column.known.add(shown);
      column.left -= 1;
    }
  }
}

const lengthOf = (row: Row): number =>
  row.names().reduce((sum, name) => sum + (valueText(row.get(name))?.length ?? 0), 0);

/** Stands for any value of a column of many. */
const filled = '\0';
