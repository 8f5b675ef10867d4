import type { Database } from 'better-sqlite3';
import { version } from '../../lib/version.ts';

/** Another version may count differently. */
const keyOf = (name: string): string => `${version} ${name}`;

/**
 * Keeps sums over all messages from one run to the next: adding up a million takes seconds, and usually nothing has changed. Triggers of
 * the schema drop them at the first write to a table of which they are made, so that what is there is valid.
 */
export class TotalsCache {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns the value kept under a name; undefined if there is none, or something has changed since. */
  read(name: string): string | undefined {
    const sql = 'SELECT value FROM totals_cache WHERE name = ?';
    return this.#db.prepare<[string], string>(sql).pluck().get(keyOf(name));
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
    if (!this.#db.readonly)
      this.#db.prepare('INSERT OR REPLACE INTO totals_cache VALUES (?, ?)').run(keyOf(name), value);
  }
}
