import type { Database } from 'better-sqlite3';

/** What the export calls a person, by uid. */
export function personNameReader(db: Database): (uid: string) => string | undefined {
  const select = db.prepare<[string], string | null>(`SELECT record ->> '$.name' FROM person WHERE uid = ?`).pluck();
  return (uid) => select.get(uid) ?? undefined;
}
