import type { Database } from 'better-sqlite3';
import { muidLength } from '../model/staged-item.ts';
import { isPending } from './base/delivery-sql.ts';
import { lateStatements, sql, value, withStatements } from './base/statements.ts';
import { wholePayload } from './base/packed-payload.ts';

/** An invalid row, or a message that a destination refused. */
export interface FailedMessage {
  readonly seq: number;
  /** Null if the row was too broken to have an identity. */
  readonly muid: string | null;
  readonly code: string;
  readonly reason: string;
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

/** Which of the refused messages of a destination. */
interface RefusedChoice {
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

/** Answers of a destination so far; parts of a split text are counted once. */
export interface Refusals {
  /** With the code in question. */
  readonly failed: number;
  readonly arrived: number;
  readonly pending: number;
  /** Pending messages that are old. */
  readonly pendingOld: number;
}

/** The same, and whether age may be the reason. */
interface RefusalsByAge extends Refusals {
  /** Every refused message is old, and none that arrived. */
  readonly isOfTheOld: boolean;
}

/** A place in the order of a conversation: time, sort key, `seq`. */
type Place = readonly [sentAt: number, sortKey: string, seq: number];

const failedColumns = 'seq, muid, code, reason, path, place';

const isSendable = `m.verdict = 'planned' AND m.vanished = 0 AND m.payload IS NOT NULL`;
const isNamed = `(m.muid IN (SELECT value FROM json_each(@ids)) OR m.origin_id IN (SELECT value FROM json_each(@ids))
  OR d.muid IN (SELECT value FROM json_each(@ids)))`;

/** For a delivery `d` of the destination: it was refused, a retry put it back, and it has not arrived since. */
const isBegun = `d.destination = @destination AND d.state IN ('pending', 'sent') AND EXISTS (
  SELECT 1 FROM delivery_history h WHERE h.message = d.message AND h.destination = d.destination AND h.state = 'failed'
    AND h.generation = d.generation AND (@code IS NULL OR coalesce(h.code, '') = @code))`;

type At = { readonly destination: number };
type Wanted = At & { readonly ids: string; readonly all: 0 | 1; readonly code: string | null };

const failedStatements = lateStatements({
  collect: sql<[destination: number | null]>`
    INSERT INTO temp.failed
    SELECT m.seq, f.input, f.path, m.place, m.muid, coalesce(d.code, m.reason, ''), coalesce(d.detail, m.detail, '')
    FROM message m JOIN source_file f ON f.id = m.file LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
    WHERE m.follows IS NULL AND (d.state = 'failed' OR (m.verdict = 'invalid' AND coalesce(d.state, 'pending') = 'pending'))`,
  count: value<[], number>`SELECT count(*) FROM temp.failed`,
  inputs: sql<[], FailedInput>`
    SELECT id, path, source FROM source_input WHERE id IN (SELECT input FROM temp.failed) ORDER BY id`,
  isIn: sql<[path: string]>`SELECT 1 FROM temp.failed WHERE path = ? LIMIT 1`,
  take: sql<[path: string, place: string, muid: string], FailedMessage>`
    DELETE FROM temp.failed WHERE path = ? AND place = ? AND muid = ? RETURNING ${failedColumns}`,
  takeFirst: sql<[limit: number], FailedMessage>`
    DELETE FROM temp.failed WHERE seq IN (SELECT seq FROM temp.failed ORDER BY seq LIMIT ?) RETURNING ${failedColumns}`,
  takeOfFile: sql<[path: string, limit: number], FailedMessage>`
    DELETE FROM temp.failed WHERE seq IN (SELECT seq FROM temp.failed WHERE path = ? LIMIT ?) RETURNING ${failedColumns}`,
});

const statements = lateStatements({
  choose: sql<Wanted & { readonly exceptCode: string }>`
    INSERT INTO temp.retried SELECT d.message, m.conversation, m.sent_at, m.sort_key FROM delivery d JOIN message m ON m.seq = d.message
    WHERE d.destination = @destination AND d.state = 'failed' AND ${isSendable} AND (@all OR ${isNamed})
      AND (coalesce(d.code, '') = @code OR (@code IS NULL AND (NOT @all OR coalesce(d.code, '') <> @exceptCode)))`,
  codes: sql<[destination: number], RefusedCount>`
    SELECT coalesce(d.code, '') AS code, count(*) AS failed, sum(r.message IS NOT NULL) AS chosen, sum(NOT (${isSendable})) AS unsendable
    FROM delivery d JOIN message m ON m.seq = d.message LEFT JOIN temp.retried r ON r.message = d.message
    WHERE d.destination = ? AND d.state = 'failed' GROUP BY 1 ORDER BY failed DESC, code`,
  countBegun: value<Wanted, number>`
    SELECT count(*) FROM delivery d JOIN message m ON m.seq = d.message WHERE ${isBegun} AND (@all OR ${isNamed})`,
  hadCode: sql<At & { readonly code: string }>`
    SELECT 1 FROM delivery WHERE destination = @destination AND state = 'failed' AND coalesce(code, '') = @code
    UNION ALL SELECT 1 FROM delivery_history WHERE destination = @destination AND state = 'failed' AND coalesce(code, '') = @code LIMIT 1`,
  named: value<At & { readonly ids: string }, string>`
    WITH refused AS (SELECT m.muid, m.origin_id, d.muid AS later FROM delivery d JOIN message m ON m.seq = d.message
      WHERE d.destination = @destination AND (d.state = 'failed' OR EXISTS (
        SELECT 1 FROM delivery_history h WHERE h.message = d.message AND h.destination = d.destination
          AND h.state = 'failed' AND h.generation = d.generation)))
    SELECT DISTINCT value FROM json_each(@ids) WHERE value IN (SELECT muid FROM refused) OR value IN (SELECT origin_id FROM refused)
      OR value IN (SELECT later FROM refused WHERE later IS NOT NULL)`,
  nextChosen: sql<[destination: number, conversation: number, limit: number], { seq: number; muid: string }>`
    SELECT m.seq, coalesce(d.muid, m.muid) AS muid FROM temp.retried r JOIN message m ON m.seq = r.message
    JOIN delivery d ON d.destination = ? AND d.message = r.message WHERE r.conversation = ?
    ORDER BY r.sent_at, r.sort_key, r.message LIMIT ?`,
  dropChosen: sql<[messages: string]>`DELETE FROM temp.retried WHERE message IN (SELECT value FROM json_each(?))`,
  countByAge: sql<
    At & { code: string; oldBeforeMs: number },
    Refusals & { readonly refusedYoung: number; readonly arrivedOld: number }
  >`
    SELECT count(*) FILTER (WHERE is_refused) AS failed, count(*) FILTER (WHERE is_refused AND NOT is_old) AS refusedYoung,
      count(*) FILTER (WHERE has_arrived) AS arrived, count(*) FILTER (WHERE has_arrived AND is_old) AS arrivedOld,
      count(*) FILTER (WHERE is_pending) AS pending, count(*) FILTER (WHERE is_pending AND is_old) AS pendingOld
    FROM (SELECT coalesce(d.state = 'failed' AND d.code = @code, 0) AS is_refused,
            coalesce(d.state IN ('imported', 'existing'), 0) AS has_arrived, ${isPending} AS is_pending,
            m.sent_at < @oldBeforeMs AS is_old
          FROM message m LEFT JOIN delivery d ON d.destination = @destination AND d.message = m.seq
          WHERE m.verdict = 'planned' AND m.vanished = 0 AND coalesce(m.part, 1) = 1)`,
  refusedOutsiders: value<[destination: number], number>`
    SELECT count(*) FROM delivery d JOIN message m ON m.seq = d.message
    WHERE d.destination = ? AND d.state = 'pending' AND d.code = 'ERR_GROUP_NOT_JOINED' AND m.verdict = 'planned'`,
  outsiders: sql<[destination: number]>`
    INSERT OR IGNORE INTO temp.unsent SELECT m.seq FROM conversation_delivery cd JOIN conversation c ON c.id = cd.conversation
    JOIN message m ON m.conversation = c.id AND m.verdict = 'planned' AND m.sender NOT IN (c.person_a, c.person_b)
    LEFT JOIN delivery d ON d.destination = cd.destination AND d.message = m.seq
    WHERE cd.destination = ? AND cd.receiver_type = 'user' AND ${isPending}`,
  lateParts: sql<[destination: number]>`
    INSERT OR IGNORE INTO temp.unsent
    SELECT p.seq FROM message p CROSS JOIN message head ON head.muid = substr(p.muid, 1, ${muidLength}) AND head.verdict <> 'duplicate'
    CROSS JOIN delivery sent ON sent.destination = ? AND sent.message = head.seq AND sent.state <> 'pending'
    LEFT JOIN delivery d ON d.destination = sent.destination AND d.message = p.seq
    WHERE p.part > 1 AND p.verdict = 'planned' AND (d.state IS NULL OR d.state = 'pending')
      AND sent.payload IS NOT NULL AND sent.payload ->> '$.data' <> ${wholePayload('head')} ->> '$.data'`,
  tooLate: sql<[destination: number, conversation: number, ...Place]>`
    INSERT OR IGNORE INTO temp.unsent SELECT m.seq FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
    WHERE m.conversation = ? AND m.verdict = 'planned' AND (m.sent_at, m.sort_key, m.seq) < (?, ?, ?)
      AND m.vanished = 0 AND m.follows IS NULL AND d.state IS NULL`,
  one: sql<[seq: number]>`INSERT OR IGNORE INTO temp.unsent VALUES (?)`,
  countUnsent: value<[], number>`SELECT count(*) FROM temp.unsent`,
  insertBatch: sql<[destination: number, run: number, size: number]>`
    INSERT INTO batch (destination, run, size, bytes, state) VALUES (?, ?, ?, 0, 'closed')`,
  // The condition marks the end of the selection: without it, ON would belong to a join.
  refuse: sql<At & { batch: number; code: string; detail: string }>`
    INSERT INTO delivery (destination, message, state, batch, code, detail)
    SELECT @destination, seq, 'failed', @batch, @code, @detail FROM temp.unsent WHERE true
    ON CONFLICT (destination, message) DO UPDATE SET state = 'failed', code = excluded.code, detail = excluded.detail`,
  late: value<[], string>`
    SELECT m.origin_id FROM delivery d JOIN message m ON m.seq = d.message WHERE d.is_late = 1 AND m.origin_id IS NOT NULL`,
});

/** Codes of ours, with which messages are refused before anything of them is sent. */
const refusals = {
  late_outsider: 'a third person wrote in a chat that is already one-to-one at the destination',
  late_part: 'the message was sent before it was edited and grew',
  'too-late': 'younger messages of its conversation are already there',
  'too-old': 'too old for the retention of the destination when its turn came',
} as const;

/** Failed messages: refused by a destination, by rules of ours, or invalid. */
export class Failures extends withStatements(statements) {
  /** All invalid rows, and what the destination refused (null: nothing was sent anywhere). */
  collect(destination: number | null): FailedMessages {
    return new FailedMessages(this.db, destination);
  }

