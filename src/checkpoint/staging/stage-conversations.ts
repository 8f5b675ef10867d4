import type { Database } from 'better-sqlite3';
import type { StagedConversation } from './staged-item.ts';

/**
 * Writes conversations; answers their ids in the store. A description from a file wins over a placeholder.
 *
 * @param personId Id in the store of a person who was written before.
 */
export function conversationWriter(
  db: Database,
  personId: (sourceId: string) => number,
): (conversation: StagedConversation) => number {
  const upsert = db
    .prepare(
      `INSERT INTO conversation (source_id, type, name, receiver_type, guid, person_a, person_b, details, record, is_placeholder)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (source_id) DO UPDATE SET type = excluded.type, name = excluded.name, receiver_type = excluded.receiver_type,
         guid = excluded.guid, person_a = excluded.person_a, person_b = excluded.person_b, details = excluded.details,
         record = excluded.record, is_placeholder = excluded.is_placeholder
         WHERE excluded.is_placeholder <= conversation.is_placeholder
       RETURNING id`,
    )
    .pluck();
  const find = db.prepare('SELECT id FROM conversation WHERE source_id = ?').pluck();
  return (c) =>
    (upsert.get(
      c.sourceId,
      c.type,
      c.name,
      c.receiverType,
      c.guid,
      c.people && personId(c.people[0]),
      c.people && personId(c.people[1]),
      c.details,
      c.record,
      c.isPlaceholder ? 1 : 0,
    ) ?? find.get(c.sourceId)) as number;
}
