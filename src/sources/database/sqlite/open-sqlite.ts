import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type OpenSqlite, openSqliteFile, sqliteFault } from '../../kit/files/sqlite-file.ts';
import { quotedName } from '../../tables/copy/query-names.ts';
import { DatabaseUnreachable } from '../address/unreachable.ts';
import type { CellText, Database, DatabaseColumn, DatabaseRow, DatabaseTable } from '../database.ts';
import { cellBytesMax, inRowLists, tooLarge } from '../row-lists.ts';
import { typeName } from '../type-name.ts';

/**
 * Opens a SQLite file in place: see `openSqliteFile`.
 *
 * @param path Path of a local file.
 * @param head Its first 32 bytes at least.
 * @throws SourceError if it is damaged, encrypted, or was copied without the files that belong to it;
 *   DatabaseUnreachable while another program keeps it locked.
 */
export async function openSqlite(path: string, head: Uint8Array, shown: string): Promise<Database> {
  const failed = (error: unknown) => sqliteFault(error, shown, DatabaseUnreachable) ?? error;
  let file: OpenSqlite | undefined;
  try {
    file = await openSqliteFile({ path, head });
    // A view or a generated column makes gigabytes of a few bytes.
    file.db.limits.length = cellBytesMax;
    return new SqliteFile(file, readTables(file.db), failed);
  } catch (error) {
    file?.close();
    throw failed(error);
  }
}

/** Size of a file whose rows are counted, in bytes: it may be read whole for that, some 0.2 s. */
const countedBytesMax = 256 * 1024 * 1024;

/** Each of them costs the way to it again. */
const tooLargeMax = 1000;

/** SQLITE_TOOBIG */
const isTooBig = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === 18;

class SqliteFile implements Database {
  readonly system = 'SQLite';
  readonly tables: readonly DatabaseTable[];
  readonly #file: OpenSqlite;
  readonly #failed: (error: unknown) => unknown;

  constructor(file: OpenSqlite, tables: readonly DatabaseTable[], failed: (error: unknown) => unknown) {
    this.#file = file;
    this.tables = tables;
    this.#failed = failed;
  }

  get problems(): OpenSqlite['problems'] {
    return this.#file.problems;
  }

