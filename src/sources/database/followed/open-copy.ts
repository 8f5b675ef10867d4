import { SourceError } from '../../../lib/errors.ts';
import { openDatabase } from '../../../lib/sqlite.ts';
import { copiedRows } from '../copied-table.ts';
import type { Database } from '../database.ts';
import { inRowLists } from '../row-lists.ts';
import { readCopy } from './copy-tables.ts';

/**
 * Opens a copy that `updateCopy` maintains: the tables of the original, and the rows that it had.
 *
 * @throws SourceError if the file is damaged.
 */
export function openCopy(path: string): Database {
  const db = openDatabase(path, { readonly: true });
  try {
    const { tables, catalogue } = readCopy(db)!;
    const byName = new Map(tables.map((table) => [table.name, table]));
    return {
      ...catalogue,
      has: (name, column) => byName.get(name)?.columns.has(column) ?? false,
      async *rows(name, columns) {
        const table = byName.get(name);
        if (table && columns.length > 0) yield* inRowLists(copiedRows(db, table, columns));
      },
      async close() {
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw new SourceError('Cannot read the copy of a database: it is damaged', {
      hint: 'Delete it; the next run reads the database whole',
      cause: error,
    });
  }
}
