import type { DatabaseSync } from 'node:sqlite';
import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import type { RowProblem } from '../kit/entries.ts';
import { isSqlite, type OpenSqlite, openSqliteFile, sqliteFault } from '../kit/files/sqlite-file.ts';
import { columns, requiredColumns, type Row, type TableName } from './format.ts';

/** First bytes that say how a file is opened. */
const headBytes = 100;

/** Bytes of a text or an archive: no message has more. */
export const valueBytesMax = 2 ** 20;

/** The database of Messages, open. Close it. */
export class MessagesDatabase {
  readonly problems: readonly RowProblem[];
  readonly #file: OpenSqlite;
  readonly #shown: string;
  readonly #columns: ReadonlyMap<string, ReadonlySet<string>>;

  /** @throws SourceError if the file cannot be read, or has other tables. */
  static async open(input: ExportInput, path: string): Promise<MessagesDatabase> {
    const head = await input.head(path, headBytes);
    if (!isSqlite(head)) {
      const what = head.length === 0 ? 'an empty file' : 'something else';
      throw new SourceError(`Cannot read the file: expected a SQLite database, found ${what}`, { location: { path } });
    }
    const isLogged = (await input.paths()).includes(`${path}-wal`);
    const local = await input.materialise(path);
    const log = isLogged ? await input.materialise(`${path}-wal`) : undefined;
    let file: OpenSqlite | undefined;
    try {
      file = await openSqliteFile({ path: local, head, log });
      return new MessagesDatabase(file, path);
    } catch (error) {
      file?.close();
      throw sqliteFault(error, path) ?? error;
    }
  }

  private constructor(file: OpenSqlite, shown: string) {
    this.#file = file;
    this.#shown = shown;
    this.#columns = columnsIn(file.db);
    this.problems = file.problems;
    const missing = missingIn(this.#columns);
    if (missing.length === 0) return;
    const reason = `Cannot read the database: expected the tables of Messages, found no ${missing.join(', ')}`;
    throw new SourceError(reason, { location: { path: shown }, hint: 'Pass it with --source database' });
  }

  /** Whether a table is there. A view is none: it could compute anything. */
  has(table: string, column?: string): boolean {
    const found = this.#columns.get(table);
    return found !== undefined && (column === undefined || found.has(column));
  }

  columnsOf(table: string): readonly string[] {
    return [...(this.#columns.get(table) ?? [])];
  }

  /**
   * The columns of a table that are read, for a SELECT: those that it lacks are null, and so are texts and archives above 1 MiB.
   *
   * @param alias Of the table in the query; the number of the row is `rowid`.
   */
  selected(table: TableName, alias: string): string {
    const listed = columns[table].map((column) => {
      if (!this.has(table, column)) return `NULL AS "${column}"`;
      const value = `${alias}."${column}"`;
      if (column === 'payload_data') return `${value} IS NOT NULL AS "${column}"`;
      return `CASE WHEN length(CAST(${value} AS BLOB)) > ${valueBytesMax} THEN NULL ELSE ${value} END AS "${column}"`;
    });
    return [`${alias}.ROWID AS rowid`, ...listed].join(', ');
  }

  /** Rows of a query of ours; whole numbers are `bigint`. @throws SourceError */
  *rows(sql: string): Generator<Row> {
    try {
      const statement = this.#file.db.prepare(sql);
      statement.setReadBigInts(true);
      for (const row of statement.iterate() as Iterable<unknown>) yield row as Row;
    } catch (error) {
      throw sqliteFault(error, this.#shown) ?? error;
    }
  }

  close(): void {
    this.#file.close();
  }
}

const missingIn = (found: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
  Object.entries(requiredColumns).flatMap(([table, names]) =>
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
