import type { Database, RunResult, Statement } from 'better-sqlite3';
import { LastUsed } from '../../lib/maps/last-used.ts';

type Value = string | number | null;

/** Statements with the values for their question marks. Each text is prepared once, while it is among the 500 last ones. */
export class Queries {
  readonly #db: Database;
  readonly #statements = new LastUsed<string, Statement>(500);
  readonly #plucked = new LastUsed<string, Statement>(500);

  constructor(db: Database) {
    this.#db = db;
  }

  run(sql: string, ...values: readonly Value[]): RunResult {
    return this.#statements.find(sql, () => this.#db.prepare(sql)).run(...values);
  }

  row<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#statements.find(sql, () => this.#db.prepare(sql)).get(...values) as Row | undefined;
  }

  rows<Row>(sql: string, ...values: readonly Value[]): Row[] {
    return this.#statements.find(sql, () => this.#db.prepare(sql)).all(...values) as Row[];
  }

  /** The first column of the first row. */
  value<Found extends Value>(sql: string, ...values: readonly Value[]): Found | undefined {
    return this.#plucked.find(sql, () => this.#db.prepare(sql).pluck()).get(...values) as Found | undefined;
  }

  has(sql: string, ...values: readonly Value[]): boolean {
    return this.value(sql, ...values) !== undefined;
  }
}

/** Rows of the sandbox's database, and the statements that read and change them. */
export abstract class Table {
  protected readonly db: Queries;

  constructor(db: Queries) {
    this.db = db;
  }
}
