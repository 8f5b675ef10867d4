import type { Database } from 'better-sqlite3';
import { storedId } from '../../lib/text/stored-id.ts';
import type { StagedConversation } from '../../model/staged-item.ts';

/**
 * Writes conversations; answers their ids in the store. A description from a file wins over a placeholder, and over one that says no more
 * than the id, whatever the order of reading.
 *
 * @param personId Id in the store of a person who was written before.
 */
export function conversationWriter(
  db: Database,
  personId: (sourceId: string) => number,
): (conversation: StagedConversation) => number {
  const save = db
    .prepare(
      `INSERT INTO conversation (source_id, type, name, receiver_type, guid, person_a, person_b, details, record, is_placeholder)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (source_id) DO UPDATE SET type = excluded.type, name = excluded.name, receiver_type = excluded.receiver_type,
         guid = excluded.guid, person_a = excluded.person_a, person_b = excluded.person_b, details = excluded.details,
         record = excluded.record, is_placeholder = excluded.is_placeholder
       WHERE excluded.is_placeholder < conversation.is_placeholder OR (excluded.is_placeholder = conversation.is_placeholder AND ? = 0)
       RETURNING id`,
    )
    .pluck();
  const find = db.prepare<[string], number>('SELECT id FROM conversation WHERE source_id = ?').pluck();
  return (c) => {
    const sourceId = storedId(c.sourceId);
    const id = save.get(
      sourceId,
      c.type,
      c.name,
      c.receiverType,
      c.guid,
      c.people && personId(c.people[0]),
      c.people && personId(c.people[1]),
      c.details,
      c.record,
      c.isPlaceholder ? 1 : 0,
      c.isBare ? 1 : 0,
    );
    return (id ?? find.get(sourceId)) as number;
  };
}

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
 * Reads the messages of conversations, a page at a time: planned ones in order, then delivered ones that are no longer
 * planned. Rows may be written between pages.
 *
 * Messages that are not planned are few and no index finds them: they are collected once, in a temporary table.
 */
export function conversationRowsReader(db: Database, destination: number) {
  db.exec('DROP TABLE IF EXISTS temp.unplanned; CREATE TEMP TABLE unplanned (conversation INTEGER, message INTEGER)');
  db.prepare(
    `INSERT INTO temp.unplanned SELECT m.conversation, m.seq FROM delivery d JOIN message m ON m.seq = d.message
     WHERE d.destination = ? AND d.state <> 'pending' AND m.verdict NOT IN ('planned', 'duplicate')`,
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

/** Above every time, in ms: what is named comes before what is recent. */
const namedBase = Number.MAX_SAFE_INTEGER;

/**
 * Which conversations are sent before others: those that are named, in order, by id or name; then, where `byTime`, those
 * with the latest message. Equal priorities leave the choice to the uploader.
 */
export function stagePriorities(db: Database, { first, byTime }: { first: readonly string[]; byTime: boolean }): void {
  const recent = `coalesce((SELECT max(m.sent_at) FROM message m WHERE m.conversation = conversation.id AND m.verdict = 'planned'), 0)`;
  const priority = byTime ? recent : 0;
  db.exec(`UPDATE conversation SET priority = ${priority} WHERE priority <> ${priority}`);
  const name = db.prepare('UPDATE conversation SET priority = ? WHERE source_id = ? OR name = ?');
  // From the last to the first: one that is named twice has its first place.
  for (const [place, wanted] of [...first.entries()].reverse()) name.run(namedBase - place, wanted, wanted);
}
