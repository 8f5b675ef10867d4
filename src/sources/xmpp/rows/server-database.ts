import { setImmediate as nextTurn } from 'node:timers/promises';
import { SourceError } from '../../../lib/errors.ts';
import type { ExportInput } from '../../../io/input/export-input.ts';
import { formatLocation, type Location } from '../../../lib/text/location.ts';
import { parsePointer } from '../../../io/json/json-pointer.ts';
import { shownCell } from '../../kit/files/shown-cell.ts';
import type { ShownRow } from '../../table-source.ts';
import { isSqlite, openSqliteFile, sqliteFault } from '../../kit/files/sqlite-file.ts';
import type { Row } from './row.ts';
import type { TableNotes } from './table-file.ts';
import { columns, type TableKind, tableRow, telling } from './table-rows.ts';

const sqlTables: readonly (readonly [table: string, kind: TableKind])[] = [
  ['archive', 'ejabberd'],
  ['prosodyarchive', 'prosody'],
];

/** The table of a SQLite file of a server, if the names in its first pages say that it has one. */
export function mayBeServerDatabase(head: Uint8Array): boolean {
  if (!isSqlite(head)) return false;
  const text = Buffer.from(head).toString('latin1');
  return /create table ["'`]?(?:archive|prosodyarchive)["'`]?\s*\(/i.test(text);
}

/** Rows between two turns of timers and signals. */
const rowsPerList = 250;

/** Rows in the order in which they were stored. @throws SourceError */
export async function* sqliteRows(input: ExportInput, path: string, notes: TableNotes): AsyncGenerator<readonly Row[]> {
  try {
    const file = await opened(input, path);
    try {
      const [table, kind] = tableIn(file.db, path);
      let rows: Row[] = [];
      for (const [row, location] of selected(file.db, { table, kind, path })) {
        const read = tableRow(kind, (name) => row[name], location);
        if (typeof read === 'string') notes.other(read);
        else rows.push(read);
        if (rows.length < rowsPerList) continue;
        yield rows;
        rows = [];
        await nextTurn();
      }
      yield rows;
    } finally {
      file.close();
    }
  } catch (error) {
    throw sqliteFault(error, path) ?? error;
  }
}

async function opened(input: ExportInput, path: string): ReturnType<typeof openSqliteFile> {
  const isLogged = (await input.paths()).includes(`${path}-wal`);
  const head = await input.head(path, 100);
  const local = await input.materialise(path);
  const log = isLogged ? await input.materialise(`${path}-wal`) : undefined;
  return await openSqliteFile({ path: local, head, log });
}

/** Returns rows at some locations of a database, by formatted location: the columns that are read and have a value. @throws SourceError */
export async function sqliteRowsAt(
  input: ExportInput,
  path: string,
  locations: readonly Location[],
): Promise<ReadonlyMap<string, ShownRow>> {
  const found = new Map<string, ShownRow>();
  try {
    const file = await opened(input, path);
    try {
      const [table, kind] = tableIn(file.db, path);
      for (const location of locations) {
        const [of, number = ''] = parsePointer(location.pointer ?? '') ?? [];
        if (of !== table || !/^-?\d{1,19}$/.test(number)) continue;
        for (const [row] of selected(file.db, { table, kind, path, only: `rowid = ${number}` }))
          found.set(formatLocation(location), shownRow(row));
      }
    } finally {
      file.close();
    }
  } catch (error) {
    throw sqliteFault(error, path) ?? error;
  }
  return found;
}

const shownRow = ({ '#': _, ...cells }: Readonly<Record<string, string | undefined>>): ShownRow =>
  Object.entries(cells).flatMap(([column, value]) =>
    value === undefined ? [] : [[column, shownCell(value)] as const],
  );

type Database = Awaited<ReturnType<typeof openSqliteFile>>['db'];

const namesIn = (db: Database, table: string): string[] =>
  db
    .prepare(
      "SELECT c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name = ?",
    )
    .all(table)
    .map(({ name }) => String(name));

function tableIn(db: Database, path: string): readonly [table: string, kind: TableKind] {
  for (const [table, kind] of sqlTables) {
    const names = namesIn(db, table);
    if (telling[kind].every((name) => names.includes(name))) return [table, kind];
  }
  throw new SourceError(
    'Cannot read the database: expected the table "archive" of ejabberd or "prosodyarchive" of Prosody',
    {
      location: { path },
    },
  );
}

/** Characters of a stanza: a longer one is none, and is not read. */
const valueMax = 2 ** 20;

/** Rows with their places. Numbers become text in SQLite itself. */
function* selected(
  db: Database,
  {
    table,
    kind,
    path,
    only,
  }: { readonly table: string; readonly kind: TableKind; readonly path: string; readonly only?: string },
) {
  const names = new Set(namesIn(db, table));
  const list = columns[kind].map((name) =>
    names.has(name)
      ? `CASE WHEN length("${name}") <= ${valueMax} THEN CAST("${name}" AS TEXT) END AS "${name}"`
      : `NULL AS "${name}"`,
  );
  const where = only === undefined ? '' : ` WHERE ${only}`;
  const statement = db.prepare(
    `SELECT CAST(rowid AS TEXT) AS "#", ${list.join(', ')} FROM "${table}"${where} ORDER BY rowid`,
  );
  for (const row of statement.iterate() as Iterable<Record<string, string | null>>) {
    const cells = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value || undefined]));
    yield [cells, { path, pointer: `/${table}/${row['#']}` }] as const;
  }
}
