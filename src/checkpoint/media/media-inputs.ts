import type { Database } from 'better-sqlite3';

/** Gives the absolute path of an input. */
export function pathOfInput(db: Database): (input: number) => string | undefined {
  const select = db.prepare<[number], string>('SELECT path FROM source_input WHERE id = ?').pluck();
  return (input) => select.get(input);
}
