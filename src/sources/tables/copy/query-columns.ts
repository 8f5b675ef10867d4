import { openTemporaryDatabase } from '../../../lib/sqlite.ts';
import { isSqliteError } from './copy-fault.ts';
import { namesInQuery, quotedName } from './query-names.ts';

/**
 * The columns of a query's result, found with empty tables; nothing where these tables do not have what it names.
 *
 * @param tables Columns by the name of their table.
 */
export function columnsOfQuery(
  query: string,
  tables: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const names = namesInQuery(query);
  const db = openTemporaryDatabase();
  try {
    for (const [table, columns] of tables) {
      if (names.has(table) && columns.length > 0)
        db.exec(`CREATE TABLE ${quotedName(table)} (${columns.map(quotedName).join(', ')})`);
    }
    const found = db.prepare(query).columns();
    return found.map(({ name }) => name);
  } catch (error) {
    if (isSqliteError(error)) return undefined;
    throw error;
  } finally {
    db.close();
  }
}
