import type { Database } from 'better-sqlite3';
import { insideMessages } from '../base/inside-messages.ts';
import { lateValues } from '../../lib/late-values.ts';
import { inPages } from '../base/pages.ts';

/** A message of ours as it was met at the destination. */
export interface Sighting {
  readonly conversation: number;
  readonly message: number;
  readonly serverId: string;
  /** Its place in the listing of the conversation. */
  readonly place: number;
  /** Whether it says something about the order: late messages do not. */
  readonly isOrdered: boolean;
}

/** Which messages were met while conversations are read back: temporary tables of this connection, so memory stays flat. */
export function seenMessages(db: Database) {
  db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS seen (
      conversation INTEGER, message INTEGER, server_id TEXT, place INTEGER, is_ordered INTEGER,
      PRIMARY KEY (conversation, message)) WITHOUT ROWID;
    CREATE TEMP TABLE IF NOT EXISTS ranked (number INTEGER PRIMARY KEY, message INTEGER, rank INTEGER);
    DELETE FROM temp.seen`);
  const insert = db.prepare('INSERT OR IGNORE INTO temp.seen VALUES (?, ?, ?, ?, ?)');
  const serverIdOf = db
    .prepare<[number, number], string>('SELECT server_id FROM temp.seen WHERE conversation = ? AND message = ?')
    .pluck();
  const hasOtherIds = db.prepare<[number]>(
    `SELECT 1 FROM temp.seen WHERE conversation = ? AND is_ordered AND (server_id GLOB '*[^0-9]*' OR length(server_id) > 18) LIMIT 1`,
  );
  const rank = (arrival: string) =>
    db.prepare<[number]>(
      `INSERT INTO temp.ranked SELECT row_number() OVER (ORDER BY m.sent_at, m.sort_key, m.seq), m.seq, s.rank
       FROM (SELECT message, row_number() OVER (ORDER BY ${arrival}) AS rank FROM temp.seen
             WHERE conversation = ? AND is_ordered) s
       CROSS JOIN message m ON m.seq = s.message`,
    );
  const ranked = lateValues({
    byId: () => rank('CAST(server_id AS INTEGER)'),
    byPlace: () => rank('place'),
    page: () =>
      db.prepare<[number], { number: number; message: number; rank: number }>(
        'SELECT number, message, rank FROM temp.ranked WHERE number > ? ORDER BY number LIMIT 5000',
      ),
  });
  const forget = db.prepare('DELETE FROM temp.seen WHERE conversation = ?');
  return {
    /** `again` is the same row of the destination once more, as pages may repeat it; `copy` another one. */
    add({ conversation, message, serverId, place, isOrdered }: Sighting): 'first' | 'again' | 'copy' {
      if (insert.run(conversation, message, serverId, place, isOrdered ? 1 : 0).changes === 1) return 'first';
      return serverIdOf.get(conversation, message) === serverId ? 'again' : 'copy';
    },
    /**
     * Yields messages in the order of the source, each with its rank (from 1) in the order of arrival: by the
     * destination's ids, which ascend with arrival; if they are not numbers, by position in the listing.
     */
    inSourceOrder(conversation: number): Iterable<{ readonly message: number; readonly rank: number }> {
      db.exec('DELETE FROM temp.ranked');
      (hasOtherIds.get(conversation) ? ranked.byPlace : ranked.byId).run(conversation);
      return inPages('number', (after) => ranked.page.all(after));
    },
    forget(conversation: number): void {
      forget.run(conversation);
    },
  };
}

/** A message that should be there and was not met, with what a second look needs. */
export interface AbsentMessage {
  readonly message: number;
  readonly sent_at: number;
}

/**
 * Messages with a good receipt that were not met (`seenMessages`): a temporary table of this connection.
 *
 * Almost all of them are planned, and found by the index of those; what a changed mapping has taken out of the plan after it
 * was sent is looked for once, by one pass over the messages.
 *
 * @param insideOnly Only messages that `chooseInside` wrote down are ever absent.
 */
export function absentMessages(db: Database, destination: number, insideOnly: boolean) {
  const sql = prepareAbsent(db, destination, insideOnly);
  return {
    /** Writes down what was not met of a conversation. @returns How many. */
    note: (of: number): number => sql.note.run({ destination, conversation: of }).changes,
    /** Whether it was not met before this look; a copy of what is met in it is worth knowing. Looks are numbered from 1. */
    isSought: (of: number, message: number, pass: number): boolean => sql.isSought.get(of, message, pass) !== undefined,
    /** It was met after all. */
    found(of: number, message: number, pass: number): void {
      sql.found.run(pass, of, message);
    },
    forget(of: number): void {
      sql.forget.run(of);
    },
    count: (of: number): number => sql.count.get(of)!,
    /** By time, in pages, from behind the given one. */
    inOrder: (of: number, after: AbsentMessage | undefined, limit: number): AbsentMessage[] =>
      sql.inOrder.all(of, after?.sent_at ?? -Infinity, after?.message ?? -1, limit),
    /** The latest batch of which something is not absent, when every touched conversation was read; 0 for none. Batches are numbered in the order of sending. */
    newestShown: (): number => sql.newestShown.get(destination) ?? 0,
    /** When the last request ended that carried one of them and left after this batch; epoch ms, 0 for none. */
    lastAttemptMs: (of: number, batch: number): number => sql.lastAttempt.get(destination, of, batch) ?? 0,
  };
}

function prepareAbsent(db: Database, destination: number, insideOnly: boolean) {
  const isInside = (message: string) => (insideOnly ? `${message} IN (${insideMessages})` : 'true');
  const isUnseen = (message: string) =>
    `NOT EXISTS (SELECT 1 FROM temp.seen s WHERE s.conversation = @conversation AND s.message = ${message})`;
  db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS absent (
      conversation INTEGER, message INTEGER, found_in INTEGER, PRIMARY KEY (conversation, message)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS temp.absent_message ON absent (message);
    CREATE TEMP TABLE IF NOT EXISTS unplanned (conversation INTEGER, message INTEGER, PRIMARY KEY (conversation, message)) WITHOUT ROWID;
    DELETE FROM temp.absent;
    DELETE FROM temp.unplanned`);
  db.prepare(
    `INSERT INTO temp.unplanned SELECT m.conversation, m.seq FROM message m
     CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
     WHERE m.verdict IN ('skipped', 'invalid') AND d.state IN ('imported', 'existing') AND ${isInside('m.seq')}`,
  ).run(destination);
  return lateValues({
    note: () =>
      db.prepare<{ destination: number; conversation: number }>(
        `INSERT INTO temp.absent
       SELECT @conversation, m.seq, NULL FROM message m CROSS JOIN delivery d ON d.destination = @destination AND d.message = m.seq
       WHERE m.conversation = @conversation AND m.verdict = 'planned' AND d.state IN ('imported', 'existing')
         AND ${isInside('m.seq')} AND ${isUnseen('m.seq')}
       UNION ALL SELECT @conversation, u.message, NULL FROM temp.unplanned u WHERE u.conversation = @conversation AND ${isUnseen('u.message')}`,
      ),
    isSought: () =>
      db.prepare<[number, number, number]>(
        'SELECT 1 FROM temp.absent WHERE conversation = ? AND message = ? AND (found_in IS NULL OR found_in = ?)',
      ),
    found: () => db.prepare('UPDATE temp.absent SET found_in = ? WHERE conversation = ? AND message = ?'),
    forget: () => db.prepare('DELETE FROM temp.absent WHERE conversation = ?'),
    count: () =>
      db
        .prepare<[number], number>('SELECT count(*) FROM temp.absent WHERE conversation = ? AND found_in IS NULL')
        .pluck(),
    inOrder: () =>
      db.prepare<[number, number, number, number], AbsentMessage>(
        `SELECT a.message, m.sent_at FROM temp.absent a CROSS JOIN message m ON m.seq = a.message
       WHERE a.conversation = ? AND a.found_in IS NULL AND (m.sent_at, a.message) > (?, ?) ORDER BY m.sent_at, a.message LIMIT ?`,
      ),
    lastAttempt: () =>
      db
        .prepare<[number, number, number], number | null>(
          `SELECT max(coalesce(t.ended_at, t.started_at)) FROM temp.absent a
         CROSS JOIN delivery d ON d.destination = ? AND d.message = a.message JOIN attempt t ON t.batch = d.batch
         WHERE a.conversation = ? AND a.found_in IS NULL AND d.batch > ?`,
        )
        .pluck(),
    newestShown: () =>
      db
        .prepare<[number], number>(
          `SELECT d.batch FROM delivery d WHERE d.destination = ? AND d.state IN ('imported', 'existing')
           AND ${isInside('d.message')} AND NOT EXISTS (SELECT 1 FROM temp.absent a WHERE a.message = d.message) ORDER BY d.batch DESC LIMIT 1`,
        )
        .pluck(),
  });
}

