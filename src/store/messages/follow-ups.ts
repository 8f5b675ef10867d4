import { type DeliveryTotals, noDeliveryTotals } from '../../model/totals.ts';
import { hasMessageIndex } from '../base/message-indexes.ts';
import { behind } from '../base/message-sql.ts';
import { lateStatements, sql, value, withStatements } from '../base/statements.ts';
import { wholePayload } from '../base/packed-payload.ts';

/** A message that says how another one changed at the source. */
interface StagedFollowUp {
  /** `seq` of the message that it follows; conversation, sender and place are those of that one. */
  readonly follows: number;
  readonly muid: string;
  readonly payload: string;
}

/** A follow-up that was sent, whatever became of it. */
interface LeftFollowUp {
  readonly state: 'sent' | 'imported' | 'existing' | 'failed';
  /** Null where its content was wiped, or no drift stands for it any more. */
  readonly change: string | null;
  readonly digest: string | null;
}

/** Follow-ups at a destination by what became of them: no part of the totals of messages. */
interface FollowUpCounts extends DeliveryTotals {
  /** Bytes of the payloads of pending follow-ups. */
  readonly pendingBytes: number;
}

/** Batch of deliveries of which nothing was ever sent. */
const unsentBatch = 0;

const isNowhere = (seq: string) =>
  `NOT EXISTS (SELECT 1 FROM destination t CROSS JOIN delivery v ON v.destination = t.id AND v.message = ${seq})`;

const isUnsent = (seq: string) =>
  `NOT EXISTS (SELECT 1 FROM destination t CROSS JOIN delivery v ON v.destination = t.id AND v.message = ${seq}
     AND (v.state <> 'pending' OR v.batch <> ${unsentBatch}))`;

const isOfMessage = 'message IN (SELECT seq FROM message WHERE follows = ?)';
const count = (state: string) => `coalesce(sum(d.state = '${state}'), 0)`;
const latestFirst = 'ORDER BY m.sent_at DESC, m.sort_key DESC, m.seq DESC LIMIT 1';

interface LastRow {
  readonly sent_at: number;
  readonly sort_key: string;
  readonly follows: number | null;
}

const statements = lateStatements({
  isTaken: sql<[muid: string]>`SELECT 1 FROM message WHERE muid = ?`,
  stage: sql<StagedFollowUp>`
    INSERT INTO message (muid, conversation, sender, origin_id, sent_at, sort_key, record_digest, verdict, file, place, part, payload, follows)
    SELECT @muid, conversation, sender, origin_id, sent_at, sort_key || '${behind}', @muid, 'planned', file, place, 2, @payload, seq
    FROM message WHERE seq = @follows`,
  offer: sql<[destination: number, followUp: number]>`
    INSERT INTO delivery (destination, message, state, batch) VALUES (?, ?, 'pending', ${unsentBatch})`,
  latestLeft: sql<[destination: number, message: number], LeftFollowUp>`
    SELECT d.state, m.payload ->> '$.data.metadata.chatferry.change' AS change, (SELECT x.digest FROM drift x
      WHERE x.follow_up = m.seq AND x.destination = d.destination ORDER BY x.id DESC LIMIT 1) AS digest
    FROM message m CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
    WHERE m.follows = ? AND d.state <> 'pending' ORDER BY m.seq DESC LIMIT 1`,
  unsent: value<[message: number, destination: number], string>`
    SELECT ${wholePayload('message')} FROM message WHERE follows = ? AND payload IS NOT NULL AND EXISTS (
      SELECT 1 FROM delivery WHERE destination = ? AND delivery.message = message.seq AND state = 'pending')`,
  withdraw: sql<[destination: number, message: number]>`
    DELETE FROM delivery WHERE destination = ? AND ${isOfMessage} AND state = 'pending'`,
  unlink: sql<{ message: number; destination: number }>`
    UPDATE drift SET follow_up = NULL WHERE message = @message AND destination = @destination AND follow_up IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM delivery v WHERE v.destination = @destination AND v.message = drift.follow_up)`,
  dropUnoffered: sql<[message: number]>`DELETE FROM message WHERE follows = ? AND ${isNowhere('message.seq')}`,
  unplaced: sql<[], { conversation: number; seqs: string }>`
    SELECT m.conversation, json_group_array(m.seq) AS seqs FROM message m INDEXED BY message_follows
    WHERE m.follows IS NOT NULL AND ${isUnsent('m.seq')} GROUP BY m.conversation`,
  newest: sql<[conversation: number], LastRow>`
    SELECT m.sent_at, m.sort_key, m.follows FROM message m WHERE m.conversation = ? AND m.verdict = 'planned'
      AND (m.follows IS NULL OR NOT (${isUnsent('m.seq')})) ${latestFirst}`,
  // Messages that were sent and are left out by now.
  newestUnplanned: sql<[conversation: number], LastRow>`
    SELECT m.sent_at, m.sort_key, NULL AS follows FROM message m
    WHERE m.conversation = ? AND m.verdict IN ('skipped', 'invalid') AND NOT (${isNowhere('m.seq')}) ${latestFirst}`,
  place: sql<[sentAt: number, sortKey: string, seqs: string]>`
    UPDATE message SET sent_at = ?, sort_key = ? WHERE seq IN (SELECT value FROM json_each(?))`,
  dropVoid: sql<{ destination: number }>`
    DELETE FROM delivery WHERE destination = @destination AND state = 'pending'
      AND message IN (SELECT seq FROM message WHERE follows IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM drift x WHERE x.follow_up = delivery.message AND x.destination = @destination)`,
  count: sql<[destination: number], FollowUpCounts>`
    SELECT count(*) AS planned, ${count('imported')} AS imported, ${count('existing')} AS existing, ${count('failed')} AS failed,
      ${count('pending')} AS pending, ${count('sent')} AS unconfirmed,
      coalesce(sum(CASE d.state WHEN 'pending' THEN octet_length(${wholePayload('m')}) END), 0) AS pendingBytes
    FROM message m INDEXED BY message_follows CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
    WHERE m.follows IS NOT NULL`,
});

