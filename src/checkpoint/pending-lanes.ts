import type { Database } from 'better-sqlite3';

export interface PendingLane {
  readonly conversation: number;
  readonly source_id: string;
  readonly guid: string;
  readonly group_details: string;
  readonly person_a: number | null;
  readonly person_b: number | null;
  readonly receiver_type: 'user' | 'group';
  readonly conversation_id: string | null;
  readonly last_server_id: string | null;
  readonly pending: number;
  readonly doubtful: number;
}

/** Conversations with something to send or in doubt at a destination. The receiver is the one fixed at the first intent there. */
export function pendingLanes(db: Database, destination: number): PendingLane[] {
  return db
    .prepare<[number, number], PendingLane>(
      `SELECT c.id AS conversation, c.source_id, c.guid, c.details AS group_details, c.person_a, c.person_b,
         coalesce(cd.receiver_type, c.receiver_type) AS receiver_type, cd.conversation_id, cd.last_server_id, p.pending, p.doubtful
       FROM (SELECT m.conversation,
               sum(m.verdict = 'planned' AND m.vanished = 0 AND (d.state IS NULL OR d.state = 'pending')) AS pending,
               coalesce(sum(d.state = 'sent'), 0) AS doubtful
             FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
             WHERE m.verdict = 'planned' OR (m.verdict <> 'repeated' AND d.state = 'sent') GROUP BY m.conversation) p
       JOIN conversation c ON c.id = p.conversation
       LEFT JOIN conversation_delivery cd ON cd.destination = ? AND cd.conversation = c.id
       WHERE p.pending > 0 OR p.doubtful > 0`,
    )
    .all(destination, destination);
}

/** When the last request of a batch that is still in doubt left, in epoch ms. */
export function lastDoubtfulAttemptMs(db: Database, destination: number): number | undefined {
  return (
    (db
      .prepare(
        `SELECT max(a.started_at) FROM batch b JOIN attempt a ON a.batch = b.id WHERE b.destination = ? AND b.state = 'open'`,
      )
      .pluck()
      .get(destination) as number | null) ?? undefined
  );
}

/** Batches that are open although nothing of them is in doubt any more. */
export function closeSettledBatches(db: Database, destination: number): void {
  db.prepare(
    `UPDATE batch SET state = 'closed' WHERE destination = ? AND state = 'open'
     AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.batch = batch.id AND d.state = 'sent')`,
  ).run(destination);
}
