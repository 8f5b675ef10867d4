import { openTemporaryDatabase } from '../../lib/sqlite.ts';
import { quotedName } from '../tables/copy/query-names.ts';
import type { Database, DatabaseRow } from './database.ts';

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
  try {
    db.exec('BEGIN');
    for (const [table, columns] of wanted) await copyTable(db, original, [table, columns], signal);
    db.exec('COMMIT');
  } catch (error) {
    db.close();
    throw error;
  } finally {
    await original.close();
  }
  return {
    system: original.system,
    tables: original.tables,
    problems: original.problems,
    async *rows(table, columns) {
      yield* copiedRows(db, table, columns);
    },
    async close() {
      db.close();
    },
  };
}

type TemporaryDatabase = ReturnType<typeof openTemporaryDatabase>;

/** Columns have no types, so that no digit changes. */
async function copyTable(
  db: TemporaryDatabase,
  original: Database,
  [table, columns]: readonly [string, readonly string[]],
  signal: AbortSignal,
): Promise<void> {
  if (columns.length === 0) return;
  db.exec(`CREATE TABLE ${quotedName(table)} (${columns.map(quotedName).join(', ')})`);
  const insert = db.prepare<unknown[]>(
    `INSERT INTO ${quotedName(table)} VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for await (const rows of original.rows(table, columns, signal)) {
    for (const { values } of rows) insert.run(...values);
    signal.throwIfAborted();
  }
}

const rowsPerList = 500;

function* copiedRows(
  db: TemporaryDatabase,
  table: string,
  columns: readonly string[],
): Generator<readonly DatabaseRow[]> {
  if (columns.length === 0) return;
  const statement = db
    .prepare<[], (string | null)[]>(`SELECT ${columns.map(quotedName).join(', ')} FROM ${quotedName(table)}`)
    .raw();
  let list: DatabaseRow[] = [];
  for (const values of statement.iterate()) {
    list.push({ values });
    if (list.length < rowsPerList) continue;
    yield list;
    list = [];
  }
  yield list;
}
