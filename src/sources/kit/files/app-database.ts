import type { DatabaseSync } from 'node:sqlite';
import type { ExportInput } from '../../../io/input/export-input.ts';
import { formatPointer } from '../../../io/json/json-pointer.ts';
import { SourceError } from '../../../lib/errors.ts';
import type { Entry } from '../../../model/entry.ts';
import type { RowProblem } from '../entries.ts';
import type { DatabaseRow } from '../rows/database-row.ts';
import { isSqlite, type OpenSqlite, openSqliteFile, sqliteFault } from './sqlite-file.ts';

/** First bytes that say how a file is opened. */
const headBytes = 100;

/** Bytes of a text or an archive: no message has more. */
export const valueBytesMax = 2 ** 20;

/** Tables and columns of an application's database that a source knows. */
export interface DatabaseShape<Table extends string> {
  /** The application, as a reason names it. */
  readonly app: string;
  /** Shown if the file is no SQLite database. */
  readonly hint?: string;
  /** Tables without which there is nothing to read, and columns that each of them has. */
  readonly required: Readonly<Record<string, readonly string[]>>;
  /** Columns that are read, by table. A version of the application may lack some of them. */
  readonly columns: Readonly<Record<Table, readonly string[]>>;
  /** Those of which only matters whether a row has a value. */
  readonly presence?: readonly string[];
  /** Columns that mean nothing for a message, by table and reason. Any other column that has values is reported. */
  readonly meaningless: Readonly<Record<Table, Readonly<Record<string, readonly string[]>>>>;
}

/** The database of an application, open: tables are read in one state of it. Close it. */
export class AppDatabase<Table extends string> {
  readonly problems: readonly RowProblem[];
  readonly #file: OpenSqlite;
  readonly #shown: string;
  readonly #shape: DatabaseShape<Table>;
  readonly #columns: ReadonlyMap<string, ReadonlySet<string>>;

  /** @throws SourceError if the file cannot be read, or has other tables. */
  static async open<Table extends string>(
    input: ExportInput,
    path: string,
    shape: DatabaseShape<Table>,
  ): Promise<AppDatabase<Table>> {
    const head = await input.head(path, headBytes);
    if (!isSqlite(head)) {
      const what = head.length === 0 ? 'an empty file' : 'something else';
      const about = { location: { path }, ...(shape.hint !== undefined && { hint: shape.hint }) };
      throw new SourceError(`Cannot read the file: expected a SQLite database, found ${what}`, about);
    }
    const isLogged = (await input.paths()).includes(`${path}-wal`);
    const local = await input.materialise(path);
    const log = isLogged ? await input.materialise(`${path}-wal`) : undefined;
    let file: OpenSqlite | undefined;
    try {
      file = await openSqliteFile({ path: local, head, log });
      return new AppDatabase(file, path, shape);
    } catch (error) {
      file?.close();
      throw sqliteFault(error, path) ?? error;
    }
  }

  private constructor(file: OpenSqlite, shown: string, shape: DatabaseShape<Table>) {
    this.#file = file;
    this.#shown = shown;
    this.#shape = shape;
    this.#columns = columnsIn(file.db);
    this.problems = file.problems;
    const missing = missingIn(this.#columns, shape);
    if (missing.length === 0) return;
    const reason = `Cannot read the database: expected the tables of ${shape.app}, found no ${missing.join(', ')}`;
    throw new SourceError(reason, { location: { path: shown }, hint: 'Pass it with --source database' });
  }

  /** Whether a table is there. A view is none: it could compute anything. */
  has(table: string, column?: string): boolean {
    const found = this.#columns.get(table);
    return found !== undefined && (column === undefined || found.has(column));
  }

  /**
   * The columns of a table that are read, for a SELECT: those that it lacks are null, and so are texts and archives above 1 MiB.
   *
   * @param alias Of the table in the query; the number of the row is `rowid`.
   */
  selected(table: Table, alias: string): string {
    const listed = this.#shape.columns[table].map((column) => {
      if (!this.has(table, column)) return `NULL AS "${column}"`;
      const value = `${alias}."${column}"`;
      if (this.#shape.presence?.includes(column)) return `${value} IS NOT NULL AS "${column}"`;
      return `CASE WHEN length(CAST(${value} AS BLOB)) > ${valueBytesMax} THEN NULL ELSE ${value} END AS "${column}"`;
    });
    return [`${alias}.ROWID AS rowid`, ...listed].join(', ');
  }

  /** Rows of a query of ours; whole numbers are `bigint`. @throws SourceError */
  *rows(sql: string): Generator<DatabaseRow> {
    try {
      const statement = this.#file.db.prepare(sql);
      statement.setReadBigInts(true);
      for (const row of statement.iterate() as Iterable<unknown>) yield row as DatabaseRow;
    } catch (error) {
      throw sqliteFault(error, this.#shown) ?? error;
    }
  }

  /** Columns of the tables that are read which nobody knows, and that have values: what they say is not migrated. */
  unreadColumns(): readonly Entry[] {
    return (Object.keys(this.#shape.columns) as Table[])
      .filter((table) => this.has(table))
      .flatMap((table) => {
        const known = new Set([
          ...this.#shape.columns[table],
          ...Object.values(this.#shape.meaningless[table] ?? {}).flat(),
        ]);
        const unknown = [...this.#columns.get(table)!].filter((column) => !known.has(column));
        return unknown.flatMap((column) => this.#unreadColumn(table, column));
      });
  }

  close(): void {
    this.#file.close();
  }

  #unreadColumn(table: string, column: string): readonly Entry[] {
    const quoted = `"${column.replaceAll('"', '""')}"`;
    const [row] = this.rows(`SELECT count(*) AS count FROM "${table}" WHERE ${quoted} NOT IN (0, '') `);
    const count = Number(row?.count ?? 0);
    if (count === 0) return [];
    const reason = `Nothing reads "${column}" of "${table}"`;
    const location = { path: this.#shown, pointer: formatPointer([table, column]) };
    return [{ type: 'problem', code: 'column-not-migrated', reason, location, count, column, table }];
  }
}

const missingIn = (
  found: ReadonlyMap<string, ReadonlySet<string>>,
  { required }: Pick<DatabaseShape<string>, 'required'>,
): string[] =>
  Object.entries(required).flatMap(([table, names]) =>
    names.filter((name) => !found.get(table)?.has(name)).map((name) => `"${table}.${name}"`),
  );

/** The columns of ordinary tables, by name. */
function columnsIn(db: DatabaseSync): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return new Map(
    tables.map(({ name }) => {
      const found = db.prepare('SELECT name FROM pragma_table_info(?)').all(name as string);
      return [String(name), new Set(found.map((column) => String(column.name)))];
    }),
  );
}
