import type { Database } from 'better-sqlite3';

/** The exports of a store, by number, where an input holds corrections of what they had: the files of its messages are theirs. */
export function correctedInputs(db: Database): (input: number) => number[] {
  const select = db
    .prepare<[number], number>(
      `SELECT o.id FROM source_input i JOIN source_input o ON o.source IS NULL WHERE i.id = ? AND i.source IS NOT NULL ORDER BY o.id`,
    )
    .pluck();
  return (input) => select.all(input);
}

/** Gives the absolute path of an input. */
export function pathOfInput(db: Database): (input: number) => string | undefined {
  const select = db.prepare<[number], string>('SELECT path FROM source_input WHERE id = ?').pluck();
  return (input) => select.get(input);
}
