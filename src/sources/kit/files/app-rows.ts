import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportInput } from '../../../io/input/export-input.ts';
import { parsePointer } from '../../../io/json/json-pointer.ts';
import { formatLocation, type Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import type { ReadContext } from '../../source.ts';
import type { ShownRow } from '../../table-source.ts';
import { inLists, isFullList } from '../entries.ts';
import { AppDatabase, type DatabaseShape } from './app-database.ts';
import { type DatabaseFiles, type DatabaseKind, databasesIn, databaseVerdict } from './app-database-files.ts';
import { headOrNothing } from './file-bytes.ts';
import { isOnDisk } from './on-disk.ts';
import { leftOut, type PathVerdict, sortPaths } from './paths.ts';
import { readRowFiles } from './read-files.ts';
import { isSqlite } from './sqlite-file.ts';
import { shownCell } from './shown-cell.ts';

const headBytes = 16;

/** A database to read. */
export interface DatabaseFile<Options> {
  readonly input: ExportInput;
  readonly path: string;
  readonly workspace: string;
  readonly options: Options;
}

/** The databases of an application, and the files that it keeps next to them. */
interface AppFiles<Options> {
  readonly files: DatabaseFiles<string>;
  /** Returns why a file is not read, if it belongs to the application. */
  beside(path: string, databases: ReadonlySet<string>): string | undefined;
  readDatabase(file: DatabaseFile<Options>): AsyncIterable<readonly Entry[]>;
}

export async function* readAppDatabases<Options>(
  input: ExportInput,
  options: Options,
  context: ReadContext,
  { files, beside, readDatabase }: AppFiles<Options>,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const databases = await databasesIn(input, files);
  const sorted = sortPaths(await input.paths(), (path): PathVerdict<DatabaseKind> => {
    const skip = beside(path, databases);
    return databaseVerdict(path, databases) ?? (skip === undefined ? undefined : { skip });
  });
  yield* inLists(leftOut(sorted));
  // A change in the log changes every row.
  yield sorted.of('log').map((path): Entry => ({ type: 'file', path, role: 'shared' }));
  const workspace = context.workspace ?? '';
  yield* readRowFiles({
    paths: sorted.of('database'),
    context,
    read: (path) => readDatabase({ input, path, workspace, options }),
  });
}

/** Rows between two turns of timers and signals. */
const rowsPerTurn = 250;

/** The entries that `add` makes of each row, in lists. */
export async function* listsOfRows<Row>(
  rows: Iterable<Row>,
  add: (row: Row, into: Entry[]) => Promise<void>,
): AsyncGenerator<readonly Entry[]> {
  let entries: Entry[] = [];
  let count = 0;
  for (const row of rows) {
    await add(row, entries);
    // Lists are gone through for it: not after each row.
    if (++count % rowsPerTurn !== 0 && !(count % 16 === 0 && isFullList(entries))) continue;
    yield entries;
    entries = [];
    await nextTurn();
  }
  yield entries;
}

/** Rows that are shown of an application's database. */
interface AppRows<Table extends string> {
  readonly shape: DatabaseShape<Table>;
  /** The table in locations, and the tables whose rows are shown, each with the column that has the number of a location. */
  readonly messages: string;
  readonly shown: readonly (readonly [table: Table, key: string])[];
  /** Of a file that has to be unpacked or copied: a larger one is not opened. */
  readonly bytesMax: number;
}

/**
 * Returns the rows of messages at some locations, by formatted location: the columns that are read and have a value.
 *
 * @throws SourceError
 */
export async function appRowsAt<Table extends string>(
  input: ExportInput,
  locations: readonly Location[],
  { shape, messages, shown, bytesMax }: AppRows<Table>,
): Promise<ReadonlyMap<string, ShownRow>> {
  const found = new Map<string, ShownRow>();
  for (const [path, ofPath] of Map.groupBy(locations, (location) => location.path)) {
    if (!isSqlite(await headOrNothing(input, path, headBytes))) continue;
    if (!(await isOnDisk(input, path)) && (await input.stat(path)).sizeBytes > bytesMax) continue;
    const db = await AppDatabase.open(input, path, shape);
    try {
      for (const location of ofPath) {
        const [table, number = ''] = parsePointer(location.pointer ?? '') ?? [];
        if (table !== messages || !/^-?\d{1,19}$/.test(number)) continue;
        const prefix = (of: string) => (shown.length > 1 ? `${of}.` : '');
        const row = shown.flatMap(([of, key]) => readCells(db, of, `${key} = ${number}`, prefix(of)));
        if (row.length > 0) found.set(formatLocation(location), row);
      }
    } finally {
      db.close();
    }
  }
  return found;
}

function readCells<Table extends string>(
  db: AppDatabase<Table>,
  table: Table,
  condition: string,
  prefix: string,
): ShownRow {
  if (!db.has(table)) return [];
  const [row] = db.rows(`SELECT ${db.selected(table, 't')} FROM "${table}" t WHERE t.${condition} LIMIT 1`);
  return Object.entries(row ?? {}).flatMap(([column, value]) =>
    value === null || value === undefined ? [] : [[`${prefix}${column}`, shownCell(value)] as const],
  );
}
