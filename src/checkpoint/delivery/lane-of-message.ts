import type { Database } from 'better-sqlite3';
import type { PendingLane } from './pending-lanes.ts';

/** The conversation of a message, as a destination gets it: the receiver is the one fixed at the first intent there, if there was one. */
export function laneOfMessage(db: Database, destination: number, muid: string): PendingLane | undefined {
  return db
    .prepare<[number, string], PendingLane>(
      `SELECT c.id AS conversation, c.source_id, c.guid, c.details AS group_details, c.person_a, c.person_b,
         coalesce(cd.receiver_type, c.receiver_type) AS receiver_type, cd.conversation_id, cd.last_server_id,
         0 AS pending, 0 AS doubtful, c.priority
       FROM message m JOIN conversation c ON c.id = m.conversation
       LEFT JOIN conversation_delivery cd ON cd.destination = ? AND cd.conversation = c.id
       WHERE m.muid = ? AND m.verdict <> 'repeated'`,
    )
    .get(destination, muid);
}