  async *rows(table: string, columns: readonly string[], signal: AbortSignal): AsyncGenerator<readonly DatabaseRow[]> {
    if (columns.length === 0) return;
    try {
      for await (const list of inRowLists(this.#rowsOf(table, columns))) {
        signal.throwIfAborted();
        yield list;
      }
    } catch (error) {
      throw this.#failed(error);
    }
  }

  async *rowsOfKey(
    { name, primaryKey }: DatabaseTable,
    columns: readonly string[],
    key: readonly string[],
  ): AsyncGenerator<readonly DatabaseRow[]> {
    // As a text, as the number or the bytes that it may be written for: other rows than the one may come as well.
    const where = primaryKey
      .map(
        (column, index) =>
          `${quotedName(column)} IN (?${index + 1}, CAST(?${index + 1} AS NUMERIC), unhex(?${index + 1}))`,
      )
      .join(' AND ');
    try {
      yield* inRowLists(this.#rowsOf(name, columns, { where, values: key }));
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** A cell that is too large ends a query: the row is named, and the next query goes on behind it. */
  *#rowsOf(
    table: string,
    columns: readonly string[],
    only?: { readonly where: string; readonly values: readonly string[] },
  ): Generator<DatabaseRow> {
    const behind = `FROM ${quotedName(table)}${only === undefined ? '' : ` WHERE ${only.where}`} LIMIT -1 OFFSET `;
    const query = (names: readonly string[], offset: number) => {
      const statement = this.#file.db.prepare(`SELECT ${names.join(', ')} ${behind}${offset}`);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      return statement.iterate(...(only?.values ?? [])) as Iterable<unknown> as Iterable<SQLOutputValue[]>;
    };
    const keys = this.tables.find(({ name }) => name === table)?.primaryKey ?? [];
    let count = 0;
    for (let faults = 0; ; ) {
      try {
        for (const values of query(columns.map(quotedName), count)) {
          yield { values: values.map(cellText) };
          count++;
        }
        return;
      } catch (error) {
        if (!isTooBig(error) || ++faults > tooLargeMax) throw error;
        const named = columns.map((column) => (keys.includes(column) ? quotedName(column) : 'NULL'));
        for (const values of query(named, count++)) {
          yield { values: values.map(cellText), fault: tooLarge(undefined) };
          break;
        }
      }
    }
  }

  countRows(table: string): number | undefined {
    const { db } = this.#file;
    const numberOf = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
    try {
      if (numberOf('PRAGMA page_count') * numberOf('PRAGMA page_size') > countedBytesMax) return undefined;
      return numberOf(`SELECT count(*) FROM ${quotedName(table)}`);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  async close(): Promise<void> {
    this.#file.close();
  }
}

/** Whole numbers have all their digits; others the fewest that mean the same number. */
function cellText(value: SQLOutputValue): CellText {
  if (value === null || typeof value === 'string') return value;
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}

interface ListedTable {
  readonly name: string;
  readonly type: string;
}

interface ListedColumn {
  readonly name: string;
  readonly type: string;
  /** Place in the primary key, from 1; 0 for none. */
  readonly pk: number;
  /** 1 for what a virtual table keeps to itself. */
  readonly hidden: number;
}

interface ListedKey {
  readonly id: number;
  readonly table: string;
  readonly from: string;
  /** Null for the primary key there. */
  readonly to: string | null;
}

/** The catalogue that was read last, and the statements that made its tables. */
let last: { readonly schema: string; readonly tables: readonly DatabaseTable[] } | undefined;

/**
 * Returns tables and views, without the internal tables of virtual tables. While questions are asked about a file it is opened again and again:
 * its catalogue is read once, some 60 ms for 500 tables, and again if the statements that made the tables are others.
 */
function readTables(db: DatabaseSync): readonly DatabaseTable[] {
  const schema = JSON.stringify(db.prepare('SELECT type, name, tbl_name, sql FROM main.sqlite_schema').all());
  if (last?.schema !== schema) last = { schema, tables: listedTables(db) };
  return last.tables;
}

function listedTables(db: DatabaseSync): readonly DatabaseTable[] {
  const listed = db.prepare('PRAGMA main.table_list').all() as unknown as readonly ListedTable[];
  const own = listed.filter(({ name, type }) => (type === 'table' || type === 'view') && !name.startsWith('sqlite_'));
  return own.map(({ name, type }) => readTable(db, name, type === 'view')).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readTable(db: DatabaseSync, name: string, isView: boolean): DatabaseTable {
  const { columns, fault } = readColumns(db, name);
  const keys = isView
    ? []
    : (db.prepare(`PRAGMA foreign_key_list(${quotedName(name)})`).all() as unknown as ListedKey[]);
  const primaryKey = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return {
    name,
    columns: columns.map((column): DatabaseColumn => ({ name: column.name, type: typeName(column.type) })),
    primaryKey: primaryKey.map((column) => column.name),
    foreignKeys: [...Map.groupBy(keys, ({ id }) => id).values()].map((parts) => ({
      columns: parts.map(({ from }) => from),
      table: parts[0]!.table,
      references: parts.map(({ to }) => to).filter((to) => to !== null),
    })),
    isView,
    ...(fault !== undefined && { fault }),
  };
}

/** A view of a function that the application has, or of a table that is gone, has none. */
function readColumns(db: DatabaseSync, table: string): { columns: readonly ListedColumn[]; fault?: string } {
  try {
    const found = db.prepare(`PRAGMA table_xinfo(${quotedName(table)})`).all() as unknown as ListedColumn[];
    return { columns: found.filter(({ hidden }) => hidden !== 1) };
  } catch (error) {
    return { columns: [], fault: (error as Error).message };
  }
}
