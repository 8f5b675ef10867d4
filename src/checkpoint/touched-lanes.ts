import type { Database } from 'better-sqlite3';
import type { PendingLane } from './pending-lanes.ts';

export interface TouchedLane extends PendingLane {
  /** Messages that are there as far as the store knows. */
  readonly delivered: number;
}

/**
 * Conversations in which a destination has something of ours.
 *
 * @param since Only those that runs after this one touched; all of them without it.
 */
export function touchedLanes(db: Database, destination: number, since: number | undefined): TouchedLane[] {
  const sinceRun = `WHERE c.id IN (SELECT m.conversation FROM batch b JOIN delivery d ON d.batch = b.id JOIN message m ON m.seq = d.message WHERE b.destination = ? AND b.run > ?)`;
  return db
    .prepare<number[], TouchedLane>(
      `SELECT c.id AS conversation, c.source_id, c.guid, c.details AS group_details, c.person_a, c.person_b,
         cd.receiver_type, cd.conversation_id, cd.last_server_id, 0 AS pending, 0 AS doubtful, t.delivered
       FROM (SELECT m.conversation, count(*) AS delivered FROM delivery d JOIN message m ON m.seq = d.message
             WHERE d.destination = ? AND d.state IN ('imported', 'present') GROUP BY m.conversation) t
       JOIN conversation c ON c.id = t.conversation
       JOIN conversation_delivery cd ON cd.destination = ? AND cd.conversation = c.id
       ${since === undefined ? '' : sinceRun} ORDER BY c.id`,
    )
    .all(...(since === undefined ? [destination, destination] : [destination, destination, destination, since]));
}
