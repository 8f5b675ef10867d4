import type { CellText, Database, DatabaseTable } from '../../../src/sources/database/database.ts';

/** A table and its rows, each with a value for each column. */
export interface MemoryTable extends Pick<DatabaseTable, 'name'> {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CellText[])[];
  readonly primaryKey?: readonly string[];
}

/** A database in memory, which notes what is asked of it. */
export class MemoryDatabase implements Database {
  readonly system = 'PostgreSQL';
  readonly problems = [];
  readonly tables: readonly DatabaseTable[];
  /** Tables and columns in the order in which they were asked for: `users: id, name`. */
  readonly asked: string[] = [];
  isClosed = false;
  readonly #tables: readonly MemoryTable[];

  constructor(tables: readonly MemoryTable[]) {
    this.#tables = tables;
    this.tables = tables.map(({ name, columns, primaryKey = ['id'] }) => ({
      ...{ name, primaryKey, foreignKeys: [], isView: false },
      columns: columns.map((column) => ({ name: column, type: 'text' })),
    }));
  }

  async *rows(name: string, columns: readonly string[]) {
    if (this.isClosed) throw new Error('It is closed');
    this.asked.push(`${name}: ${columns.join(', ')}`);
    const table = this.#tables.find((one) => one.name === name)!;
    const indexes = columns.map((column) => table.columns.indexOf(column));
    for (const row of table.rows) yield [{ values: indexes.map((index) => row[index]!) }];
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}
