import type { Database } from 'better-sqlite3';
import { insideMessages } from '../base/inside-messages.ts';
import { inPages } from '../base/pages.ts';
import { lateStatements, sql, value, withStatements } from '../base/statements.ts';

/** A message of ours as it was met at the destination. */
interface Sighting {
  readonly conversation: number;
  readonly message: number;
  readonly serverId: string;
  /** Its place in the listing of the conversation. */
  readonly place: number;
  /** Whether it says something about the order: late messages do not. */
  readonly isOrdered: boolean;
}

const rank = (arrival: string) => `
    INSERT INTO temp.ranked SELECT row_number() OVER (ORDER BY m.sent_at, m.sort_key, m.seq), m.seq, s.rank
    FROM (SELECT message, row_number() OVER (ORDER BY ${arrival}) AS rank FROM temp.seen
          WHERE conversation = ? AND is_ordered) s
    CROSS JOIN message m ON m.seq = s.message`;

const seenStatements = lateStatements({
  add: sql<[conversation: number, message: number, serverId: string, place: number, isOrdered: 0 | 1]>`
    INSERT OR IGNORE INTO temp.seen VALUES (?, ?, ?, ?, ?)`,
  serverId: value<[conversation: number, message: number], string>`
    SELECT server_id FROM temp.seen WHERE conversation = ? AND message = ?`,
  hasOtherIds: sql<[conversation: number]>`
    SELECT 1 FROM temp.seen WHERE conversation = ? AND is_ordered AND (server_id GLOB '*[^0-9]*' OR length(server_id) > 18) LIMIT 1`,
  rankById: sql<[conversation: number]>`${rank('CAST(server_id AS INTEGER)')}`,
  rankByPlace: sql<[conversation: number]>`${rank('place')}`,
  ranked: sql<[after: number], { number: number; message: number; rank: number }>`
    SELECT number, message, rank FROM temp.ranked WHERE number > ? ORDER BY number LIMIT 5000`,
  forget: sql<[conversation: number]>`DELETE FROM temp.seen WHERE conversation = ?`,
});

/** Which messages were met while conversations are read back: temporary tables of this connection, so memory stays flat. */
export class SeenMessages extends withStatements(seenStatements) {
  constructor(db: Database) {
    super(db);
    db.exec(`
      CREATE TEMP TABLE IF NOT EXISTS seen (
        conversation INTEGER, message INTEGER, server_id TEXT, place INTEGER, is_ordered INTEGER,
        PRIMARY KEY (conversation, message)) WITHOUT ROWID;
      CREATE TEMP TABLE IF NOT EXISTS ranked (number INTEGER PRIMARY KEY, message INTEGER, rank INTEGER);
      DELETE FROM temp.seen`);
  }

  /** `again` is the same row of the destination once more, as pages may repeat it; `copy` another one. */
  add({ conversation, message, serverId, place, isOrdered }: Sighting): 'first' | 'again' | 'copy' {
    if (this.sql.add.run(conversation, message, serverId, place, isOrdered ? 1 : 0).changes === 1) return 'first';
    return this.sql.serverId.get(conversation, message) === serverId ? 'again' : 'copy';
  }

  /**
   * Yields messages in the order of the source, each with its rank (from 1) in the order of arrival: by the
   * destination's ids, which ascend with arrival; if they are not numbers, by position in the listing.
   */
  inSourceOrder(conversation: number): Iterable<{ readonly message: number; readonly rank: number }> {
    this.db.exec('DELETE FROM temp.ranked');
    this.sql[this.sql.hasOtherIds.get(conversation) ? 'rankByPlace' : 'rankById'].run(conversation);
    return inPages('number', (after) => this.sql.ranked.all(after));
  }

  forget(conversation: number): void {
    this.sql.forget.run(conversation);
  }
}

/** A message that should be there and was not met, with what a second look needs. */
export interface AbsentMessage {
  readonly message: number;
  readonly sent_at: number;
}

const isUnseen = (message: string) =>
  `NOT EXISTS (SELECT 1 FROM temp.seen s WHERE s.conversation = @conversation AND s.message = ${message})`;

const absentStatements = (isInside: (message: string) => string) =>
  lateStatements({
    collectUnplanned: sql<[destination: number]>`
      INSERT INTO temp.unplanned SELECT m.conversation, m.seq FROM message m
      CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
      WHERE m.verdict IN ('skipped', 'invalid') AND d.state IN ('imported', 'existing') AND ${isInside('m.seq')}`,
    note: sql<{ destination: number; conversation: number }>`
      INSERT INTO temp.absent
      SELECT @conversation, m.seq, NULL FROM message m CROSS JOIN delivery d ON d.destination = @destination AND d.message = m.seq
      WHERE m.conversation = @conversation AND m.verdict = 'planned' AND d.state IN ('imported', 'existing')
        AND ${isInside('m.seq')} AND ${isUnseen('m.seq')}
      UNION ALL SELECT @conversation, u.message, NULL FROM temp.unplanned u WHERE u.conversation = @conversation AND ${isUnseen('u.message')}`,
    isSought: sql<[conversation: number, message: number, pass: number]>`
      SELECT 1 FROM temp.absent WHERE conversation = ? AND message = ? AND (found_in IS NULL OR found_in = ?)`,
    found: sql<[pass: number, conversation: number, message: number]>`
      UPDATE temp.absent SET found_in = ? WHERE conversation = ? AND message = ?`,
    forget: sql<[conversation: number]>`DELETE FROM temp.absent WHERE conversation = ?`,
    count: value<[conversation: number], number>`
      SELECT count(*) FROM temp.absent WHERE conversation = ? AND found_in IS NULL`,
    inOrder: sql<[conversation: number, sentAt: number, message: number, limit: number], AbsentMessage>`
      SELECT a.message, m.sent_at FROM temp.absent a CROSS JOIN message m ON m.seq = a.message
      WHERE a.conversation = ? AND a.found_in IS NULL AND (m.sent_at, a.message) > (?, ?) ORDER BY m.sent_at, a.message LIMIT ?`,
    lastAttempt: value<[destination: number, conversation: number, batch: number], number | null>`
      SELECT max(coalesce(t.ended_at, t.started_at)) FROM temp.absent a
      CROSS JOIN delivery d ON d.destination = ? AND d.message = a.message JOIN attempt t ON t.batch = d.batch
      WHERE a.conversation = ? AND a.found_in IS NULL AND d.batch > ?`,
    newestShown: value<[destination: number], number>`
      SELECT d.batch FROM delivery d WHERE d.destination = ? AND d.state IN ('imported', 'existing')
      AND ${isInside('d.message')} AND NOT EXISTS (SELECT 1 FROM temp.absent a WHERE a.message = d.message) ORDER BY d.batch DESC LIMIT 1`,
  });

