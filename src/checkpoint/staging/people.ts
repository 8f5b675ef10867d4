import type { Database } from 'better-sqlite3';
import type { UserRecord } from '../../model/records.ts';

/** People as messages carry them, read once and kept: about 200 bytes each. */
export function peopleReader(db: Database) {
  const select = db.prepare<[number], { id: number; uid: string; details: string }>(
    'SELECT id, uid, details FROM person WHERE id = ?',
  );
  const cache = new Map<number, { id: number; uid: string; details: string }>();
  return (id: number) => {
    let person = cache.get(id);
    if (!person) {
      person = select.get(id)!;
      cache.set(id, person);
    }
    return person;
  };
}

/** A person as an earlier plan left them. */
export interface StoredPerson {
  readonly id: number;
  readonly record: UserRecord;
}

/** Everybody whom the store knows. */
export function* storedPeople(db: Database): Generator<StoredPerson> {
  const rows = db.prepare<[], [number, string]>('SELECT id, record FROM person').raw();
  for (const [id, record] of rows.all()) yield { id, record: JSON.parse(record) as UserRecord };
}

/** People whose details a receipt has shown to be at a destination. */
export function knownPeople(db: Database, destination: number): Set<number> {
  return new Set(
    db.prepare('SELECT person FROM person_delivery WHERE destination = ?').pluck().all(destination) as number[],
  );
}
