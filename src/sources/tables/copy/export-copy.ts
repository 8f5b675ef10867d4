import type { Database, Statement } from 'better-sqlite3';
import { formatCount } from '../../../lib/text/count.ts';
import { openTemporaryDatabase } from '../../../lib/sqlite.ts';
import type { Entry } from '../../../model/entry.ts';
import { valueText } from '../bind/value.ts';
import type { Row } from '../row.ts';
import { quotedName } from './query-names.ts';

/** Fields of JSON that get a column each: objects that have ids for keys would make thousands. A query's own fields always have one. */
const fieldsMax = 300;

/** A table that is being copied. */
interface CopiedTable {
  readonly name: string;
  readonly nulls: ReadonlySet<unknown>;
  /** Whether a query names the column: it is copied even where there are many. */
  readonly isNamed: (column: string) => boolean;
}

/**
 * Tables of an export as tables of SQLite: every value a text or NULL, objects and lists as JSON. On disk; memory holds a page cache of some MB.
 */
export class ExportCopy {
  /** For queries. Nothing may be written to it while one is read. */
  readonly db: Database = openTemporaryDatabase();
  readonly #columns = new Map<string, readonly string[]>();

  constructor() {
    this.db.exec('BEGIN');
  }

  /** The columns of each table, as they are called in queries. */
  get columns(): ReadonlyMap<string, readonly string[]> {
    return this.#columns;
  }

  /**
   * A new table, whose columns are added as rows have them.
   *
   * @param columns Those that are known before there is a row.
   */
  create(table: CopiedTable, columns: readonly string[]): TableWriter {
    return new TableWriter(this.db, table, columns, (names) => this.#columns.set(table.name, names));
  }

  close(): void {
    this.db.close();
  }
}

/** Writes the rows of one table. */
export class TableWriter {
  readonly #db: Database;
  readonly #table: CopiedTable;
  readonly #onColumns: (names: readonly string[]) => void;
  /** The names in the file, and what they are called in SQL: there "ID" and "id" are one name. */
  readonly #columns = new Map<string, string>();
  readonly #taken = new Set<string>();
  #names: readonly string[] | undefined;
  /** Rows of which some fields have no column. */
  #cutRows = 0;
  #insert: Statement<unknown[]> | undefined;

  constructor(
    db: Database,
    table: CopiedTable,
    columns: readonly string[],
    onColumns: (names: readonly string[]) => void,
  ) {
    this.#db = db;
    this.#table = table;
    this.#onColumns = onColumns;
    this.#addColumns(columns);
  }

  /** The names in the file, and what they are called in queries. */
  get columns(): ReadonlyMap<string, string> {
    return this.#columns;
  }

  add(row: Row): void {
    const names = row.names();
    if (names !== this.#names) {
      this.#names = names;
      this.#addFields(names.filter((name) => !this.#columns.has(name)));
    }
    if (this.#columns.size === 0) return;
    this.#insert ??= this.#prepare();
    this.#insert.run(...[...this.#columns.keys()].map((name) => this.#valueOf(row, name)));
  }

  /** Reports columns that queries cannot reach, or only under another name. */
  remarks(path: string): readonly Entry[] {
    const renamed = [...this.#columns].filter(([name, called]) => name !== called);
    const remarks: Entry[] = renamed.map(([name, called]) => {
      const reason = `SQL cannot distinguish the column ${JSON.stringify(name)} from another: in queries its name is ${JSON.stringify(called)}`;
      return { type: 'problem', code: 'column-renamed', reason, location: { path } };
    });
    if (this.#cutRows > 0) {
      const reason = `Fields beyond the first ${fieldsMax} that no query names are not copied: ${formatCount(this.#cutRows)} rows have some`;
      remarks.push({ type: 'problem', code: 'column-not-migrated', reason, location: { path }, count: this.#cutRows });
    }
    return remarks;
  }

  #valueOf(row: Row, name: string): string | null {
    const value = row.get(name);
    return this.#table.nulls.has(value) ? null : (valueText(value) ?? null);
  }

  #prepare() {
    const values = [...this.#columns].map(() => '?').join(', ');
    const columns = [...this.#columns.values()].map(quotedName).join(', ');
    return this.#db.prepare<unknown[]>(`INSERT INTO ${quotedName(this.#table.name)} (${columns}) VALUES (${values})`);
  }

  /** Those of a row that the table does not have yet. */
  #addFields(names: readonly string[]): void {
    const wanted = names.filter((name, index) => this.#columns.size + index < fieldsMax || this.#table.isNamed(name));
    if (wanted.length < names.length) this.#cutRows += 1;
    this.#addColumns(wanted);
  }

  #addColumns(wanted: readonly string[]): void {
    if (wanted.length === 0) return;
    const isNew = this.#columns.size === 0;
    const table = quotedName(this.#table.name);
    for (const name of wanted) this.#columns.set(name, this.#free(name));
    const added = wanted.map((name) => `${quotedName(this.#columns.get(name)!)} TEXT`);
    if (isNew) this.#db.exec(`CREATE TABLE ${table} (${added.join(', ')})`);
    else for (const column of added) this.#db.exec(`ALTER TABLE ${table} ADD COLUMN ${column}`);
    this.#insert = undefined;
    this.#onColumns([...this.#columns.values()]);
  }

  /** The name, or the first of `name#2`, `name#3`, … that no other column has. NUL would end a statement. */
  #free(name: string): string {
    const wanted = name.replaceAll('\0', '\ufffd');
    let free = wanted;
    for (let number = 2; this.#taken.has(free.toLowerCase()); number += 1) free = `${wanted}#${number}`;
    this.#taken.add(free.toLowerCase());
    return free;
  }
}
