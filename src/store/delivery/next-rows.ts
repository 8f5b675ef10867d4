import type { Database } from 'better-sqlite3';

/**
 * SQL: whether a planned message `m` has to be sent to the destination of its delivery `d` (joined from the left):
 * nothing was tried there, or the attempt certainly changed nothing. A follow-up is sent only if it has a delivery.
 */
export const isPending = `(d.state = 'pending' OR (d.state IS NULL AND m.follows IS NULL))`;

/** The code of a pending message whose requests got no answer. The message or the destination may be the cause. */
export const quarantinedCode = 'quarantined';

/** For a query in which `m` is the message: only those that were chosen. */
export const amongChosen = ' AND m.seq IN (SELECT message FROM temp.chosen)';

/**
 * Names the messages that a run may send, by `seq`; those of an earlier call are dropped. A temporary table of this
 * connection, so memory stays flat whatever their number.
 */
export function chooseMessages(db: Database, messages: Iterable<number>): void {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS chosen (message INTEGER PRIMARY KEY); DELETE FROM temp.chosen');
  const insert = db.prepare('INSERT OR IGNORE INTO temp.chosen VALUES (?)');
  db.transaction(() => {
    for (const message of messages) insert.run(message);
  })();
}

const isQuarantined = `d.destination = ? AND d.state = 'pending' AND d.code = '${quarantinedCode}'`;

/** Messages that a destination is still to get, and that runs have quarantined. */
export const countQuarantined = (db: Database, destination: number): number =>
  db.prepare<[number], number>(`SELECT count(*) FROM delivery d WHERE ${isQuarantined}`).pluck().get(destination)!;

/** `chooseMessages` for these. */
export const chooseQuarantined = (db: Database, destination: number): void =>
  chooseMessages(
    db,
    db.prepare<[number], number>(`SELECT message FROM delivery d WHERE ${isQuarantined}`).pluck().all(destination),
  );

export interface NextRow {
  readonly seq: number;
  /** By which the destination knows it, or will. */
  readonly muid: string;
  readonly sentAtMs: number;
  readonly sortKey: string;
  readonly sender: number;
  readonly payload: string;
  /** State of an earlier delivery there, or null if nothing was ever tried. */
  readonly delivery: string | null;
  /** 1: nothing at all was ever written down of it there. */
  readonly isNew?: number;
  /** 1: it went out after messages that come behind it; 2: and that was allowed. */
  readonly late: number;
}

/** Payload of a message that was purged before this destination had it: it compares as different. */
const purgedPayload = '{"purged":""}';
/** Nothing was tried of a follow-up that is only offered. */
const triedState = `CASE WHEN d.batch = 0 AND d.state = 'pending' THEN NULL ELSE d.state END`;
const columns = 'm.seq, coalesce(d.muid, m.muid) AS muid, m.sent_at AS sentAtMs, m.sort_key AS sortKey, m.sender';
/** As it was sent, or would be. */
const payloadAtDestination = `coalesce(d.payload, m.payload, '${purgedPayload}')`;

/**
 * Reads what is pending of one conversation, in order, from behind a cursor.
 *
 * @param chosenOnly Only what `chooseMessages` named.
 */
export function nextRowsReader(db: Database, destination: number, chosenOnly = false) {
  const select = db.prepare<[number, number, number, string, number, number], NextRow>(
    `SELECT ${columns}, m.payload, ${triedState} AS delivery, d.message IS NULL AS isNew, 0 AS late
     FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
     WHERE m.conversation = ? AND m.verdict = 'planned' AND (m.sent_at, m.sort_key, m.seq) > (?, ?, ?)
       AND ${isPending} AND m.vanished = 0${chosenOnly ? amongChosen : ''}
     ORDER BY m.sent_at, m.sort_key, m.seq LIMIT ?`,
  );
  return (conversation: number, [sentAt, sortKey, seq]: readonly [number, string, number], limit: number): NextRow[] =>
    select.all(destination, conversation, sentAt, sortKey, seq, limit);
}

/**
 * Returns messages of one conversation that were sent and never answered, in order, whatever their current verdict; in
 * the version that was sent, if it differs from the staged one.
 */
export function doubtfulRowsReader(db: Database, destination: number) {
  const select = db.prepare<[number, number], NextRow>(
    `SELECT ${columns}, ${payloadAtDestination} AS payload, d.state AS delivery, d.is_late AS late
     FROM batch b CROSS JOIN delivery d ON d.batch = b.id AND d.destination = b.destination CROSS JOIN message m ON m.seq = d.message
     WHERE b.destination = ? AND b.state = 'open' AND m.conversation = ? AND d.state = 'sent' AND m.verdict <> 'duplicate'
     ORDER BY m.sent_at, m.sort_key, m.seq`,
  );
  return (conversation: number): NextRow[] => select.all(destination, conversation);
}

/** One message by the muid that it has at the destination, as it was sent or would be. */
export interface RowByMuid extends NextRow {
  readonly conversation: number;
}

const messageOfMuid =
  'm.seq, m.muid, m.sent_at AS sentAtMs, m.sort_key AS sortKey, m.sender, m.payload, m.verdict, m.conversation';

