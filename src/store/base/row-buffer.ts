import type { Database, Statement } from 'better-sqlite3';

type Value = string | number | null;

/** Rows of one statement at most: a quarter less time than one by one (measured), no gain beyond. */
const rowsPerStatement = 10;
/** UTF-16 units that wait: a row may hold megabytes. */
const lengthMax = 1024 * 1024;
/** Statements that are kept, some 15 KB each: few tables have rows of more kinds. */
const statementsMax = 16;
/** No column is left out. */
const all = -1;

/** Rows that are written several at a time. The caller flushes before it commits, or asks for one of them. */
export class RowBuffer {
  readonly #db: Database;
  readonly #sqlOf: (rows: string) => string;
  readonly #row: string | undefined;
  /** For as many rows as one statement takes, by the columns that are not null in all of them, a bit each. */
  readonly #many = new Map<number, Statement>();
  #one: Statement | undefined;
  #given = 0;
  /** Values of all rows, one row after the other. The list is kept: rows of the next statement go over those of the last one. */
  readonly #values: Value[] = [];
  #valueCount = 0;
  #rowCount = 0;
  #length = 0;

  /**
   * @param sqlOf An insert for rows of placeholders: `(?, ?), (?, ?)`.
   * @param row One such row, if it holds anything else than placeholders.
   */
  constructor(db: Database, sqlOf: (rows: string) => string, row?: string) {
    this.#db = db;
    this.#sqlOf = sqlOf;
    this.#row = row;
  }

  /** @param values Always as many. */
  add(values: readonly Value[]): void {
    const start = this.#rowCount * values.length;
    for (let column = 0; column < values.length; column++) {
      const value = values[column]!;
      this.#values[start + column] = value;
      if (value !== null) this.#given |= 1 << column;
      if (typeof value === 'string') this.#length += value.length;
    }
    this.#valueCount = start + values.length;
    if (++this.#rowCount === rowsPerStatement || this.#length > lengthMax) this.flush();
  }

  flush(): void {
    const rowCount = this.#rowCount;
    if (rowCount === 0) return;
    const columnCount = this.#valueCount / rowCount;
    // First: what cannot be written is not to be written with what comes next.
    this.#rowCount = 0;
    this.#values.length = this.#valueCount;
    if (rowCount === rowsPerStatement && this.#length <= lengthMax) {
      this.#writeMany(columnCount);
    } else {
      // To prepare a statement for just so many rows takes longer than to write them one by one.
      this.#one ??= this.#prepare(1, columnCount, all);
      for (let at = 0; at < this.#valueCount; at += columnCount)
        this.#one.run(...this.#values.slice(at, at + columnCount));
    }
    this.#given = 0;
    if (this.#length > lengthMax) this.#values.length = 0;
    this.#length = 0;
  }

  /** The binding takes 0.1 us for each null, so what is null in all rows is part of the statement. */
  #writeMany(columnCount: number): void {
    const given = this.#many.has(this.#given) || this.#many.size < statementsMax ? this.#given : all;
    const statement = this.#many.get(given) ?? this.#prepare(rowsPerStatement, columnCount, given);
    this.#many.set(given, statement);
    // As arguments: the binding takes them sooner than the elements of an array.
    statement.run(...this.#values.filter((_, at) => (given >> (at % columnCount)) & 1));
  }

  #prepare(rowCount: number, columnCount: number, given: number): Statement {
    let column = 0;
    const row = (this.#row ?? `(${Array(columnCount).fill('?').join(', ')})`).replaceAll('?', () =>
      (given >> column++) & 1 ? '?' : 'NULL',
    );
    return this.#db.prepare(this.#sqlOf(Array(rowCount).fill(row).join(', ')));
  }
}
