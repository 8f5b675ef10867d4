import type { Database } from 'better-sqlite3';
import type { PendingLane } from '../delivery/pending-lanes.ts';

/** Which of the refused messages of a destination. */
export interface RefusedChoice {
  /** muids (of any generation) or ids at the source; empty: all. */
  readonly ids: readonly string[];
  /** Only those that were refused with this code. */
  readonly code?: string | undefined;
  /** A code that is left out unless it, or the message, is named. */
  readonly exceptCode: string;
}

/** Refused messages of one code. */
export interface RefusedCount {
  readonly code: string;
  readonly refused: number;
  /** Of these: to be tried again. */
  readonly chosen: number;
  /** Of these: nothing is staged for them any more (left out by the mapping, gone from the export, forgotten). */
  readonly unsendable: number;
}

const isSendable = `m.verdict = 'planned' AND m.vanished = 0 AND m.payload IS NOT NULL`;
const isNamed = `(m.muid IN (SELECT value FROM json_each(@ids)) OR m.origin_id IN (SELECT value FROM json_each(@ids))
  OR d.muid IN (SELECT value FROM json_each(@ids)))`;

/**
 * Chooses among the refused messages of a destination, for the functions below: a temporary table of this connection,
 * so memory stays flat whatever their number, and what is refused again is not taken twice.
 *
 * @returns Every code, most first.
 */
export function chooseRefused(
  db: Database,
  destination: number,
  { ids, code, exceptCode }: RefusedChoice,
): RefusedCount[] {
  db.exec(`DROP TABLE IF EXISTS temp.retried;
    CREATE TEMP TABLE retried (message INTEGER PRIMARY KEY, conversation INTEGER, sent_at INTEGER, sort_key TEXT);
    CREATE INDEX temp.retried_order ON retried (conversation, sent_at, sort_key, message)`);
  const wanted = { destination, ids: JSON.stringify(ids), all: ids.length === 0 ? 1 : 0, code: code ?? null };
  db.prepare(
    `INSERT INTO temp.retried SELECT d.message, m.conversation, m.sent_at, m.sort_key FROM delivery d JOIN message m ON m.seq = d.message
     WHERE d.destination = @destination AND d.state = 'refused' AND ${isSendable} AND (@all OR ${isNamed})
       AND (coalesce(d.code, '') = @code OR (@code IS NULL AND (NOT @all OR coalesce(d.code, '') <> @exceptCode)))`,
  ).run({ ...wanted, exceptCode });
  return db
    .prepare<[number], RefusedCount>(
      `SELECT coalesce(d.code, '') AS code, count(*) AS refused, sum(r.message IS NOT NULL) AS chosen, sum(NOT (${isSendable})) AS unsendable
       FROM delivery d JOIN message m ON m.seq = d.message LEFT JOIN temp.retried r ON r.message = d.message
       WHERE d.destination = ? AND d.state = 'refused' GROUP BY 1 ORDER BY refused DESC, code`,
    )
    .all(destination);
}

/** Those of the ids under which a destination has no refused message. */
export function unknownRefused(db: Database, destination: number, ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const named = new Set(
    db
      .prepare<[number, string], string>(
        `WITH refused AS (SELECT m.muid, m.origin_id, d.muid AS later FROM delivery d JOIN message m ON m.seq = d.message
           WHERE d.destination = ? AND d.state = 'refused')
         SELECT DISTINCT value FROM json_each(?) WHERE value IN (SELECT muid FROM refused) OR value IN (SELECT origin_id FROM refused)
           OR value IN (SELECT later FROM refused WHERE later IS NOT NULL)`,
      )
      .pluck()
      .all(destination, JSON.stringify(ids)),
  );
  return ids.filter((id) => !named.has(id));
}

/** The conversations of what `chooseRefused` chose. `pending` counts those messages alone. */
export function chosenLanes(db: Database, destination: number): PendingLane[] {
  return db
    .prepare<[number], PendingLane>(
      `SELECT c.id AS conversation, c.source_id, c.guid, c.details AS group_details, c.person_a, c.person_b,
         coalesce(cd.receiver_type, c.receiver_type) AS receiver_type, cd.conversation_id, cd.last_server_id, r.pending, 0 AS doubtful
       FROM (SELECT conversation, count(*) AS pending FROM temp.retried GROUP BY conversation) r
       JOIN conversation c ON c.id = r.conversation
       LEFT JOIN conversation_delivery cd ON cd.destination = ? AND cd.conversation = c.id ORDER BY c.id`,
    )
    .all(destination);
}

/**
 * Takes the first of what is left of the choice in a conversation, in order.
 *
 * @returns Their muids at the destination.
 */
export function takeChosen(db: Database, destination: number): (conversation: number, limit: number) => string[] {
  const select = db.prepare<[number, number, number], { seq: number; muid: string }>(
    `SELECT m.seq, coalesce(d.muid, m.muid) AS muid FROM temp.retried r JOIN message m ON m.seq = r.message
     JOIN delivery d ON d.destination = ? AND d.message = r.message WHERE r.conversation = ?
     ORDER BY r.sent_at, r.sort_key, r.message LIMIT ?`,
  );
  const drop = db.prepare('DELETE FROM temp.retried WHERE message IN (SELECT value FROM json_each(?))');
  return (conversation, limit) => {
    const rows = select.all(destination, conversation, limit);
    drop.run(JSON.stringify(rows.map(({ seq }) => seq)));
    return rows.map(({ muid }) => muid);
  };
}
