import type { Database } from 'better-sqlite3';
import { version } from '../../lib/version.ts';

/** Shape of the cached values: another version may count differently. The number is raised if the shape changes between two versions. */
const shape = `${version} 1`;
/** Name under which the shape is noted while no process has the store open. */
const mark = 'shape';
/** Tables from which the cached sums are made. */
const counted = ['message', 'delivery', 'conversation_delivery'] as const;

/**
 * Caches sums over all messages from one run to the next: adding up a million takes seconds, and usually nothing has
 * changed.
 *
 * The sums are valid as long as nothing writes to the tables they are made of. During a session, triggers watch that.
 * Between two sessions, the file must be the one that the last session closed, and that session must have kept the
 * cache: opening the store removes the mark, and only a session that has kept or used the cache all the time puts it
 * back. If this is uncertain, everything is added up again.
 */
export class TotalsCache {
  readonly #db: Database;
  #hold: boolean;
  #isWatched = false;

  /** @param isUntouched Whether the file is as the last session left it. */
  constructor(db: Database, isUntouched: boolean) {
    this.#db = db;
    this.#hold = isUntouched && this.#valueOf(mark) === shape;
    if (this.#hold) this.#watch();
    db.prepare('DELETE FROM totals_cache WHERE name = ?').run(mark);
  }

  /** Returns the value cached under a name; undefined if it is no longer valid. */
  read(name: string): string | undefined {
    if (!this.#holds()) return undefined;
    return this.#valueOf(name);
  }

  #valueOf(name: string): string | undefined {
    return cachedValue(this.#db, name);
  }

  /** Returns the cached value, or computes it now; JSON. */
  orFind<T>(name: string, find: () => T): T {
    const text = this.read(name);
    if (text !== undefined) return JSON.parse(text) as T;
    const found = find();
    this.save(name, JSON.stringify(found));
    return found;
  }

  /** Caches a value computed from the current content of the store. Call it outside a transaction. */
  save(name: string, value: string): void {
    if (!this.#holds()) this.invalidate();
    this.#watch();
    this.#save(name, value);
    this.#hold = true;
  }

  /** Before much is written: watching it costs a trigger for each row. */
  invalidate(): void {
    if (this.#isWatched) for (const name of triggerNames) this.#db.exec(`DROP TRIGGER IF EXISTS temp.${name}`);
    this.#isWatched = false;
    this.#db.exec('DELETE FROM totals_cache');
    this.#hold = false;
  }

  /** With the last write of the session. */
  close(): void {
    if (this.#holds()) this.#save(mark, shape);
  }

  #save(name: string, value: string): void {
    this.#db.prepare('INSERT OR REPLACE INTO totals_cache VALUES (?, ?)').run(name, value);
  }

  #holds(): boolean {
    return this.#hold && this.#db.prepare('SELECT 1 FROM temp.totals_touched WHERE once = 1').get() === undefined;
  }

  #watch(): void {
    if (this.#isWatched) return;
    this.#db.exec(
      'CREATE TABLE IF NOT EXISTS temp.totals_touched (once INTEGER PRIMARY KEY); DELETE FROM temp.totals_touched',
    );
    for (const table of counted)
      for (const event of events)
        this.#db.exec(`CREATE TEMP TRIGGER IF NOT EXISTS ${triggerName(table, event)} AFTER ${event} ON main.${table}
          BEGIN INSERT OR IGNORE INTO totals_touched VALUES (1); END`);
    this.#isWatched = true;
  }
}

/**
 * Returns what the last session left under a name, for a connection that only reads; undefined if it is not valid.
 *
 * @param isUntouched Whether the file is as the last session left it.
 */
export function leftTotals(db: Database, name: string, isUntouched: () => boolean): string | undefined {
  // In this order: a session that begins removes the mark before it changes anything.
  const value = cachedValue(db, name);
  return value !== undefined && cachedValue(db, mark) === shape && isUntouched() ? value : undefined;
}

const cachedValue = (db: Database, name: string): string | undefined =>
  db.prepare<[string], string>('SELECT value FROM totals_cache WHERE name = ?').pluck().get(name);

const events = ['INSERT', 'UPDATE', 'DELETE'] as const;
const triggerName = (table: string, event: string) => `watch_${table}_${event}`;
const triggerNames = counted.flatMap((table) => events.map((event) => triggerName(table, event)));
