import { openTemporaryDatabase } from '../../lib/sqlite.ts';
import { copyFault } from '../tables/copy/copy-fault.ts';
import { type CopiedTable, copiedRows, copiedTable, createTable, insertInto } from './copied-table.ts';
import type { Database, DatabaseRow } from './database.ts';
import { inRowLists } from './row-lists.ts';

/** Data to copy: for each table its columns, by name. */
export type CopiedColumns = ReadonlyMap<string, readonly string[]>;

/**
 * Returns a database whose tables were copied, as one state, into a temporary file that no other process sees and that
 * is gone with the process; the original is closed. Its rows can be read more than once, however long that takes.
 *
 * Disk: the content of the columns, and some 50 bytes a row. Memory: a page cache of some MB.
 */
export async function localCopy(original: Database, wanted: CopiedColumns, signal: AbortSignal): Promise<Database> {
  const db = openTemporaryDatabase();
  const places = new Map<string, CopiedTable>();
  try {
    db.exec('BEGIN');
    for (const [table, columns] of wanted) {
      const place = copiedTable(columns, places.size);
      places.set(table, place);
      createTable(db, place);
      if (columns.length > 0) await copyRows(db, place, original.rows(table, columns, signal), signal);
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

async function copyRows(
  db: ReturnType<typeof openTemporaryDatabase>,
  place: CopiedTable,
  lists: AsyncIterable<readonly DatabaseRow[]>,
  signal: AbortSignal,
): Promise<void> {
  const insert = insertInto(db, place);
  for await (const rows of lists) {
    for (const { values } of rows) insert.run(...values);
    signal.throwIfAborted();
  }
}
