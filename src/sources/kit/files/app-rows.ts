import type { ExportInput } from '../../../io/input/export-input.ts';
import { parsePointer } from '../../../io/json/json-pointer.ts';
import { formatLocation, type Location } from '../../../lib/text/location.ts';
import type { ShownRow } from '../../source.ts';
import { AppDatabase, type DatabaseShape } from './app-database.ts';
import { headOrNothing } from './file-bytes.ts';
import { isOnDisk } from './on-disk.ts';
import { isSqlite } from './sqlite-file.ts';
import { shownCell } from './shown-cell.ts';

const headBytes = 16;

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
        const row = shown.flatMap(([of, key]) => cellsOf(db, of, `${key} = ${number}`, prefix(of)));
        if (row.length > 0) found.set(formatLocation(location), row);
      }
    } finally {
      db.close();
    }
  }
  return found;
}

function cellsOf<Table extends string>(
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
