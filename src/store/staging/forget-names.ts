import type { Database } from 'better-sqlite3';

/** Whether an id of the store was seen in the reading that just ended. */
export interface SeenNames {
  readonly people: { has(id: number): boolean };
  readonly conversations: { has(id: number): boolean };
}

/**
 * After everything was read again: people and conversations that nothing names any more leave the store. One with a row, or
 * about which a destination was asked, stays. Goes through the messages once, but only if something was not seen.
 */
export function forgetUnseen(db: Database, { people, conversations }: SeenNames): void {
  forget(db, 'conversation', conversations, namedConversations);
  forget(db, 'person', people, namedPeople);
}

function forget(db: Database, table: string, seen: SeenNames['people'], named: string): void {
  const unseen: number[] = [];
  for (const id of db.prepare<[], number>(`SELECT id FROM ${table}`).pluck().iterate())
    if (!seen.has(id)) unseen.push(id);
  if (unseen.length === 0) return;
  db.prepare(`DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) AND id NOT IN (${named})`).run(
    JSON.stringify(unseen),
  );
}

const namedConversations = `SELECT conversation FROM message WHERE conversation IS NOT NULL
  UNION ALL SELECT conversation FROM conversation_delivery
  UNION ALL SELECT conversation FROM conversation_check
  UNION ALL SELECT conversation FROM difference WHERE conversation IS NOT NULL
  UNION ALL SELECT conversation FROM export_gap
  UNION ALL SELECT subject FROM undo_call WHERE kind <> 'person'`;

const namedPeople = `SELECT sender FROM message WHERE sender IS NOT NULL
  UNION ALL SELECT p.value FROM message m, json_each(m.reactions) r, json_each(r.value, '$[1]') p WHERE m.reactions IS NOT NULL
  UNION ALL SELECT person_a FROM conversation WHERE person_a IS NOT NULL
  UNION ALL SELECT person_b FROM conversation WHERE person_b IS NOT NULL
  UNION ALL SELECT from_person FROM relation UNION ALL SELECT to_person FROM relation
  UNION ALL SELECT person FROM action UNION ALL SELECT other FROM action
  UNION ALL SELECT person FROM person_delivery UNION ALL SELECT person FROM person_before
  UNION ALL SELECT subject FROM undo_call WHERE kind = 'person'`;