/** Messages by the muids that they have at the destination. */
export function rowByMuidReader(db: Database, destination: number) {
  // Two look-ups: verify makes them for every message, and the join of the two takes twice as long.
  const byMuid = db.prepare<[string], MessageOfMuid>(
    `SELECT ${messageOfMuid} FROM message m WHERE muid = ? AND verdict <> 'duplicate'`,
  );
  const bySeq = db.prepare<[number], MessageOfMuid>(
    `SELECT ${messageOfMuid} FROM message m WHERE seq = ? AND verdict <> 'duplicate'`,
  );
  const deliveryOf = db.prepare<[number, number], DeliveryOfMuid>(
    `SELECT ${triedState} AS state, muid, is_late AS late, payload FROM delivery d WHERE destination = ? AND message = ?`,
  );
  const renewed = db
    .prepare<[number, string], number>('SELECT message FROM delivery WHERE destination = ? AND muid = ?')
    .pluck();
  const page = pageReader(db, destination);
  return {
    find(muid: string): RowByMuid | undefined {
      const loaded = page.find(muid);
      if (loaded) {
        const { state, late, sentPayload } = loaded;
        return toRow(loaded, { state, late, payload: sentPayload, muid: null });
      }
      const message = byMuid.get(muid);
      const delivery = message && deliveryOf.get(destination, message.seq);
      if (message && (delivery?.muid ?? null) === null) return toRow(message, delivery);
      const seq = renewed.get(destination, muid);
      return seq === undefined ? undefined : toRow(bySeq.get(seq), deliveryOf.get(destination, seq));
    },
    /** Reads many at once, for who will ask for them next: what they are now, until others are read. */
    load: page.load,
  };
}

/** A place in a conversation, behind a message: time, sort key, `seq`. */
export interface ConversationPlace {
  readonly conversation: number;
  readonly cursor: readonly [number, string, number];
}

/** The messages of a page in one statement or two. Those that have another muid there are left to look-ups. */
function pageReader(db: Database, destination: number) {
  const loaded = `SELECT ${messageOfMuid}, ${triedState} AS state, coalesce(d.is_late, 0) AS late, d.payload AS sentPayload`;
  // A listing is mostly in the order of the source: half the time of finding each by its muid.
  const selectBehind = db.prepare<[number, number, number, string, number, number], LoadedRow>(
    `${loaded} FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
     WHERE m.conversation = ? AND m.verdict = 'planned' AND (m.sent_at, m.sort_key, m.seq) > (?, ?, ?) AND d.muid IS NULL
     ORDER BY m.sent_at, m.sort_key, m.seq LIMIT ?`,
  );
  // A quarter of the time of as many look-ups.
  const selectByMuid = db.prepare<[string, number], LoadedRow>(
    `${loaded} FROM json_each(?) j CROSS JOIN message m ON m.muid = j.value AND m.verdict <> 'duplicate'
     LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq WHERE d.muid IS NULL`,
  );
  const rows = new Map<string, LoadedRow>();
  return {
    find: (muid: string) => rows.get(muid),
    /**
     * @param place Behind which the page begins, if it is of one conversation.
     * @returns The place behind the last of them that was found.
     */
    load(muids: readonly string[], place?: ConversationPlace): ConversationPlace | undefined {
      rows.clear();
      if (place)
        for (const row of selectBehind.all(destination, place.conversation, ...place.cursor, muids.length))
          rows.set(row.muid, row);
      const others = muids.filter((muid) => !rows.has(muid));
      if (others.length > 0)
        for (const row of selectByMuid.all(JSON.stringify(others), destination)) rows.set(row.muid, row);
      const last = rows.get(muids.findLast((muid) => rows.has(muid)) ?? '');
      return last && { conversation: last.conversation, cursor: [last.sentAtMs, last.sortKey, last.seq] };
    },
  };
}

function toRow(message: MessageOfMuid | undefined, delivery: DeliveryOfMuid | undefined): RowByMuid | undefined {
  if (!message) return undefined;
  const { seq, sentAtMs, sortKey, sender, conversation, verdict } = message;
  if (verdict !== 'planned' && (delivery?.state ?? 'pending') === 'pending') return undefined;
  return {
    seq,
    sentAtMs,
    sortKey,
    sender,
    conversation,
    muid: delivery?.muid ?? message.muid,
    payload: delivery?.payload ?? message.payload ?? purgedPayload,
    delivery: delivery?.state ?? null,
    late: delivery?.late ?? 0,
  };
}

interface MessageOfMuid extends Omit<NextRow, 'payload' | 'delivery' | 'late'> {
  readonly payload: string | null;
  readonly verdict: string;
  readonly conversation: number;
}

interface LoadedRow extends MessageOfMuid {
  readonly state: string | null;
  readonly late: number;
  readonly sentPayload: string | null;
}

interface DeliveryOfMuid extends Pick<NextRow, 'late'> {
  readonly state: string | null;
  readonly muid: string | null;
  readonly payload: string | null;
}

/** Whether messages were taken back at a destination, so that their muids there are no longer those of the plan. */
export function hasRenewedMuids(db: Database, destination: number): boolean {
  return (
    db.prepare('SELECT 1 FROM delivery WHERE destination = ? AND muid IS NOT NULL LIMIT 1').get(destination) !==
    undefined
  );
}

/**
 * Returns the muid under which a destination knows a message, or will know it, by its muid in the plan. A muid that the
 * store does not have is returned unchanged.
 */
export function currentMuidReader(db: Database, destination: number): (muid: string) => string {
  // CROSS: in this order. SQLite would else go through every muid of the destination.
  const select = db
    .prepare<[number, string], string>(
      `SELECT d.muid FROM message m CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
       WHERE m.muid = ? AND d.muid IS NOT NULL`,
    )
    .pluck();
  return (muid) => select.get(destination, muid) ?? muid;
}
