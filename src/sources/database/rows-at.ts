import { parsePointer } from '../../io/json/json-pointer.ts';
import { formatLocation, type Location } from '../../lib/text/location.ts';
import type { ShownRow } from '../source.ts';
import { rowsOfTable } from '../tables/rows-at.ts';
import type { Database, DatabaseTable } from './database.ts';
import { databaseRowReader, type ReadableTables } from './rows.ts';

/**
 * Returns the rows at some locations of a database, by formatted location: by their keys where the database can look these up, else those
 * among the first rows of their tables.
 */
export async function databaseRowsAt(
  database: Database,
  path: string,
  locations: readonly Location[],
): Promise<ReadonlyMap<string, ShownRow>> {
  const { signal } = new AbortController();
  const { tables } = database;
  const has = ({ name }: DatabaseTable, column: string) => database.has?.(name, column) ?? true;
  const found = new Map<string, ShownRow>();
  const look = async (rows: Database['rows'], table: string, places: Set<string>) =>
    await rowsOfTable(databaseRowReader({ tables, rows }, path, has, signal).rows(table, undefined), places, found);
  for (const [name, wanted] of Map.groupBy(locations, ({ pointer = '' }) => parsePointer(pointer)?.[0])) {
    const table = tables.find((one) => one.name === name);
    if (table === undefined) continue;
    const places = new Set(wanted.map(formatLocation));
    for (const location of wanted) {
      const key = keyOf(location, table);
      if (key === undefined || database.rowsOfKey === undefined) continue;
      const rowsOfKey: Database['rows'] = (_, columns) => database.rowsOfKey!(table, columns, key);
      await look(rowsOfKey, table.name, places);
    }
    if (places.size > 0) await look((...asked) => database.rows(...asked), table.name, places);
  }
  return found;
}

/**
 * The same tables, but of those of messages only the rows at some locations: found by their keys. All rows if the database cannot look them up, or
 * one of them is named by its number.
 */
export function withRowsWanted(
  database: Database,
  isOfMessages: (table: string) => boolean,
  locations: readonly Location[],
): ReadableTables {
  const { tables } = database;
  return {
    tables,
    async *rows(name, columns, signal) {
      const table = tables.find((one) => one.name === name);
      const ofTable = locations.filter(({ pointer = '' }) => parsePointer(pointer)?.[0] === name);
      const keys = ofTable.flatMap((location) => [keyOf(location, table!)].filter((key) => key !== undefined));
      const canLook = database.rowsOfKey !== undefined && keys.length > 0 && keys.length === ofTable.length;
      if (!canLook || !isOfMessages(name)) yield* database.rows(name, columns, signal);
      else
        for (const key of new Map(keys.map((values) => [values.join(), values])).values())
          yield* database.rowsOfKey!(table!, columns, key);
    },
  };
}

/** The values of a key as a location names them; undefined if one of them may have a comma itself. */
function keyOf({ pointer = '' }: Location, { primaryKey }: DatabaseTable): readonly string[] | undefined {
  const values = parsePointer(pointer)?.[1]?.split(',') ?? [];
  const isKnown = primaryKey.length > 0 && values.length === primaryKey.length;
  return isKnown ? values : undefined;
}
