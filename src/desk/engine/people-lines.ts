import type { Database } from 'better-sqlite3';
import { idFromStored } from '../../lib/text/stored-id.ts';
import { peopleLine } from '../../report/report-files.ts';

/** People whose lines are one block: about 30 KB. */
const blockPeople = 512;

/**
 * The lines of the table of uids, one for each person whom it can name, in the order of the plan. They are kept in blocks next to the people,
 * because making all lines takes longer than writing them. When a uid is set, one block is made again.
 */
export class PeopleLines {
  readonly #db: Database;

  /** Makes all lines. @param db The index of people, which has everyone. */
  constructor(db: Database) {
    this.#db = db;
    db.exec('CREATE TABLE block (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
    db.transaction(() => {
      for (const _ of this.all());
    })();
  }

  /** Yields the lines, many at once. */
  *all(): Generator<string> {
    const last = this.#db.prepare<[], number | null>('SELECT max(number) FROM person').pluck().get();
    for (let block = 0; block <= (last ?? -1) / blockPeople; block++) yield this.#block(block);
  }

  /** Lets lines be made again. @param where Condition on `person`, as SQL. */
  forget(where: string, ...values: readonly string[]): void {
    this.#db
      .prepare(`DELETE FROM block WHERE number IN (SELECT number / ${blockPeople} FROM person WHERE ${where})`)
      .run(...values);
  }

  #block(block: number): string {
    const kept = this.#db.prepare<[number], string>('SELECT text FROM block WHERE number = ?').pluck().get(block);
    if (kept !== undefined) return kept;
    const rows = this.#db
      .prepare<[number, number], LineRow>(
        `SELECT id, name, handle, email, messages, coalesce(by_table, '') AS uid, now FROM person
         WHERE number >= ? AND number < ? AND is_nameable ORDER BY number`,
      )
      .all(block * blockPeople, (block + 1) * blockPeople);
    const text = rows.map((row) => peopleLine({ ...row, id: idFromStored(row.id) })).join('');
    this.#db.prepare('INSERT INTO block VALUES (?, ?)').run(block, text);
    return text;
  }
}

type LineRow = Parameters<typeof peopleLine>[0];
