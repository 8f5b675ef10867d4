import type { Database } from 'better-sqlite3';

/** The conversation in which a destination has most of ours, under the service's id. */
export function largestConversation(
  db: Database,
  destination: number,
): { conversationId: string; name: string } | undefined {
  return db
    .prepare<[number, number], { conversationId: string; name: string }>(
      `SELECT cd.conversation_id AS conversationId, c.name FROM conversation_delivery cd
       JOIN conversation c ON c.id = cd.conversation
       JOIN (SELECT m.conversation, count(*) AS count FROM delivery d JOIN message m ON m.seq = d.message
             WHERE d.destination = ? AND d.state IN ('imported', 'present') GROUP BY m.conversation) t ON t.conversation = c.id
       WHERE cd.destination = ? AND cd.conversation_id IS NOT NULL ORDER BY t.count DESC, c.id LIMIT 1`,
    )
    .get(destination, destination);
}
