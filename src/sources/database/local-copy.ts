import { openTemporaryDatabase } from '../../lib/sqlite.ts';
import { copyFault } from '../tables/copy/copy-fault.ts';
import type { CellText, Database, DatabaseRow } from './database.ts';
import { inRowLists } from './row-lists.ts';

/** What is copied: for each table its columns, by name. */
export type CopiedColumns = ReadonlyMap<string, readonly string[]>;

/**
 * A database whose tables were copied, as one state, into a temporary file that nobody else sees and that is gone with the process; the
 * original is closed. Its rows can be read more than once, however long that takes.
 *
 * Disk: what the columns hold, and some 50 bytes a row. Memory: a page cache of some MB.
 */
export async function localCopy(original: Database, wanted: CopiedColumns, signal: AbortSignal): Promise<Database> {
  const db = openTemporaryDatabase();
  const places = new Map<string, CopyPlace>();
  try {
    db.exec('BEGIN');
    for (const [table, columns] of wanted) {
      const place = placeOf(columns, places.size);
      places.set(table, place);
      if (columns.length > 0) await copyTable(db, place, original.rows(table, columns, signal), signal);
    }
    db.exec('COMMIT');
  } catch (error) {
    db.close();
    throw copyFault(error);
  } finally {
    await original.close();
  }
  return {
    system: original.system,
    tables: original.tables,
    problems: original.problems,
    async *rows(table, columns) {
      const place = places.get(table);
      if (place && columns.length > 0) yield* inRowLists(copiedRows(db, place, columns));
    },
    async close() {
      db.close();
    },
  };
}

type TemporaryDatabase = ReturnType<typeof openTemporaryDatabase>;

/** A table of the copy. Its names are ours: in SQLite, names that differ only in capitals are one. */
interface CopyPlace {
  readonly table: string;
  /** Our name of each column, by the name that it has. */
  readonly columns: ReadonlyMap<string, string>;
}

const placeOf = (columns: readonly string[], number: number): CopyPlace => ({
  table: `t${number}`,
  columns: new Map(columns.map((name, index) => [name, `c${index}`])),
});

/** Columns have no types, so that no digit changes. */
async function copyTable(
  db: TemporaryDatabase,
  { table, columns }: CopyPlace,
  lists: AsyncIterable<readonly DatabaseRow[]>,
  signal: AbortSignal,
): Promise<void> {
  const names = [...columns.values()];
  db.exec(`CREATE TABLE ${table} (${names.join(', ')})`);
  const insert = db.prepare<unknown[]>(`INSERT INTO ${table} VALUES (${names.map(() => '?').join(', ')})`);
  for await (const rows of lists) {
    for (const { values } of rows) insert.run(...values);
    signal.throwIfAborted();
  }
}

function copiedRows(
  db: TemporaryDatabase,
  { table, columns }: CopyPlace,
  wanted: readonly string[],
): Iterable<readonly CellText[]> {
  const names = wanted.map((name) => columns.get(name)!);
  return db
    .prepare<[], CellText[]>(`SELECT ${names.join(', ')} FROM ${table}`)
    .raw()
    .iterate();
}
