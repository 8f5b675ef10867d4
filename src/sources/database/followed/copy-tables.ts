import type { Database as SqliteDatabase } from 'better-sqlite3';
import { z } from 'zod';
import { type CopiedTable, copiedTable, createTable } from '../copied-table.ts';
import type { Database } from '../database.ts';

/** Marks a SQLite file as a copy of ours: bytes 68 to 71 of its header, `CFCP`. */
const applicationId = 0x43_46_43_50;

/** @param head At least the first 72 bytes of a SQLite file. */
export const isKeptCopy = (head: Uint8Array): boolean => Buffer.from(head).readUInt32BE(68) === applicationId;

/** One table of a copy. */
export interface CopyTable extends CopiedTable {
  /** Name of the table that was copied. */
  readonly name: string;
  /** Columns of its primary key, by the names that they have. */
  readonly key: readonly string[];
  /** Column that shows when a row changed; undefined if the table is read whole every time. */
  readonly cursor: string | undefined;
}

/** Description of the database that was copied. */
export type CopiedCatalogue = Pick<Database, 'system' | 'tables' | 'problems'>;

const texts = z.array(z.string());
/** The file may have been changed by others. */
const tableSchema = z.strictObject({
  name: z.string(),
  columns: texts,
  key: texts,
  cursor: z.string().nullable(),
  /** Values of another type are written differently. */
  cursorType: z.string().nullable(),
});
const catalogueSchema = z.object({
  system: z.enum(['PostgreSQL', 'MySQL', 'MariaDB', 'SQLite', 'SQL dump']),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.object({ name: z.string(), type: z.string(), words: texts.optional() })),
      primaryKey: texts,
      foreignKeys: z.array(z.object({ columns: texts, table: z.string(), references: texts })),
      isView: z.boolean(),
    }),
  ),
  problems: z.array(z.object({ code: z.string(), reason: z.string() })),
});

export type CopyTableSpec = z.output<typeof tableSchema>;

function copyTable({ name, columns, key, cursor }: CopyTableSpec, number: number): CopyTable {
  return { name, key, cursor: cursor ?? undefined, ...copiedTable(columns, number) };
}

/**
 * Returns the file's description of itself; undefined if it is new.
 *
 * @throws ZodError if another program changed it.
 */
export function readCopy(db: SqliteDatabase) {
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (isEmpty) return undefined;
  if (db.pragma('application_id', { simple: true }) !== applicationId) throw new Error('the file is another database');
  const [specs, catalogue] = db
    .prepare<[], { specs: string; catalogue: string }>('SELECT specs, catalogue FROM copy')
    .all()
    .flatMap((row) => [row.specs, row.catalogue]);
  const tables = z.array(tableSchema).parse(JSON.parse(specs ?? ''));
  return {
    specs: specs!,
    tables: tables.map(copyTable),
    catalogue: catalogueSchema.parse(JSON.parse(catalogue!)) as CopiedCatalogue,
  };
}

/** Makes the file a copy without rows. An older copy in it goes. */
export function beginCopy(db: SqliteDatabase, specs: readonly CopyTableSpec[]): readonly CopyTable[] {
  const old = db.prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
  for (const name of old) db.exec(`DROP TABLE "${name}"`);
  db.pragma(`application_id = ${applicationId}`);
  db.exec(`CREATE TABLE copy (specs TEXT NOT NULL, catalogue TEXT NOT NULL);
    CREATE TABLE seen (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    INSERT INTO copy VALUES ('', '')`);
  db.prepare('UPDATE copy SET specs = ?').run(JSON.stringify(specs));
  const tables = specs.map(copyTable);
  for (const table of tables) createTable(db, table, table.key);
  return tables;
}

/** Writes nothing if it is the same: a copy that did not change is not read again. */
export function noteCatalogue(db: SqliteDatabase, { system, tables, problems }: CopiedCatalogue): void {
  const text = JSON.stringify({ system, tables: tables.map(({ rowsAbout: _, ...table }) => table), problems });
  db.prepare('UPDATE copy SET catalogue = ? WHERE catalogue <> ?').run(text, text);
}

/** Returns the latest known value of its cursor; undefined if no row has one. */
export const seenValue = (db: SqliteDatabase, { name }: CopyTable): string | undefined =>
  db.prepare<[string], string>('SELECT value FROM seen WHERE name = ?').pluck().get(name);

export function noteSeen(db: SqliteDatabase, { name }: CopyTable, value: string | undefined): void {
  if (value === undefined) {
    db.prepare('DELETE FROM seen WHERE name = ?').run(name);
    return;
  }
  db.prepare(
    `INSERT INTO seen VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value
     WHERE seen.value <> excluded.value`,
  ).run(name, value);
}