  /**
   * Chooses among the refused messages of a destination, for the methods below: a temporary table of this connection,
   * so memory stays flat whatever their number, and what is refused again is not taken twice.
   *
   * @returns Every code, most first.
   */
  choose(destination: number, { exceptCode, ...choice }: RefusedChoice): RefusedCount[] {
    this.db.exec(`DROP TABLE IF EXISTS temp.retried;
      CREATE TEMP TABLE retried (message INTEGER PRIMARY KEY, conversation INTEGER, sent_at INTEGER, sort_key TEXT);
      CREATE INDEX temp.retried_order ON retried (conversation, sent_at, sort_key, message)`);
    this.sql.choose.run({ ...wanted(destination, choice), exceptCode });
    return this.sql.codes.all(destination);
  }

  /**
   * Takes the first of what is left of the choice in a conversation, in order.
   *
   * @returns Their muids at the destination.
   */
  takeChosen(destination: number, conversation: number, limit: number): string[] {
    const rows = this.sql.nextChosen.all(destination, conversation, limit);
    this.sql.dropChosen.run(JSON.stringify(rows.map(({ seq }) => seq)));
    return rows.map(({ muid }) => muid);
  }

  /** Messages that were refused, and that a retry which did not come to its end has put back: its next run sends them. */
  countBegun(destination: number, choice: Omit<RefusedChoice, 'exceptCode'>): number {
    return this.sql.countBegun.get(wanted(destination, choice))!;
  }

