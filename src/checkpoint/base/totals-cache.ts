import type { Database } from 'better-sqlite3';
import { version } from '../../lib/version.ts';

/** Of what is kept: another program may count otherwise. The number is raised with a change of it between two versions. */
const shape = `${version} 1`;
/** The name under which that is noted while nobody has the store open. */
const mark = 'shape';
/** What the kept sums are made of. */
const counted = ['message', 'delivery', 'conversation_delivery'] as const;

/**
 * Sums over all messages, kept from one run to the next: adding up a million takes seconds, and mostly nothing has changed.
 *
 * They hold as long as nobody writes to what they are made of. In this session triggers watch that. Between two sessions the file
 * must be the very one that the last session closed, which was one that kept them: whoever opens the store takes the mark away,
 * and only he who has kept or used them all the time puts it back. In doubt everything is added up again.
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

  /** What was kept under a name; undefined where it no longer holds. */
  read(name: string): string | undefined {
    if (!this.#holds()) return undefined;
    return this.#valueOf(name);
  }

  #valueOf(name: string): string | undefined {
    return this.#db.prepare<[string], string>('SELECT value FROM totals_cache WHERE name = ?').pluck().get(name);
  }

  /** What was kept, else what is found out now; JSON. */
  orFind<T>(name: string, find: () => T): T {
    const text = this.read(name);
    if (text !== undefined) return JSON.parse(text) as T;
    const found = find();
    this.save(name, JSON.stringify(found));
    return found;
  }

  /** Of the books as they stand now. Outside of a transaction. */
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

const events = ['INSERT', 'UPDATE', 'DELETE'] as const;
const triggerName = (table: string, event: string) => `watch_${table}_${event}`;
const triggerNames = counted.flatMap((table) => events.map((event) => triggerName(table, event)));
