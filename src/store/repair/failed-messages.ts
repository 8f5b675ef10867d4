import type { Database } from 'better-sqlite3';
import { laneColumns, laneJoin, type StoredLane } from '../delivery/stored-lanes.ts';

/** An invalid row, or a message that a destination refused. */
export interface FailedMessage {
  readonly seq: number;
  /** Null if the row was too broken to have an identity. */
  readonly muid: string | null;
  readonly code: string;
  readonly reason: string;
  /** Path of its file inside the export. */
  readonly path: string;
  /** Line or JSON pointer inside the file. */
  readonly place: string;
}

/** An export of the store that holds some of them. */
export interface FailedInput {
  readonly id: number;
  /** Path of the folder, archive or file. */
  readonly path: string;
  /** Source of the input, if it is not that of the store. */
  readonly source: string | null;
}

/**
 * All invalid rows, and what the destination refused (null: nothing was sent anywhere). Kept in a temporary
 * table of this connection, so memory stays flat; what is taken is gone from it.
 */
export class FailedMessages {
  readonly #db: Database;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(db: Database, destination: number | null) {
    this.#db = db;
    db.pragma('temp_store = FILE');
    db.exec(`DROP TABLE IF EXISTS temp.failed;
      CREATE TEMP TABLE failed (seq INTEGER PRIMARY KEY, input INTEGER, path TEXT, place TEXT, muid TEXT, code TEXT, reason TEXT)`);
    db.prepare(
      `INSERT INTO temp.failed
       SELECT m.seq, f.input, f.path, m.place, m.muid, coalesce(d.code, m.reason, ''), coalesce(d.detail, m.detail, '')
       FROM message m JOIN source_file f ON f.id = m.file LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
       WHERE m.follows IS NULL AND (d.state = 'failed' OR (m.verdict = 'invalid' AND coalesce(d.state, 'pending') = 'pending'))`,
    ).run(destination);
    db.exec('CREATE INDEX temp.failed_place ON failed (path, place)');
    this.#sql = prepare(db);
  }

  get count(): number {
    return this.#db.prepare('SELECT count(*) FROM temp.failed').pluck().get() as number;
  }

  inputs(): FailedInput[] {
    return this.#db
      .prepare<[], FailedInput>(
        'SELECT id, path, source FROM source_input WHERE id IN (SELECT input FROM temp.failed) ORDER BY id',
      )
      .all();
  }

  /** Whether a file of this path holds any. */
  isIn(path: string): boolean {
    return this.#sql.isIn.get(path) !== undefined;
  }

  /** Takes the message at this location. */
  take(path: string, place: string, muid: string): FailedMessage | undefined {
    return this.#sql.take.get(path, place, muid);
  }

  /** Takes some rows of a file; of all files, in reading order, without a path. */
  takeSome(limit: number, path?: string): FailedMessage[] {
    const { takeFirst, takeOfFile } = this.#sql;
    const taken = path === undefined ? takeFirst.all(limit) : takeOfFile.all(path, limit);
    return taken.sort((a, b) => a.seq - b.seq);
  }
}

const columns = 'seq, muid, code, reason, path, place';

