import type { Database } from 'better-sqlite3';
import { insideConversations, insideMessages } from '../base/inside-messages.ts';
import type { PendingLane } from './pending-lanes.ts';

/** Conversations to read back, in pages: there may be a million of them. */
export interface TouchedLanes {
  /** Messages of theirs that are there as far as the store knows. */
  readonly deliveredCount: number;
  /** The next 200 behind the conversation with this id, by id. */
  after(conversation: number): PendingLane[];
}

const columns = `c.id AS conversation, c.source_id, c.guid, c.details AS group_details, c.person_a, c.person_b,
  coalesce(cd.receiver_type, c.receiver_type) AS receiver_type, cd.conversation_id, cd.last_server_id, 0 AS pending, 0 AS doubtful`;
const joined = 'conversation c LEFT JOIN conversation_delivery cd ON cd.destination = ? AND cd.conversation = c.id';

/**
 * @param since Only conversations that runs after this one touched. Without it all that are planned or were ever sent to:
 *   something of ours may be there although the store, an old copy, says that nothing was sent.
 * @param insideOnly Only conversations and messages that `chooseInside` wrote down.
 */
export function touchedLanes(
  db: Database,
  destination: number,
  { since, insideOnly }: { readonly since: number | undefined; readonly insideOnly: boolean },
): TouchedLanes {
  const isInside = insideOnly ? `c.id IN (${insideConversations})` : 'true';
  const isCounted = insideOnly ? `d.message IN (${insideMessages})` : 'true';
  if (since === undefined) {
    const isPlanned = `EXISTS (SELECT 1 FROM message m WHERE m.conversation = c.id AND m.verdict = 'planned')`;
    const page = db.prepare<[number, number], PendingLane>(
      `SELECT ${columns} FROM ${joined}
       WHERE c.id > ? AND (cd.conversation IS NOT NULL OR ${isPlanned}) AND ${isInside} ORDER BY c.id LIMIT 200`,
    );
    const delivered = db.prepare<[number], number>(
      `SELECT count(*) FROM delivery d WHERE d.destination = ? AND d.state IN ('imported', 'present') AND ${isCounted}`,
    );
    return {
      deliveredCount: delivered.pluck().get(destination)!,
      after: (conversation) => page.all(destination, conversation),
    };
  }
  db.exec('CREATE TEMP TABLE IF NOT EXISTS touched (conversation INTEGER PRIMARY KEY); DELETE FROM temp.touched');
  db.prepare(
    `INSERT OR IGNORE INTO temp.touched SELECT m.conversation FROM batch b
     JOIN delivery d ON d.batch = b.id AND d.destination = b.destination JOIN message m ON m.seq = d.message
     WHERE b.destination = ? AND b.run > ?`,
  ).run(destination, since);
  db.prepare(
    `INSERT OR IGNORE INTO temp.touched SELECT m.conversation FROM action_delivery v
     JOIN action a ON a.id = v.action JOIN message m ON m.seq = a.message WHERE v.destination = ? AND v.run > ?`,
  ).run(destination, since);
  const page = db.prepare<[number, number], PendingLane>(
    `SELECT ${columns} FROM temp.touched t CROSS JOIN ${joined}
     WHERE t.conversation > ? AND c.id = t.conversation AND ${isInside} ORDER BY t.conversation LIMIT 200`,
  );
  const delivered = db.prepare<[number], number>(
    `SELECT count(*) FROM temp.touched t CROSS JOIN message m ON m.conversation = t.conversation AND m.verdict = 'planned'
     JOIN delivery d ON d.destination = ? AND d.message = m.seq AND d.state IN ('imported', 'present') AND ${isCounted}`,
  );
  return {
    deliveredCount: delivered.pluck().get(destination)!,
    after: (conversation) => page.all(destination, conversation),
  };
}

/** Some conversations by id, as `touchedLanes` gives them. */
export function laneReader(db: Database, destination: number) {
  const select = db.prepare<[number, number], PendingLane>(`SELECT ${columns} FROM ${joined} WHERE c.id = ?`);
  return (conversation: number): PendingLane => select.get(destination, conversation)!;
}
