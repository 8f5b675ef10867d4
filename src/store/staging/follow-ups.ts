import type { Database } from 'better-sqlite3';
import { type DeliveryTotals, noDeliveryTotals } from '../../model/totals.ts';
import { hasMessageIndex } from '../base/message-indexes.ts';

/** A message that says how another one changed at the source. */
export interface StagedFollowUp {
  /** `seq` of the message that it follows; conversation, sender and place are those of that one. */
  readonly follows: number;
  readonly muid: string;
  readonly payload: string;
}

/** A follow-up that was sent, whatever became of it. */
export interface LeftFollowUp {
  readonly state: 'sent' | 'imported' | 'existing' | 'failed';
  /** Null where its content was wiped, or no drift stands for it any more. */
  readonly change: string | null;
  readonly digest: string | null;
}

/** Batch of deliveries of which nothing was ever sent. */
const unsentBatch = 0;
/** Ends the order key of a follow-up: it comes behind the message whose key begins it. */
export const behind = '~';

/** Stages follow-ups and offers them to destinations. The caller begins and commits. */
export function followUpRows(db: Database) {
  const isTaken = db.prepare<[string]>('SELECT 1 FROM message WHERE muid = ?');
  const insert = db.prepare(
    `INSERT INTO message (muid, conversation, sender, origin_id, sent_at, sort_key, record_digest, verdict, file, place, part, payload, follows)
     SELECT @muid, conversation, sender, origin_id, sent_at, sort_key || '${behind}', @muid, 'planned', file, place, 2, @payload, seq
     FROM message WHERE seq = @follows`,
  );
  const offer = db.prepare(
    `INSERT INTO delivery (destination, message, state, batch) VALUES (?, ?, 'pending', ${unsentBatch})`,
  );
  const ofMessage = `message IN (SELECT seq FROM message WHERE follows = ?)`;
  const latestLeft = db.prepare<[number, number], LeftFollowUp>(
    `SELECT d.state, m.payload ->> '$.data.metadata.chatferry.change' AS change, (SELECT x.digest FROM drift x
       WHERE x.follow_up = m.seq AND x.destination = d.destination ORDER BY x.id DESC LIMIT 1) AS digest
     FROM message m CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
     WHERE m.follows = ? AND d.state <> 'pending' ORDER BY m.seq DESC LIMIT 1`,
  );
  const unsent = db
    .prepare<[number, number], string>(
      `SELECT payload FROM message WHERE follows = ? AND payload IS NOT NULL AND EXISTS (
         SELECT 1 FROM delivery WHERE destination = ? AND delivery.message = message.seq AND state = 'pending')`,
    )
    .pluck();
  const withdraw = db.prepare<[number, number]>(
    `DELETE FROM delivery WHERE destination = ? AND ${ofMessage} AND state = 'pending'`,
  );
  const unlink = db.prepare(
    `UPDATE drift SET follow_up = NULL WHERE message = @message AND destination = @destination AND follow_up IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM delivery v WHERE v.destination = @destination AND v.message = drift.follow_up)`,
  );
  const drop = db.prepare<[number]>(`DELETE FROM message WHERE follows = ? AND ${isNowhere('message.seq')}`);
  return {
    isTaken: (muid: string): boolean => isTaken.get(muid) !== undefined,
    /** @returns Its `seq`. */
    stage: (followUp: StagedFollowUp): number => Number(insert.run(followUp).lastInsertRowid),
    offer: (followUp: number, destination: number): void => void offer.run(destination, followUp),
    /** The latest of the message's follow-ups that was sent there. */
    latestLeft: (message: number, destination: number): LeftFollowUp | undefined =>
      latestLeft.get(destination, message),
    /** Takes those of a message back that have not left: the message has changed once more. @returns Their payloads. */
    withdraw(message: number, destination: number): string[] {
      const payloads = unsent.all(message, destination);
      if (withdraw.run(destination, message).changes > 0) unlink.run({ message, destination });
      return payloads;
    },
    /** Drops those of a message that are offered nowhere and were sent nowhere. */
    dropUnoffered: (message: number): void => void drop.run(message),
  };
}

const isNowhere = (seq: string) =>
  `NOT EXISTS (SELECT 1 FROM destination t CROSS JOIN delivery v ON v.destination = t.id AND v.message = ${seq})`;

