import type { Database } from 'better-sqlite3';
import type { ConversationRecord, UserRecord } from '../../model/records.ts';

/** On whom and on what decisions hang: of findings that are kept, 1,000 of a code. */

/** A finding may name several people, of one address; an id may itself contain the separator. */
export const peopleOfFindings = (db: Database, code: string): IterableIterator<number> =>
  db
    .prepare<[{ code: string }], number>(
      `SELECT p.id FROM problem x JOIN person p ON p.source_id = x.place WHERE x.code = @code
       UNION SELECT p.id FROM problem x CROSS JOIN json_each('[' || replace(json_quote(x.place), ', ', '","') || ']') named
         JOIN person p ON p.source_id = named.value WHERE x.code = @code`,
    )
    .pluck()
    .iterate({ code });

export const conversationsOfFindings = (db: Database, code: string): IterableIterator<number> =>
  db
    .prepare<[string], number>(
      'SELECT DISTINCT c.id FROM problem x JOIN conversation c ON c.source_id = x.place WHERE x.code = ?',
    )
    .pluck()
    .iterate(code);

/** Conversations of two of which one is among these: what the other wrote is sent to their uid. */
export function* directConversationsOf(db: Database, people: ReadonlySet<number>): Generator<number> {
  const rows = db.prepare<[], { id: number; a: number | null; b: number | null }>(
    `SELECT id, person_a AS a, person_b AS b FROM conversation WHERE receiver_type = 'user'`,
  );
  for (const { id, a, b } of rows.iterate()) if (people.has(a!) || people.has(b!)) yield id;
}

/** Planned messages of the files in which something was found. */
export const countOfFiles = (db: Database, code: string): number =>
  db
    .prepare<[string], number>(
      `SELECT count(*) FROM message WHERE verdict = 'planned' AND coalesce(part, 1) = 1
         AND file IN (SELECT file FROM problem WHERE code = ?)`,
    )
    .pluck()
    .get(code)!;

/** Yields everyone, one by one, with the facts that a check of people needs. */
export function* eachPerson(db: Database) {
  const rows = db.prepare<[], { id: number; uid: string; record: string; hasHash: number }>(
    'SELECT id, uid, record, has_hash AS hasHash FROM person',
  );
  for (const { id, uid, record, hasHash } of rows.iterate())
    yield { id, uid, record: JSON.parse(record) as UserRecord, hasHash: hasHash === 1 };
}

export function* eachConversation(db: Database) {
  const rows = db.prepare<[], { id: number; guid: string; receiverType: 'user' | 'group'; record: string }>(
    'SELECT id, guid, receiver_type AS receiverType, record FROM conversation',
  );
  for (const { id, guid, receiverType, record } of rows.iterate())
    yield { id, guid, receiverType, record: JSON.parse(record) as ConversationRecord };
}
