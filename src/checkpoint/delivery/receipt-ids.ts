import type { Database } from 'better-sqlite3';

/**
 * Finds messages by the server ids of their receipts, for listings that show neither muids nor our keys. Made for a conversation
 * when it is first needed, in a temporary table: an index would cost every import, and hardly any destination needs it.
 */
export function receiptIds(db: Database, destination: number) {
  db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS receipt (
      conversation INTEGER, server_id TEXT, muid TEXT, PRIMARY KEY (conversation, server_id)) WITHOUT ROWID;
    DELETE FROM temp.receipt`);
  const load = db.prepare(
    `INSERT OR IGNORE INTO temp.receipt
     SELECT m.conversation, d.server_id, coalesce(d.muid, m.muid) FROM message m
     CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
     WHERE m.conversation = ? AND m.verdict = 'planned' AND d.server_id IS NOT NULL`,
  );
  const select = db
    .prepare<[number, string], string>('SELECT muid FROM temp.receipt WHERE conversation = ? AND server_id = ?')
    .pluck();
  const forget = db.prepare('DELETE FROM temp.receipt WHERE conversation = ?');
  const loaded = new Set<number>();
  return {
    muidOf(conversation: number, serverId: string): string | undefined {
      if (!loaded.has(conversation)) {
        load.run(destination, conversation);
        loaded.add(conversation);
      }
      return select.get(conversation, serverId);
    },
    forget(conversation: number): void {
      if (loaded.delete(conversation)) forget.run(conversation);
    },
  };
}
