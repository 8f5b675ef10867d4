import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type OpenSqlite, openSqliteFile, sqliteFault } from '../../kit/files/sqlite-file.ts';
import { quotedName } from '../../tables/copy/query-names.ts';
import { DatabaseUnreachable } from '../address/unreachable.ts';
import type { CellText, Database, DatabaseColumn, DatabaseRow, DatabaseTable, RowConditions } from '../database.ts';
import { readColumnNotes } from '../column-notes.ts';
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

interface Only {
  readonly where: string;
  readonly values: readonly string[];
  readonly max?: number;
}

class SqliteFile implements Database {
  readonly system = 'SQLite';
  readonly tables: readonly DatabaseTable[];
  readonly #file: OpenSqlite;
  /** Columns in which there were bytes. */
  readonly #bytes = new Set<string>();
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
    for await (const list of this.#lists(table, columns)) {
      signal.throwIfAborted();
      yield list;
    }
  }

  rowsOfKey(
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
    return this.#lists(name, columns, { where, values: key });
  }

  rowsWhere(
    table: string,
    columns: readonly string[],
    { anyOf, max }: RowConditions,
  ): AsyncGenerator<readonly DatabaseRow[]> {
    const conditions = anyOf.map(({ column, isOneOf }, index) => {
      const cell = quotedName(column);
      const listed = `SELECT value FROM json_each(?${index + 1})`;
      // The column as it is, so that its index is used.
      if (isOneOf)
        return `${cell} IN (${listed} UNION ALL SELECT unhex(value) FROM json_each(?${index + 1})) OR (${cell} IS NULL AND '' IN (${listed}))`;
      return `CASE typeof(${cell}) WHEN 'null' THEN '' WHEN 'blob' THEN lower(hex(${cell})) ELSE CAST(${cell} AS TEXT) END NOT IN (${listed})`;
    });
    const values = anyOf.map((condition) => JSON.stringify(condition.values));
    return this.#lists(table, columns, { where: conditions.join(' OR '), values, max });
  }

  async *#lists(table: string, columns: readonly string[], only?: Only): AsyncGenerator<readonly DatabaseRow[]> {
    try {
      yield* inRowLists(this.#rowsOf(table, columns, only));
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /**
   * A cell that is too large ends a query: the row is named, and the next query goes on behind it. From the first text with the character on that
   * stands for bytes that are none, the bytes of all texts are read as well: it may have been written as such.
   */
  *#rowsOf(table: string, columns: readonly string[], only?: Only): Generator<DatabaseRow> {
    const behind = `FROM ${quotedName(table)}${only === undefined ? '' : ` WHERE ${only.where}`} LIMIT ${only?.max ?? -1} OFFSET `;
    const query = (names: readonly string[], offset: number) => {
      const statement = this.#file.db.prepare(`SELECT ${names.join(', ')} ${behind}${offset}`);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      return statement.iterate(...(only?.values ?? [])) as Iterable<unknown> as Iterable<SQLOutputValue[]>;
    };
    const keys = this.tables.find(({ name }) => name === table)?.primaryKey ?? [];
    let count = 0;
    let checkBytes: ((values: readonly SQLOutputValue[]) => string | undefined) | undefined;
    for (let faults = 0; ; ) {
      try {
        const asked = columns.map(quotedName);
        const bytes = asked.map((name) => `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) END`);
        let isDoubtful = false;
        for (const values of query(checkBytes ? [...asked, ...bytes] : asked, count)) {
          isDoubtful = !checkBytes && values.some((value) => typeof value === 'string' && value.includes('\ufffd'));
          if (isDoubtful) break;
          const fault = checkBytes?.(values);
          const row = { values: columns.map((column, at) => this.#cellOf(values[at]!, column, table)) };
          yield fault === undefined ? row : { ...row, fault: { code: 'cell-encoding', reason: fault } };
          count++;
        }
        if (!isDoubtful) return;
        checkBytes = encodingCheck(this.#file.db, columns);
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

  #cellOf(value: SQLOutputValue, column: string, table: string): CellText {
    if (value instanceof Uint8Array) this.#bytes.add(`${column}\0${table}`);
    return cellText(value);
  }

  countRows(table: string, max?: number): number | undefined {
    const { db } = this.#file;
    const numberOf = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
    try {
      const isLarge = numberOf('PRAGMA page_count') * numberOf('PRAGMA page_size') > countedBytesMax;
      if (max === undefined && isLarge) return undefined;
      return numberOf(`SELECT count(*) FROM (SELECT 1 FROM ${quotedName(table)} LIMIT ${max ?? -1})`);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  holdsBytes(table: string, column: string): boolean {
    return this.#bytes.has(`${column}\0${table}`);
  }

  async close(): Promise<void> {
    this.#file.close();
  }
}

/** Says which of some columns, whose bytes are behind their values, is not text. */
function encodingCheck(
  db: DatabaseSync,
  columns: readonly string[],
): (values: readonly SQLOutputValue[]) => string | undefined {
  const encoding = String(Object.values(db.prepare('PRAGMA encoding').get() ?? {})[0]);
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (values) => {
    const index = columns.findIndex((_, at) => {
      const bytes = values[columns.length + at];
      try {
        if (bytes instanceof Uint8Array) decoder.decode(bytes);
        return false;
      } catch {
        return true;
      }
    });
    return index < 0 ? undefined : `${JSON.stringify(columns[index])} is not text in ${encoding}`;
  };
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
 * Returns tables and views, without the internal tables of virtual tables. These count as views: a module makes their rows, mostly of other tables. While questions are asked about a file it is opened again and again:
 * its catalogue is read once, some 60 ms for 500 tables, and again if the statements that made the tables are others.
 */
function readTables(db: DatabaseSync): readonly DatabaseTable[] {
  const schema = JSON.stringify(db.prepare('SELECT type, name, tbl_name, sql FROM main.sqlite_schema').all());
  if (last?.schema !== schema) last = { schema, tables: listedTables(db) };
  return last.tables;
}

function listedTables(db: DatabaseSync): readonly DatabaseTable[] {
  const listed = db.prepare('PRAGMA main.table_list').all() as unknown as readonly ListedTable[];
  const own = listed.filter(({ name, type }) => type !== 'shadow' && !name.startsWith('sqlite_'));
  return own.map(({ name, type }) => readTable(db, name, type !== 'table')).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readTable(db: DatabaseSync, name: string, isView: boolean): DatabaseTable {
  const { columns, fault } = readColumns(db, name);
  const made = db.prepare("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?").get(name)?.sql;
  const notes = readColumnNotes(String(made ?? ''));
  const keys = isView
    ? []
    : (db.prepare(`PRAGMA foreign_key_list(${quotedName(name)})`).all() as unknown as ListedKey[]);
  const primaryKey = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return {
    name,
    columns: columns.map(
      (column): DatabaseColumn => ({
        name: column.name,
        type: typeName(column.type),
        ...notes.get(column.name.toLowerCase()),
      }),
    ),
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

/** A view of a function that the application has, or of a table that is gone, has none; nor has a table of its module. */
function readColumns(db: DatabaseSync, table: string): { columns: readonly ListedColumn[]; fault?: string } {
  try {
    const found = db.prepare(`PRAGMA table_xinfo(${quotedName(table)})`).all() as unknown as ListedColumn[];
    return { columns: found.filter(({ hidden }) => hidden !== 1) };
  } catch (error) {
    return { columns: [], fault: (error as Error).message };
  }
}
