import type { Database as SqliteDatabase, Statement } from 'better-sqlite3';
import type { CellText, DatabaseRow } from './database.ts';

/** A table of a copy. Its names are ours: in SQLite, names that differ only in capitals are one. */
export interface CopiedTable {
  readonly table: string;
  /** Our name of each column, by the name that it has. */
  readonly columns: ReadonlyMap<string, string>;
}

/** @param number Of the table in its copy. */
export const copiedTable = (columns: readonly string[], number: number): CopiedTable => ({
  table: `t${number}`,
  columns: new Map(columns.map((name, index) => [name, `c${index}`])),
});

/**
 * Makes the table, if it has columns. They have no types, so that no digit changes.
 *
 * @param key Columns of its primary key, by the names that they have.
 */
export function createTable(db: SqliteDatabase, { table, columns }: CopiedTable, key: readonly string[] = []): void {
  if (columns.size === 0) return;
  const primary = key.length === 0 ? '' : `, PRIMARY KEY (${key.map((name) => columns.get(name)!).join(', ')})`;
  db.exec(`CREATE TABLE ${table} (${[...columns.values()].join(', ')}${primary})`);
}

/** Inserts a row whose values are in the order of the columns. */
export const insertInto = (db: SqliteDatabase, { table, columns }: CopiedTable): Statement<unknown[]> =>
  db.prepare<unknown[]>(`INSERT INTO ${table} VALUES (${[...columns].map(() => '?').join(', ')})`);

/** Columns that the copy does not have are NULL. */
export function* copiedRows(
  db: SqliteDatabase,
  { table, columns }: CopiedTable,
  wanted: readonly string[],
): Iterable<DatabaseRow> {
  const names = wanted.map((name) => columns.get(name) ?? 'NULL');
  const rows = db.prepare<[], CellText[]>(`SELECT ${names.join(', ')} FROM ${table}`).raw();
  for (const values of rows.iterate()) yield { values };
}
