import type { Database } from 'better-sqlite3';

/** Keys of `meta` that tell when a store was written, and where. */
const keysOfTheTime = ['judgedAt', 'openedAs'];

/** Every row of every table of a store, by table, in the order of writing; without what tells when it was written, and where. */
export function storeRows(db: Database): Record<string, unknown[]> {
  const tables = db
    .prepare<[], { name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .all();
  return Object.fromEntries(
    tables.map(({ name, sql }) => {
      const order = sql.includes('WITHOUT ROWID') ? '1, 2' : 'rowid';
      const rows = db.prepare(`SELECT * FROM ${name} ORDER BY ${order}`).all();
      return [
        name,
        name === 'meta' ? rows.filter((row) => !keysOfTheTime.includes((row as { key: string }).key)) : rows,
      ];
    }),
  );
}
