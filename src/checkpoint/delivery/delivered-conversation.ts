import type { Database } from 'better-sqlite3';

/** The service's id of a conversation into which something of ours was delivered there; nothing where that never happened. */
export function deliveredConversation(db: Database, destination: number): string | undefined {
  return db
    .prepare<[number], string>(
      `SELECT conversation_id FROM conversation_delivery
       WHERE destination = ? AND conversation_id IS NOT NULL AND last_server_id IS NOT NULL LIMIT 1`,
    )
    .pluck()
    .get(destination);
}
