import type { Database } from 'better-sqlite3';

export interface StagedConversation {
  readonly sourceId: string;
  readonly type: string;
  readonly name: string;
  readonly receiverType: 'user' | 'group';
  readonly guid: string;
  /** The two of a direct conversation, by id in the store. */
  readonly people: readonly [number, number] | null;
  /** JSON. */
  readonly details: string;
  /** JSON. */
  readonly record: string;
  readonly isPlaceholder: boolean;
}

/** Writes conversations; answers their ids in the store. A description from a file wins over a placeholder. */
export function conversationWriter(db: Database): (conversation: StagedConversation) => number {
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
      c.people?.[0] ?? null,
      c.people?.[1] ?? null,
      c.details,
      c.record,
      c.isPlaceholder ? 1 : 0,
    ) ?? find.get(c.sourceId)) as number;
}