/** Puts follow-ups that have not left behind everything that is known of their conversation, so that none of them is late. */
export function placeFollowUps(db: Database): void {
  if (!hasMessageIndex(db, 'message_follows')) return;
  const unsent = db.prepare<[], { conversation: number; seqs: string }>(
    `SELECT m.conversation, json_group_array(m.seq) AS seqs FROM message m INDEXED BY message_follows
     WHERE m.follows IS NOT NULL AND ${isUnsent('m.seq')} GROUP BY m.conversation`,
  );
  const newest = db.prepare<[number], { sent_at: number; sort_key: string; follows: number | null }>(
    `SELECT m.sent_at, m.sort_key, m.follows FROM message m WHERE m.conversation = ? AND m.verdict = 'planned'
       AND (m.follows IS NULL OR NOT (${isUnsent('m.seq')}))
     ORDER BY m.sent_at DESC, m.sort_key DESC, m.seq DESC LIMIT 1`,
  );
  // Messages that were sent and are left out by now.
  const newestUnplanned = db.prepare<[number], { sent_at: number; sort_key: string; follows: null }>(
    `SELECT m.sent_at, m.sort_key, NULL AS follows FROM message m
     WHERE m.conversation = ? AND m.verdict IN ('skipped', 'invalid') AND NOT (${isNowhere('m.seq')})
     ORDER BY m.sent_at DESC, m.sort_key DESC, m.seq DESC LIMIT 1`,
  );
  const place = db.prepare(
    'UPDATE message SET sent_at = ?, sort_key = ? WHERE seq IN (SELECT value FROM json_each(?))',
  );
  for (const { conversation, seqs } of unsent.all()) {
    const last = laterOf(newest.get(conversation), newestUnplanned.get(conversation));
    if (last) place.run(last.sent_at, last.follows === null ? last.sort_key + behind : last.sort_key, seqs);
  }
}

function laterOf<Row extends { readonly sent_at: number; readonly sort_key: string }>(
  one: Row | undefined,
  other: Row | undefined,
): Row | undefined {
  if (!one || !other) return one ?? other;
  const isLater = other.sent_at === one.sent_at ? other.sort_key > one.sort_key : other.sent_at > one.sent_at;
  return isLater ? other : one;
}

const isUnsent = (seq: string) =>
  `NOT EXISTS (SELECT 1 FROM destination t CROSS JOIN delivery v ON v.destination = t.id AND v.message = ${seq}
     AND (v.state <> 'pending' OR v.batch <> ${unsentBatch}))`;

/**
 * Takes follow-ups back whose message is to be sent once more, after an undo or a repair: it goes out as the source has it
 * now. No drift stands for them any more.
 */
export function dropVoidFollowUps(db: Database, destination: number): void {
  if (!hasMessageIndex(db, 'message_follows')) return;
  db.prepare(
    `DELETE FROM delivery WHERE destination = @destination AND state = 'pending'
       AND message IN (SELECT seq FROM message WHERE follows IS NOT NULL)
       AND NOT EXISTS (SELECT 1 FROM drift x WHERE x.follow_up = delivery.message AND x.destination = @destination)`,
  ).run({ destination });
}

/** Follow-ups at a destination by what became of them: no part of the totals of messages. */
export interface FollowUpCounts extends DeliveryTotals {
  /** Bytes of the payloads of pending follow-ups. */
  readonly pendingBytes: number;
}

export function countFollowUps(db: Database, destination: number | null): FollowUpCounts {
  if (destination === null || !hasMessageIndex(db, 'message_follows'))
    return { ...noDeliveryTotals(), pendingBytes: 0 };
  const count = (state: string) => `coalesce(sum(d.state = '${state}'), 0)`;
  return db
    .prepare<[number], FollowUpCounts>(
      `SELECT count(*) AS planned, ${count('imported')} AS imported, ${count('existing')} AS existing, ${count('failed')} AS failed,
         ${count('pending')} AS pending, ${count('sent')} AS unconfirmed,
         coalesce(sum(CASE d.state WHEN 'pending' THEN octet_length(m.payload) END), 0) AS pendingBytes
       FROM message m INDEXED BY message_follows CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
       WHERE m.follows IS NOT NULL`,
    )
    .get(destination)!;
}
