import type { Database } from 'better-sqlite3';
import type { ConversationRecord } from '../../model/records.ts';

/** A conversation as an earlier plan left it. */
export interface StoredConversation {
  readonly id: number;
  readonly record: ConversationRecord;
}

/** Every conversation that the store knows. */
export function* storedConversations(db: Database): Generator<StoredConversation> {
  const rows = db.prepare<[], [number, string]>('SELECT id, record FROM conversation').raw();
  for (const [id, record] of rows.iterate()) yield { id, record: JSON.parse(record) as ConversationRecord };
}