  /** Whether a destination has refused anything with this code, whatever became of it since. */
  hadCode(destination: number, code: string): boolean {
    return this.sql.hadCode.get({ destination, code }) !== undefined;
  }

  /** Those of the ids under which a destination has no refused message, nor one that a retry has put back or brought there. */
  unknown(destination: number, ids: readonly string[]): string[] {
    if (ids.length === 0) return [];
    const named = new Set(this.sql.named.all({ destination, ids: JSON.stringify(ids) }));
    return ids.filter((id) => !named.has(id));
  }

  /** Goes through all messages once: for the end of a run. @param about What was sent before `oldBeforeMs` is old. */
  countByAge(about: {
    readonly destination: number;
    readonly code: string;
    readonly oldBeforeMs: number;
  }): RefusalsByAge {
    const { refusedYoung, arrivedOld, ...counts } = this.sql.countByAge.get(about)!;
    return { ...counts, isOfTheOld: refusedYoung === 0 && arrivedOld === 0 };
  }

  /** Messages that wait because the service refused them, and their authors may become members of their group. */
  countRefusedOutsiders(destination: number): number {
    return this.sql.refusedOutsiders.get(destination)!;
  }

  /** A one-to-one chat stays one once something was sent to it: refuses what a third person wrote there later. */
  refuseOutsiders(destination: number, run: number): void {
    this.#refuse('late_outsider', { destination, run }, ({ outsiders }) => outsiders.run(destination));
  }

