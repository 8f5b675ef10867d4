import { parsePointer } from '../../io/json/json-pointer.ts';
import { formatLocation, type Location } from '../../lib/text/location.ts';
import type { ShownRow } from '../table-source.ts';
import { queryPath } from '../tables/roles.ts';
import { QueriedTables } from '../tables/queried-tables.ts';
import { isQuery } from '../tables/roles.ts';
import { rowsOfTable } from '../tables/rows-at.ts';
import type { Database, DatabaseTable } from './database.ts';
import { namedColumns } from './named-columns.ts';
import { type DatabaseOptions, sharedOptions } from './options.ts';
import { databaseRowReader, type ReadableTables } from './rows.ts';

/**
 * Returns the rows at some locations of a database, by formatted location: by their keys where the database can look these up, else those
 * among the first rows of their tables. Of a server by their keys alone: it may give rows without a key in another order each time, and some
 * give a whole table or nothing.
 */
export async function databaseRowsAt(
  database: Database,
  path: string,
  locations: readonly Location[],
  { isServer }: { readonly isServer: boolean },
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
    if (places.size > 0 && !isServer) await look((...asked) => database.rows(...asked), table.name, places);
  }
  return found;
}

/**
 * The same tables, but of those of messages only the rows at some locations: found by their keys. All rows if the database cannot look them up, or
 * one of them is named by its number; of a server only those that it can look up.
 */
export function withRowsWanted(
  database: Database,
  isOfMessages: (table: string) => boolean,
  { locations, isServer }: { readonly locations: readonly Location[]; readonly isServer: boolean },
): ReadableTables {
  const { tables } = database;
  return {
    tables,
    async *rows(name, columns, signal) {
      const table = tables.find((one) => one.name === name);
      const ofTable = locations.filter(({ pointer = '' }) => parsePointer(pointer)?.[0] === name);
      const keys = ofTable.flatMap((location) => [keyOf(location, table!)].filter((key) => key !== undefined));
      const canLook = database.rowsOfKey !== undefined && keys.length > 0 && keys.length === ofTable.length;
      if (!isOfMessages(name) || !(canLook || isServer)) yield* database.rows(name, columns, signal);
      else
        for (const key of new Map(keys.map((values) => [values.join(), values])).values())
          yield* database.rowsOfKey!(table!, columns, key);
    },
  };
}

/**
 * Returns the rows of the mapping's query of messages at some locations, by formatted location. The query is asked again, of copies of its
 * tables, as for reading. Rows behind the first 20,000 are missing.
 */
export async function queryRowsAt(
  database: Database,
  path: string,
  locations: readonly Location[],
  options: DatabaseOptions,
): Promise<ReadonlyMap<string, ShownRow>> {
  const found = new Map<string, ShownRow>();
  const { bindings, tables } = sharedOptions(options);
  const ofQuery = locations.flatMap((location) => {
    const [table, line] = parsePointer(location.pointer ?? '') ?? [];
    return table === messagesPath
      ? [[formatLocation({ path: messagesPath, line: Number(line) }), location] as const]
      : [];
  });
  if (ofQuery.length === 0 || !isQuery(tables?.messages)) return found;
  const { signal } = new AbortController();
  const reader = databaseRowReader(database, path, namedColumns(options), signal);
  const request = { tables: { messages: tables.messages }, reader, nulls: bindings.nulls, signal };
  const names = database.tables.map(({ name }) => name);
  const queried = await QueriedTables.find(request, names, () => []);
  try {
    for await (const _ of queried.load(() => true));
    const places = new Set(ofQuery.map(([place]) => place));
    const rows = new Map<string, ShownRow>();
    await rowsOfTable(queried.of('messages')!.rows(), places, rows);
    for (const [place, location] of ofQuery) {
      const row = rows.get(place);
      if (row !== undefined) found.set(formatLocation(location), row);
    }
    return found;
  } finally {
    queried.close();
  }
}

const messagesPath = queryPath('messages');

/** The values of a key as a location names them; undefined if one of them may have a comma itself. */
function keyOf({ pointer = '' }: Location, { primaryKey }: DatabaseTable): readonly string[] | undefined {
  const values = parsePointer(pointer)?.[1]?.split(',') ?? [];
  const isKnown = primaryKey.length > 0 && values.length === primaryKey.length;
  return isKnown ? values : undefined;
}