/** Messages that say how others changed at the source: staged, and offered to destinations. The caller begins and commits. */
export class FollowUps extends withStatements(statements) {
  isTaken(muid: string): boolean {
    return this.sql.isTaken.get(muid) !== undefined;
  }

  /** @returns Its `seq`. */
  stage(followUp: StagedFollowUp): number {
    return Number(this.sql.stage.run(followUp).lastInsertRowid);
  }

  offer(followUp: number, destination: number): void {
    this.sql.offer.run(destination, followUp);
  }

  latestLeft(message: number, destination: number): LeftFollowUp | undefined {
    return this.sql.latestLeft.get(destination, message);
  }

  /** Takes those of a message back that have not left: the message has changed once more. @returns Their payloads. */
  withdraw(message: number, destination: number): string[] {
    const payloads = this.sql.unsent.all(message, destination);
    if (this.sql.withdraw.run(destination, message).changes > 0) this.sql.unlink.run({ message, destination });
    return payloads;
  }

  /** Drops those of a message that are offered nowhere and were sent nowhere. */
  dropUnoffered(message: number): void {
    this.sql.dropUnoffered.run(message);
  }

  /** Puts follow-ups that have not left behind everything that is known of their conversation, so that none of them is late. */
  place(): void {
    if (!this.#hasAny()) return;
    for (const { conversation, seqs } of this.sql.unplaced.all()) {
      const last = laterOf(this.sql.newest.get(conversation), this.sql.newestUnplanned.get(conversation));
      if (last) this.sql.place.run(last.sent_at, last.follows === null ? last.sort_key + behind : last.sort_key, seqs);
    }
  }

  /**
   * Takes follow-ups back whose message is to be sent once more, after an undo or a repair: it goes out as the source has it
   * now. No drift stands for them any more.
   */
  dropVoid(destination: number): void {
    if (this.#hasAny()) this.sql.dropVoid.run({ destination });
  }

  count(destination: number | null): FollowUpCounts {
    if (destination === null || !this.#hasAny()) return { ...noDeliveryTotals(), pendingBytes: 0 };
    return this.sql.count.get(destination)!;
  }

  /** In a first plan there are none, nor an index of them. */
  #hasAny(): boolean {
    return hasMessageIndex(this.db, 'message_follows');
  }
}

function laterOf(one: LastRow | undefined, other: LastRow | undefined): LastRow | undefined {
  if (!one || !other) return one ?? other;
  const isLater = other.sent_at === one.sent_at ? other.sort_key > one.sort_key : other.sent_at > one.sent_at;
  return isLater ? other : one;
}