  /**
   * Sent messages stay as they are: if one was edited at the source after its first part was sent, further parts of the new version
   * are refused.
   */
  refuseLateParts(destination: number, run: number): void {
    this.#refuse('late_part', { destination, run }, ({ lateParts }) => lateParts.run(destination));
  }

  /**
   * Refuses new messages that are older than what their conversation already has at the destination. Messages that were tried there
   * before are sent: a retry asks for them, and an interrupted run only continues.
   *
   * @param upTo For each conversation, the place of the last message that is there. @returns How many were refused.
   */
  refuseTooLate(
    destination: number,
    run: number,
    upTo: Iterable<readonly [conversation: number, place: Place]>,
  ): number {
    return this.#refuse('too-late', { destination, run }, ({ tooLate }) => {
      for (const [conversation, place] of upTo) tooLate.run(destination, conversation, ...place);
    });
  }

  /** Refuses messages, by `seq`, that have become older than the destination keeps them before their turn came. */
  refuseTooOld(destination: number, run: number, messages: readonly number[]): void {
    this.#refuse('too-old', { destination, run }, ({ one }) => {
      for (const seq of messages) one.run(seq);
    });
  }

  /** Ids in the export of the messages that were sent behind one that should follow them, at any destination. */
  lateMessages(): string[] {
    return this.sql.late.all();
  }

  #refuse(
    code: keyof typeof refusals,
    { destination, run }: { readonly destination: number; readonly run: number },
    collect: (sql: ReturnType<typeof statements>) => void,
  ): number {
    this.db.exec('CREATE TEMP TABLE IF NOT EXISTS unsent (seq INTEGER PRIMARY KEY); DELETE FROM temp.unsent');
    collect(this.sql);
    const { insertBatch, refuse, countUnsent } = this.sql;
    const size = countUnsent.get()!;
    if (size === 0) return 0;
    const refuseAll = this.db.transaction(() => {
      const batch = Number(insertBatch.run(destination, run, size).lastInsertRowid);
      refuse.run({ destination, batch, code, detail: refusals[code] });
    });
    refuseAll.immediate();
    return size;
  }
}

const wanted = (destination: number, { ids, code }: Omit<RefusedChoice, 'exceptCode'>): Wanted => ({
  destination,
  ids: JSON.stringify(ids),
  all: ids.length === 0 ? 1 : 0,
  code: code ?? null,
});

/** Kept in a temporary table of the connection, so memory stays flat; what is taken is gone from it. */
export class FailedMessages extends withStatements(failedStatements) {
  constructor(db: Database, destination: number | null) {
    super(db);
    db.pragma('temp_store = FILE');
    db.exec(`DROP TABLE IF EXISTS temp.failed;
      CREATE TEMP TABLE failed (seq INTEGER PRIMARY KEY, input INTEGER, path TEXT, place TEXT, muid TEXT, code TEXT, reason TEXT)`);
    this.sql.collect.run(destination);
    db.exec('CREATE INDEX temp.failed_place ON failed (path, place)');
  }

  get count(): number {
    return this.sql.count.get()!;
  }

  inputs(): FailedInput[] {
    return this.sql.inputs.all();
  }

  /** Whether a file of this path holds any. */
  isIn(path: string): boolean {
    return this.sql.isIn.get(path) !== undefined;
  }

  /** Takes the message at this location. */
  take(path: string, place: string, muid: string): FailedMessage | undefined {
    return this.sql.take.get(path, place, muid);
  }

  /** Takes some rows of a file; of all files, in reading order, without a path. */
  takeSome(limit: number, path?: string): FailedMessage[] {
    const taken = path === undefined ? this.sql.takeFirst.all(limit) : this.sql.takeOfFile.all(path, limit);
    return taken.sort((a, b) => a.seq - b.seq);
  }
}