/**
 * Finds messages by the server ids of their receipts, for listings that show neither muids nor our keys. Made for a conversation
 * when it is first needed, in a temporary table: an index would cost every import, and hardly any destination needs it.
 */
export function receiptIds(db: Database, destination: number) {
  const sql = lateValues({ receipt: () => prepareReceipts(db) });
  const loaded = new Set<number>();
  return {
    muidOf(conversation: number, serverId: string): string | undefined {
      if (!loaded.has(conversation)) {
        sql.receipt.load.run(destination, conversation);
        loaded.add(conversation);
      }
      return sql.receipt.select.get(conversation, serverId);
    },
    forget(conversation: number): void {
      if (loaded.delete(conversation)) sql.receipt.forget.run(conversation);
    },
  };
}

function prepareReceipts(db: Database) {
  db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS receipt (
      conversation INTEGER, server_id TEXT, muid TEXT, PRIMARY KEY (conversation, server_id)) WITHOUT ROWID;
    DELETE FROM temp.receipt`);
  return {
    load: db.prepare(
      `INSERT OR IGNORE INTO temp.receipt
       SELECT m.conversation, d.server_id, coalesce(d.muid, m.muid) FROM message m
       CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
       WHERE m.conversation = ? AND m.verdict = 'planned' AND d.server_id IS NOT NULL`,
    ),
    select: db
      .prepare<[number, string], string>('SELECT muid FROM temp.receipt WHERE conversation = ? AND server_id = ?')
      .pluck(),
    forget: db.prepare('DELETE FROM temp.receipt WHERE conversation = ?'),
  };
}

/** The conversation to which a muid belongs; nothing if the store does not know it. */
export function homeReader(db: Database, destination: number) {
  const select = db
    .prepare<[string, number, string], number>(
      `SELECT conversation FROM message WHERE muid = ? AND verdict <> 'duplicate' AND conversation IS NOT NULL
       UNION ALL SELECT m.conversation FROM delivery d JOIN message m ON m.seq = d.message WHERE d.destination = ? AND d.muid = ?
       LIMIT 1`,
    )
    .pluck();
  return (muid: string): number | undefined => select.get(muid, destination, muid);
}
