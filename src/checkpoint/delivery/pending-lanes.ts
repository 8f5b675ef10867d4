import type { Database } from 'better-sqlite3';
import { hasMessageIndex } from '../base/message-indexes.ts';

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
  /** Greater ones are sent first. */
  readonly priority?: number;
}

/**
 * Conversations with something to send or in doubt at a destination. The receiver is the one fixed at the first intent there.
 *
 * @param chosenOnly Only what `chooseMessages` named counts as something to send.
 */
export function pendingLanes(db: Database, destination: number, chosenOnly = false): PendingLane[] {
  return db
    .prepare<[number, number], PendingLane>(
      `SELECT c.id AS conversation, c.source_id, c.guid, c.details AS group_details, c.person_a, c.person_b,
         coalesce(cd.receiver_type, c.receiver_type) AS receiver_type, cd.conversation_id, cd.last_server_id, p.pending, p.doubtful, c.priority
       FROM (SELECT m.conversation,
               sum(m.verdict = 'planned' AND m.vanished = 0 AND ${isPending}${chosenOnly ? amongChosen : ''}) AS pending,
               coalesce(sum(d.state = 'sent'), 0) AS doubtful
             FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
             WHERE (${isPending} OR d.state = 'sent') AND (m.verdict = 'planned' OR (m.verdict <> 'repeated' AND d.state = 'sent'))
             GROUP BY m.conversation) p
       JOIN conversation c ON c.id = p.conversation
       LEFT JOIN conversation_delivery cd ON cd.destination = ? AND cd.conversation = c.id
       WHERE p.pending > 0 OR p.doubtful > 0`,
    )
    .all(destination, destination);
}

/**
 * How long ago, at least, the last request of a batch that is still in doubt left. In ms; nothing where none is in doubt.
 *
 * The wall clock may have been set meanwhile, and the machine started again. So the shorter of two counts: by the wall clock, and by the
 * machine's uptime, of which all has passed since where it is less than it was.
 */
export function sinceDoubtfulAttemptMs(
  db: Database,
  destination: number,
  clocks: { readonly nowMs: number; readonly uptimeMs: number },
): number | undefined {
  const sinceMs = db
    .prepare(
      `SELECT min(min(
         max(@nowMs - a.started_at, 0),
         CASE WHEN a.started_uptime IS NULL THEN @nowMs WHEN a.started_uptime > @uptimeMs THEN @uptimeMs
           ELSE @uptimeMs - a.started_uptime END))
       FROM batch b JOIN attempt a ON a.batch = b.id WHERE b.destination = @destination AND b.state = 'open'`,
    )
    .pluck()
    .get({ destination, ...clocks }) as number | null;
  return sinceMs ?? undefined;
}

/** Batches that are open although nothing of them is in doubt any more. */
export function closeFinishedBatches(db: Database, destination: number): void {
  db.prepare(
    `UPDATE batch SET state = 'closed' WHERE destination = ? AND state = 'open'
     AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.batch = batch.id AND d.state = 'sent')`,
  ).run(destination);
}

/**
 * SQL: whether a planned message `m` is to be sent to the destination of its delivery `d` (joined from the left): nothing was tried
 * there, or what was tried surely changed nothing. A follow-up goes only where a delivery of it stands.
 */
export const isPending = `(d.state = 'pending' OR (d.state IS NULL AND m.follows IS NULL))`;

/** For a query in which `m` is the message: only those that were chosen. */
export const amongChosen = ' AND m.seq IN (SELECT message FROM temp.chosen)';

/**
 * Names the messages that a run may send, by `seq`; those of an earlier call are forgotten. A temporary table of this
 * connection, so memory stays flat whatever their number.
 */
export function chooseMessages(db: Database, messages: Iterable<number>): void {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS chosen (message INTEGER PRIMARY KEY); DELETE FROM temp.chosen');
  const insert = db.prepare('INSERT OR IGNORE INTO temp.chosen VALUES (?)');
  db.transaction(() => {
    for (const message of messages) insert.run(message);
  })();
}

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

interface OrderKey {
  readonly sent_at: number;
  readonly sort_key: string;
  readonly seq: number;
}

/** Order key of the last message of a conversation that a destination has, whether or not it would be sent today. */
export function deliveredUpToReader(db: Database, destination: number) {
  const last = (verdicts: string) =>
    db.prepare<[number, number], OrderKey>(
      `SELECT m.sent_at, m.sort_key, m.seq FROM message m CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
       WHERE m.conversation = ? AND m.verdict ${verdicts} AND d.state IN ('imported', 'present')
       ORDER BY m.sent_at DESC, m.sort_key DESC, m.seq DESC LIMIT 1`,
    );
  const selects = [last(`= 'planned'`)];
  // What was sent and is left out by now. Before files were read again there is none.
  if (hasMessageIndex(db, 'message_unplanned')) selects.push(last(`IN ('skipped', 'rejected')`));
  return (conversation: number): [number, string, number] | undefined => {
    const [first, ...others] = selects.flatMap((select) => select.get(destination, conversation) ?? []);
    const row = others.reduce((later, other) => (later && isBefore(later, other) ? other : later), first);
    return row && [row.sent_at, row.sort_key, row.seq];
  };
}

const isBefore = (a: OrderKey, b: OrderKey): boolean =>
  a.sent_at !== b.sent_at ? a.sent_at < b.sent_at : a.sort_key !== b.sort_key ? a.sort_key < b.sort_key : a.seq < b.seq;
