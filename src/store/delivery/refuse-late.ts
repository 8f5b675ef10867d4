import type { Database } from 'better-sqlite3';
import { muidLength } from '../../model/staged-item.ts';
import { deliveredUpToReader, pendingLanes } from './stored-lanes.ts';
import { isPending } from './next-rows.ts';

export interface Refusal {
  readonly destination: number;
  readonly run: number;
  /** Chatferry's own code, not the service's: `late_outsider`. */
  readonly code: string;
  readonly detail: string;
  /** SQL that selects the `seq` of the messages; its one parameter is the destination. */
  readonly messages: string;
}

/**
 * Refuses messages with a code of ours, before anything of them is sent.
 *
 * @returns How many.
 */
function refuseUnsent(db: Database, { destination, run, code, detail, messages }: Refusal): number {
  const isAny = db.prepare(`SELECT 1 FROM (${messages}) LIMIT 1`);
  if (!isAny.get(destination)) return 0;
  return db
    .transaction(() => {
      const batch = db
        .prepare(`INSERT INTO batch (destination, run, size, bytes, state) VALUES (?, ?, 0, 0, 'closed')`)
        .run(destination, run).lastInsertRowid;
      // The condition marks the end of the selection: without it, ON would belong to a join.
      const { changes } = db
        .prepare(
          `INSERT INTO delivery (destination, message, state, batch, code, detail)
         SELECT @destination, seq, 'failed', @batch, @code, @detail FROM (${messages.replace('?', '@destination')}) WHERE true
         ON CONFLICT (destination, message) DO UPDATE SET state = 'failed', code = excluded.code, detail = excluded.detail`,
        )
        .run({ destination, batch, code, detail });
      db.prepare('UPDATE batch SET size = ? WHERE id = ?').run(changes, batch);
      return changes;
    })
    .immediate();
}

/**
 * A one-to-one chat stays one once something was sent to it: what a third person wrote there later is refused here,
 * before anything is sent, with a code of ours.
 */
export function refuseLateOutsiders(db: Database, destination: number, run: number): void {
  refuseUnsent(db, {
    destination,
    run,
    code: 'late_outsider',
    detail: 'a third person wrote in a chat that is already one-to-one at the destination',
    messages: `SELECT m.seq FROM conversation_delivery cd JOIN conversation c ON c.id = cd.conversation
       JOIN message m ON m.conversation = c.id AND m.verdict = 'planned' AND m.sender NOT IN (c.person_a, c.person_b)
       LEFT JOIN delivery d ON d.destination = cd.destination AND d.message = m.seq
       WHERE cd.destination = ? AND cd.receiver_type = 'user' AND ${isPending}`,
  });
}

/**
 * Sent messages stay as they are. If a message was edited at the source after its first part was sent, further parts of
 * the new version are marked as failed here, before anything is sent, with a code of Chatferry's.
 */
export function refuseLateParts(db: Database, destination: number, run: number): void {
  refuseUnsent(db, {
    destination,
    run,
    code: 'late_part',
    detail: 'the message was sent before it was edited and grew',
    messages: `SELECT p.seq FROM message p CROSS JOIN message head ON head.muid = substr(p.muid, 1, ${muidLength}) AND head.verdict <> 'duplicate'
       CROSS JOIN delivery sent ON sent.destination = ? AND sent.message = head.seq AND sent.state <> 'pending'
       LEFT JOIN delivery d ON d.destination = sent.destination AND d.message = p.seq
       WHERE p.part > 1 AND p.verdict = 'planned' AND (d.state IS NULL OR d.state = 'pending')
         AND sent.payload IS NOT NULL AND sent.payload ->> '$.data' <> head.payload ->> '$.data'`,
  });
}

/** A place in the order of a conversation: time, sort key, `seq`. */
type Place = readonly [number, string, number];

/**
 * Marks new messages as failed if they are older than what their conversation already has at the destination. This
 * happens before anything is sent, with a code of Chatferry's. Messages that were tried there before are sent: a retry
 * asks for them, and an interrupted run only continues.
 */
export function refuseTooLate(db: Database, destination: number, run: number): void {
  const tooLate = tooLateRefuser(db, destination, run);
  const deliveredUpTo = deliveredUpToReader(db, destination);
  for (const { conversation } of pendingLanes(db, destination)) {
    const upTo = deliveredUpTo(conversation);
    if (upTo) tooLate.collect(conversation, upTo);
  }
  tooLate.refuse();
}

/**
 * The same for one conversation after the other, where more turns out to be there than the store knew: an old copy of it, or
 * an answer that was lost. Call it after `refuseTooLate`.
 *
 * @returns How many messages were refused.
 */
export function lateLaneRefuser(db: Database, destination: number, run: number) {
  const tooLate = tooLateRefuser(db, destination, run);
  return (conversation: number, upTo: Place): number => {
    tooLate.collect(conversation, upTo);
    return tooLate.refuse();
  };
}

function tooLateRefuser(db: Database, destination: number, run: number) {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS too_late (seq INTEGER PRIMARY KEY); DELETE FROM temp.too_late');
  const collect = db.prepare<[number, number, ...Place]>(
    `INSERT INTO temp.too_late SELECT m.seq FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
     WHERE m.conversation = ? AND m.verdict = 'planned' AND (m.sent_at, m.sort_key, m.seq) < (?, ?, ?)
       AND m.vanished = 0 AND m.follows IS NULL AND d.state IS NULL`,
  );
  return {
    collect: (conversation: number, upTo: Place): void => void collect.run(destination, conversation, ...upTo),
    /** Marks the messages collected since the last call as failed. */
    refuse(): number {
      const code = 'too-late';
      const detail = 'younger messages of its conversation are already there';
      const messages = 'SELECT seq FROM temp.too_late WHERE ? > 0';
      const count = refuseUnsent(db, { destination, run, code, detail, messages });
      db.exec('DELETE FROM temp.too_late');
      return count;
    },
  };
}

/** Refuses messages, by `seq`, that have become older than the destination keeps them before their turn came. */
export function tooOldRefuser(db: Database, destination: number, run: number): (messages: readonly number[]) => void {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS too_old (seq INTEGER PRIMARY KEY)');
  const collect = db.prepare<[number]>('INSERT INTO temp.too_old VALUES (?)');
  return (found) => {
    for (const seq of found) collect.run(seq);
    const detail = 'too old for the retention of the destination when its turn came';
    const messages = 'SELECT seq FROM temp.too_old WHERE ? > 0';
    refuseUnsent(db, { destination, run, code: 'too-old', detail, messages });
    db.exec('DELETE FROM temp.too_old');
  };
}

/** Ids in the export of the messages that were sent behind one that should follow them, at any destination. */
export const lateMessages = (db: Database): string[] =>
  db
    .prepare<[], string>(
      `SELECT m.origin_id FROM delivery d JOIN message m ON m.seq = d.message WHERE d.is_late = 1 AND m.origin_id IS NOT NULL`,
    )
    .pluck()
    .all();
