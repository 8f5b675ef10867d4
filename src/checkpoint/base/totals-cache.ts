import type { Database } from 'better-sqlite3';
import { version } from '../../lib/version.ts';

/** Of the messages as they are now, for this version of the program: another one may count differently. */
const isCurrent = `state = '${version} ' || (SELECT count FROM changes WHERE once = 1)`;

/**
 * Keeps sums over all messages from one run to the next: adding up a million takes seconds, and usually nothing has changed. A sum is valid
 * while the store's change counter is the same; triggers of the schema count each write to a table that sums are made of.
 */
export class TotalsCache {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns the value kept under a name; undefined if it is no longer valid. */
  read(name: string): string | undefined {
    const sql = `SELECT value FROM totals_cache WHERE name = ? AND ${isCurrent}`;
    return this.#db.prepare<[string], string>(sql).pluck().get(name);
  }

  /** Returns the kept value, or computes it now; JSON. */
  orFind<T>(name: string, find: () => T): T {
    const text = this.read(name);
    if (text !== undefined) return JSON.parse(text) as T;
    const found = find();
    this.save(name, JSON.stringify(found));
    return found;
  }

  /** Keeps a value computed from the current content of the store, unless the store is only read. */
  save(name: string, value: string): void {
    if (this.#db.readonly) return;
    const sql = `INSERT OR REPLACE INTO totals_cache SELECT ?, '${version} ' || count, ? FROM changes WHERE once = 1`;
    this.#db.prepare(sql).run(name, value);
  }
}
