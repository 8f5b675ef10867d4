import type { Database } from 'better-sqlite3';

/** People whose details no receipt has shown at a destination, and of whom nobody asked there, a page at a time. */
export function unaskedPeopleReader(db: Database, destination: number) {
  const select = db.prepare<[number, number, number, number], { readonly id: number; readonly uid: string }>(
    `SELECT id, uid FROM person p WHERE id > ?
       AND NOT EXISTS (SELECT 1 FROM person_delivery d WHERE d.destination = ? AND d.person = p.id)
       AND NOT EXISTS (SELECT 1 FROM person_before b WHERE b.destination = ? AND b.person = p.id)
     ORDER BY id LIMIT ?`,
  );
  return (afterId: number, limit: number) => select.all(afterId, destination, destination, limit);
}

/** Writes down whether a destination had a person before the first message. What was written first stays. */
export function personBeforeWriter(db: Database, destination: number): (person: number, existed: boolean) => void {
  const insert = db.prepare('INSERT OR IGNORE INTO person_before VALUES (?, ?, ?)');
  return (person, existed) => void insert.run(destination, person, existed ? 1 : 0);
}