const prepare = (db: Database) => ({
  isIn: db.prepare<[string]>('SELECT 1 FROM temp.failed WHERE path = ? LIMIT 1'),
  take: db.prepare<[string, string, string], FailedMessage>(
    `DELETE FROM temp.failed WHERE path = ? AND place = ? AND muid = ? RETURNING ${columns}`,
  ),
  takeFirst: db.prepare<[number], FailedMessage>(
    `DELETE FROM temp.failed WHERE seq IN (SELECT seq FROM temp.failed ORDER BY seq LIMIT ?) RETURNING ${columns}`,
  ),
  takeOfFile: db.prepare<[string, number], FailedMessage>(
    `DELETE FROM temp.failed WHERE seq IN (SELECT seq FROM temp.failed WHERE path = ? LIMIT ?) RETURNING ${columns}`,
  ),
});

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
  readonly failed: number;
  /** Failed messages that will be tried again. */
  readonly chosen: number;
  /** Failed messages for which nothing is staged any more (left out by the mapping, gone from the export, purged). */
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
     WHERE d.destination = @destination AND d.state = 'failed' AND ${isSendable} AND (@all OR ${isNamed})
       AND (coalesce(d.code, '') = @code OR (@code IS NULL AND (NOT @all OR coalesce(d.code, '') <> @exceptCode)))`,
  ).run({ ...wanted, exceptCode });
  return db
    .prepare<[number], RefusedCount>(
      `SELECT coalesce(d.code, '') AS code, count(*) AS failed, sum(r.message IS NOT NULL) AS chosen, sum(NOT (${isSendable})) AS unsendable
       FROM delivery d JOIN message m ON m.seq = d.message LEFT JOIN temp.retried r ON r.message = d.message
       WHERE d.destination = ? AND d.state = 'failed' GROUP BY 1 ORDER BY failed DESC, code`,
    )
    .all(destination);
}

/** For a delivery `d` of the destination: it was refused, a retry put it back, and it has not arrived since. */
const isBegun = `d.destination = @destination AND d.state IN ('pending', 'sent') AND EXISTS (
  SELECT 1 FROM delivery_history h WHERE h.message = d.message AND h.destination = d.destination AND h.state = 'failed'
    AND h.generation = d.generation AND (@code IS NULL OR coalesce(h.code, '') = @code))`;

/** Messages that were refused, and that a retry which did not come to its end has put back: its next run sends them. */
export function countBegun(
  db: Database,
  destination: number,
  { ids, code }: Omit<RefusedChoice, 'exceptCode'>,
): number {
  return db
    .prepare<[object], number>(
      `SELECT count(*) FROM delivery d JOIN message m ON m.seq = d.message WHERE ${isBegun} AND (@all OR ${isNamed})`,
    )
    .pluck()
    .get({ destination, ids: JSON.stringify(ids), all: ids.length === 0 ? 1 : 0, code: code ?? null })!;
}

/** Whether a destination has refused anything with this code, whatever became of it since. */
export const wasRefusedWith = (db: Database, destination: number, code: string): boolean =>
  db
    .prepare(
      `SELECT 1 FROM delivery WHERE destination = ? AND state = 'failed' AND coalesce(code, '') = ?
       UNION ALL SELECT 1 FROM delivery_history WHERE destination = ? AND state = 'failed' AND coalesce(code, '') = ? LIMIT 1`,
    )
    .get(destination, code, destination, code) !== undefined;

/** Those of the ids under which a destination has no refused message, nor one that a retry has put back or brought there. */
export function unknownRefused(db: Database, destination: number, ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const named = new Set(
    db
      .prepare<[object], string>(
        `WITH refused AS (SELECT m.muid, m.origin_id, d.muid AS later FROM delivery d JOIN message m ON m.seq = d.message
           WHERE d.destination = @destination AND (d.state = 'failed' OR EXISTS (
             SELECT 1 FROM delivery_history h WHERE h.message = d.message AND h.destination = d.destination
               AND h.state = 'failed' AND h.generation = d.generation)))
         SELECT DISTINCT value FROM json_each(@ids) WHERE value IN (SELECT muid FROM refused) OR value IN (SELECT origin_id FROM refused)
           OR value IN (SELECT later FROM refused WHERE later IS NOT NULL)`,
      )
      .pluck()
      .all({ destination, ids: JSON.stringify(ids) }),
  );
  return ids.filter((id) => !named.has(id));
}

/** The conversations of what `chooseRefused` chose. `pending` counts those messages alone. */
export function chosenLanes(db: Database, destination: number): StoredLane[] {
  return db
    .prepare<[number], StoredLane>(
      `SELECT ${laneColumns}, r.pending, 0 AS doubtful
       FROM (SELECT conversation, count(*) AS pending FROM temp.retried GROUP BY conversation) r
       JOIN conversation c ON c.id = r.conversation ${laneJoin} ORDER BY c.id`,
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