const statementsOfAll = absentStatements(() => 'true');
const statementsInside = absentStatements((message) => `${message} IN (${insideMessages})`);

/**
 * Messages with a good receipt that were not met (`SeenMessages`): a temporary table of this connection.
 *
 * Almost all of them are planned, and found by the index of those; what a changed mapping has taken out of the plan after it
 * was sent is looked for once, by one pass over the messages.
 */
export class AbsentMessages {
  readonly #destination: number;
  readonly #sql: ReturnType<typeof statementsOfAll>;

  /** @param insideOnly Only messages that `Lanes.chooseInside` wrote down are ever absent. */
  constructor(db: Database, destination: number, insideOnly: boolean) {
    this.#destination = destination;
    this.#sql = (insideOnly ? statementsInside : statementsOfAll)(db);
    db.exec(`
      CREATE TEMP TABLE IF NOT EXISTS absent (
        conversation INTEGER, message INTEGER, found_in INTEGER, PRIMARY KEY (conversation, message)) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS temp.absent_message ON absent (message);
      CREATE TEMP TABLE IF NOT EXISTS unplanned (conversation INTEGER, message INTEGER, PRIMARY KEY (conversation, message)) WITHOUT ROWID;
      DELETE FROM temp.absent;
      DELETE FROM temp.unplanned`);
    this.#sql.collectUnplanned.run(destination);
  }

  /** Writes down what was not met of a conversation. @returns How many. */
  note(conversation: number): number {
    return this.#sql.note.run({ destination: this.#destination, conversation }).changes;
  }

  /** Whether it was not met before this look; a copy of what is met in it is worth knowing. Looks are numbered from 1. */
  isSought(conversation: number, message: number, pass: number): boolean {
    return this.#sql.isSought.get(conversation, message, pass) !== undefined;
  }

  /** It was met after all. */
  found(conversation: number, message: number, pass: number): void {
    this.#sql.found.run(pass, conversation, message);
  }

  forget(conversation: number): void {
    this.#sql.forget.run(conversation);
  }

  count(conversation: number): number {
    return this.#sql.count.get(conversation)!;
  }

  /** By time, in pages, from behind the given one. */
  inOrder(conversation: number, after: AbsentMessage | undefined, limit: number): AbsentMessage[] {
    return this.#sql.inOrder.all(conversation, after?.sent_at ?? -Infinity, after?.message ?? -1, limit);
  }

  /** The latest batch of which something is not absent, when every touched conversation was read; 0 for none. Batches are numbered in the order of sending. */
  newestShown(): number {
    return this.#sql.newestShown.get(this.#destination) ?? 0;
  }

  /** When the last request ended that carried one of them and left after this batch; epoch ms, 0 for none. */
  lastAttemptMs(conversation: number, batch: number): number {
    return this.#sql.lastAttempt.get(this.#destination, conversation, batch) ?? 0;
  }
}

const receiptStatements = lateStatements({
  load: sql<[destination: number, conversation: number]>`
    INSERT OR IGNORE INTO temp.receipt
    SELECT m.conversation, d.server_id, coalesce(d.muid, m.muid) FROM message m
    CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
    WHERE m.conversation = ? AND m.verdict = 'planned' AND d.server_id IS NOT NULL`,
  muid: value<[conversation: number, serverId: string], string>`
    SELECT muid FROM temp.receipt WHERE conversation = ? AND server_id = ?`,
  forget: sql<[conversation: number]>`DELETE FROM temp.receipt WHERE conversation = ?`,
});

/**
 * Finds messages by the server ids of their receipts, for listings that show neither muids nor our keys. Made for a conversation
 * when it is first needed, in a temporary table: an index would cost every import, and hardly any destination needs it.
 */
export class ReceiptIds extends withStatements(receiptStatements) {
  readonly #destination: number;
  readonly #loaded = new Set<number>();
  #isMade = false;

  constructor(db: Database, destination: number) {
    super(db);
    this.#destination = destination;
  }

  muidOf(conversation: number, serverId: string): string | undefined {
    if (!this.#loaded.has(conversation)) this.#load(conversation);
    return this.sql.muid.get(conversation, serverId);
  }

  forget(conversation: number): void {
    if (this.#loaded.delete(conversation)) this.sql.forget.run(conversation);
  }

  #load(conversation: number): void {
    if (!this.#isMade)
      this.db.exec(`
        CREATE TEMP TABLE IF NOT EXISTS receipt (
          conversation INTEGER, server_id TEXT, muid TEXT, PRIMARY KEY (conversation, server_id)) WITHOUT ROWID;
        DELETE FROM temp.receipt`);
    this.#isMade = true;
    this.sql.load.run(this.#destination, conversation);
    this.#loaded.add(conversation);
  }
}
