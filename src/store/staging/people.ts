import type { Database } from 'better-sqlite3';
import { IdCounts } from '../../lib/maps/id-counts.ts';
import { Recent } from '../../lib/maps/recent.ts';
import { storedId } from '../../lib/text/stored-id.ts';
import { inPages } from '../base/pages.ts';
import type { UserRecord } from '../../model/records.ts';
import type { StagedPerson } from '../../model/staged-item.ts';

/**
 * Writes people; answers their ids in the store. A description from a file wins over a placeholder;
 * of two names that messages give a placeholder the first in the alphabet, whatever the order of reading.
 */
export function personWriter(db: Database): (person: StagedPerson) => number {
  const save = db
    .prepare(
      `INSERT INTO person (source_id, uid, name, details, record, is_placeholder) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (source_id) DO UPDATE SET uid = excluded.uid, name = excluded.name, details = excluded.details,
         record = excluded.record, is_placeholder = excluded.is_placeholder
       WHERE excluded.is_placeholder = 0 OR (person.is_placeholder = 1 AND excluded.name <> excluded.source_id
         AND (person.name = person.source_id OR excluded.name < person.name))
       RETURNING id`,
    )
    .pluck();
  const find = db.prepare<[string], number>('SELECT id FROM person WHERE source_id = ?').pluck();
  return ({ sourceId: id, uid, name, details, record, isPlaceholder }) => {
    const sourceId = storedId(id);
    const values = [sourceId, uid, name === id ? sourceId : name, details, record, isPlaceholder ? 1 : 0];
    return (save.get(values) ?? find.get(sourceId)) as number;
  };
}

/** People as messages carry them. */
export function peopleReader(db: Database) {
  const select = db.prepare<[number], { id: number; uid: string; details: string }>(
    'SELECT id, uid, details FROM person WHERE id = ?',
  );
  const recent = new Recent((id: number) => select.get(id)!);
  return (id: number) => recent.get(id);
}

/** Reads a person as an earlier plan stored them, by the id at the source. */
export function storedPersonReader(db: Database) {
  const select = db
    .prepare<[string], [id: number, record: string]>('SELECT id, record FROM person WHERE source_id = ?')
    .raw();
  return (sourceId: string): { readonly id: number; readonly record: UserRecord } | undefined => {
    const row = select.get(storedId(sourceId));
    return row && { id: row[0], record: JSON.parse(row[1]) as UserRecord };
  };
}

/** Yields the ids of all people in the store. The database is busy until the iteration ends. */
export const personIds = (db: Database): Iterable<number> =>
  db.prepare<[], number>('SELECT id FROM person').pluck().iterate();

/** Ids in the store of people, by their ids at the source; all of them were written. */
export function personIdReader(db: Database): Recent<string, number> {
  const select = db.prepare<[string], number>('SELECT id FROM person WHERE source_id = ?').pluck();
  return new Recent((sourceId) => select.get(storedId(sourceId))!);
}

/** People whose details a receipt has shown to be at a destination. */
export function knownPeople(db: Database, destination: number): IdCounts {
  const known = new IdCounts();
  const select = db.prepare<[number], number>('SELECT person FROM person_delivery WHERE destination = ?').pluck();
  for (const person of select.iterate(destination)) known.add(person);
  return known;
}

/** Returns the name that the export gives a person, by uid. */
export function personNameReader(db: Database): (uid: string) => string | undefined {
  const select = db.prepare<[string], string | null>(`SELECT record ->> '$.name' FROM person WHERE uid = ?`).pluck();
  return (uid) => select.get(uid) ?? undefined;
}

/** Returns people whose details no receipt has shown at a destination and who were not looked up there. */
export function unaskedPeople(
  db: Database,
  destination: number,
): Iterable<{ readonly id: number; readonly uid: string }> {
  const select = db.prepare<[number, number, number], { readonly id: number; readonly uid: string }>(
    `SELECT id, uid FROM person p WHERE id > ?
       AND NOT EXISTS (SELECT 1 FROM person_delivery d WHERE d.destination = ? AND d.person = p.id)
       AND NOT EXISTS (SELECT 1 FROM person_before b WHERE b.destination = ? AND b.person = p.id)
     ORDER BY id LIMIT 500`,
  );
  return inPages('id', (after) => select.all(after, destination, destination));
}

/** Records whether a destination had a person before the first message. The first record is kept. */
export function personBeforeWriter(db: Database, destination: number): (person: number, existed: boolean) => void {
  const insert = db.prepare('INSERT OR IGNORE INTO person_before VALUES (?, ?, ?)');
  return (person, existed) => void insert.run(destination, person, existed ? 1 : 0);
}

/**
 * How many people's messages a destination has in a conversation, as far as the store knows.
 *
 * Writers of what is there and not planned any more (after a narrower filter, say) are found by no index: they are
 * collected once, in a temporary table.
 */
export function writersReader(db: Database, destination: number): (conversation: number) => number {
  db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS unplanned_writer (conversation INTEGER, sender INTEGER, PRIMARY KEY (conversation, sender)) WITHOUT ROWID;
    DELETE FROM temp.unplanned_writer`);
  db.prepare(
    `INSERT OR IGNORE INTO temp.unplanned_writer SELECT m.conversation, m.sender FROM delivery d JOIN message m ON m.seq = d.message
     WHERE d.destination = ? AND d.state = 'imported' AND m.verdict NOT IN ('planned', 'duplicate')`,
  ).run(destination);
  const select = db
    .prepare<{ destination: number; conversation: number }, number>(
      `SELECT count(*) FROM (
         SELECT m.sender FROM message m CROSS JOIN delivery d ON d.destination = @destination AND d.message = m.seq
         WHERE m.conversation = @conversation AND m.verdict = 'planned' AND d.state = 'imported'
         UNION SELECT sender FROM temp.unplanned_writer WHERE conversation = @conversation)`,
    )
    .pluck();
  return (conversation) => select.get({ destination, conversation })!;
}
