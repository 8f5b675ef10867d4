import type { Database } from 'better-sqlite3';

/** A message of a conversation, with what a destination said of it. */
export interface ConversationRow {
  readonly seq: number;
  /** In the plan: that of the first generation. */
  readonly muid: string;
  /** Ids at the source. */
  readonly conversation: string;
  readonly originId: string;
  readonly verdict: string;
  readonly state: string | null;
  readonly code: string | null;
  readonly serverId: string | null;
  readonly generation: number;
  /** `seq` of the message that a follow-up follows. */
  readonly follows: number | null;
}

interface Ordered extends ConversationRow {
  readonly sentAt: number;
  readonly sortKey: string;
}

const pageSize = 1_000;

const columns = `m.seq, m.muid, c.source_id AS conversation, m.origin_id AS originId, m.verdict, d.state, d.code,
  d.server_id AS serverId, coalesce(d.generation, 1) AS generation, m.follows, m.sent_at AS sentAt, m.sort_key AS sortKey`;

/**
 * Reads the messages of conversations, a page at a time: planned ones in order, then what was delivered and is not planned
 * any more. Rows may be written between pages.
 *
 * What is not planned is few and found by no index: it is collected once, in a temporary table.
 */
export function conversationRowsReader(db: Database, destination: number) {
  db.exec('DROP TABLE IF EXISTS temp.unplanned; CREATE TEMP TABLE unplanned (conversation INTEGER, message INTEGER)');
  db.prepare(
    `INSERT INTO temp.unplanned SELECT m.conversation, m.seq FROM delivery d JOIN message m ON m.seq = d.message
     WHERE d.destination = ? AND d.state <> 'pending' AND m.verdict NOT IN ('planned', 'repeated')`,
  ).run(destination);
  db.exec('CREATE INDEX temp.unplanned_conversation ON unplanned (conversation)');
  const joined = `LEFT JOIN delivery d ON d.destination = @destination AND d.message = m.seq
    JOIN conversation c ON c.id = m.conversation`;
  const planned = db.prepare<[object], Ordered>(
    `SELECT ${columns} FROM message m ${joined}
     WHERE m.conversation = @conversation AND m.verdict = 'planned' AND ((m.vanished = 0 AND m.follows IS NULL) OR d.state IS NOT NULL)
       AND (m.sent_at, m.sort_key, m.seq) > (@sentAt, @sortKey, @seq) ORDER BY m.sent_at, m.sort_key, m.seq LIMIT ${pageSize}`,
  );
  const unplanned = db.prepare<[object], Ordered>(
    `SELECT ${columns} FROM temp.unplanned u JOIN message m ON m.seq = u.message ${joined}
     WHERE u.conversation = @conversation AND m.seq > @seq ORDER BY m.seq LIMIT ${pageSize}`,
  );
  return function* (conversation: number): Generator<readonly ConversationRow[]> {
    for (const select of [planned, unplanned]) {
      let place = startOfConversation;
      for (;;) {
        const page = select.all({ destination, conversation, ...place });
        if (page.length > 0) yield page;
        if (page.length < pageSize) break;
        const { sentAt, sortKey, seq } = page.at(-1)!;
        place = { sentAt, sortKey, seq };
      }
    }
  };
}

const startOfConversation = { sentAt: Number.MIN_SAFE_INTEGER, sortKey: '', seq: 0 };
