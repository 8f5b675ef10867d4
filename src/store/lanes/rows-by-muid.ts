import type { Database } from 'better-sqlite3';
import { lateStatements, sql, value, withStatements } from '../base/statements.ts';
import { wholePayload } from '../base/packed-payload.ts';

/** One message by the muid that it has at the destination, as it was sent or would be. */
export interface RowByMuid {
  readonly seq: number;
  /** By which the destination knows it, or will. */
  readonly muid: string;
  readonly sentAtMs: number;
  readonly sortKey: string;
  readonly sender: number;
  readonly conversation: number;
  readonly payload: string;
  /** State of an earlier delivery there, or null if nothing was ever tried. */
  readonly delivery: string | null;
  /** 1: it went out after messages that come behind it; 2: and that was allowed. */
  readonly late: number;
}

interface MessageOfMuid extends Omit<RowByMuid, 'payload' | 'delivery' | 'late'> {
  readonly payload: string | null;
  readonly verdict: string;
}

interface LoadedRow extends MessageOfMuid {
  readonly state: string | null;
  readonly late: number;
  readonly sentPayload: string | null;
}

interface DeliveryOfMuid {
  readonly state: string | null;
  readonly muid: string | null;
  readonly late: number;
  readonly payload: string | null;
}

/** A place in a conversation, behind a message: time, sort key, `seq`. */
interface ConversationPlace {
  readonly conversation: number;
  readonly cursor: readonly [number, string, number];
}

/** Payload of a message that was purged before this destination had it: it compares as different. */
export const purgedPayload = '{"purged":""}';
/** Nothing was tried of a follow-up that is only offered. */
export const triedState = `CASE WHEN d.batch = 0 AND d.state = 'pending' THEN NULL ELSE d.state END`;

const columns = `m.seq, m.muid, m.sent_at AS sentAtMs, m.sort_key AS sortKey, m.sender, m.verdict, m.conversation,
  ${wholePayload('m')} AS payload`;
const loaded = `SELECT ${columns}, ${triedState} AS state, coalesce(d.is_late, 0) AS late, d.payload AS sentPayload`;

const statements = lateStatements({
  // Two look-ups: verify makes them for every message, and the join of the two takes twice as long.
  byMuid: sql<[muid: string], MessageOfMuid>`
    SELECT ${columns} FROM message m WHERE muid = ? AND verdict <> 'duplicate'`,
  bySeq: sql<[seq: number], MessageOfMuid>`SELECT ${columns} FROM message m WHERE seq = ? AND verdict <> 'duplicate'`,
  delivery: sql<[destination: number, message: number], DeliveryOfMuid>`
    SELECT ${triedState} AS state, muid, is_late AS late, payload FROM delivery d WHERE destination = ? AND message = ?`,
  renewed: value<[destination: number, muid: string], number>`
    SELECT message FROM delivery WHERE destination = ? AND muid = ?`,
  // A listing is mostly in the order of the source: half the time of finding each by its muid.
  behind: sql<[destination: number, conversation: number, ...ConversationPlace['cursor'], limit: number], LoadedRow>`
    ${loaded} FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
    WHERE m.conversation = ? AND m.verdict = 'planned' AND (m.sent_at, m.sort_key, m.seq) > (?, ?, ?) AND d.muid IS NULL
    ORDER BY m.sent_at, m.sort_key, m.seq LIMIT ?`,
  // A quarter of the time of as many look-ups.
  ofList: sql<[muids: string, destination: number], LoadedRow>`
    ${loaded} FROM json_each(?) j CROSS JOIN message m ON m.muid = j.value AND m.verdict <> 'duplicate'
    LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq WHERE d.muid IS NULL`,
});

/** Messages by the muids that they have at a destination. */
export class RowsByMuid extends withStatements(statements) {
  readonly #destination: number;
  /** A page of them. Those that have another muid there are left to look-ups. */
  readonly #page = new Map<string, LoadedRow>();

  constructor(db: Database, destination: number) {
    super(db);
    this.#destination = destination;
  }

  find(muid: string): RowByMuid | undefined {
    const row = this.#page.get(muid);
    if (row) return toRow(row, { state: row.state, late: row.late, payload: row.sentPayload, muid: null });
    const sql = this.sql;
    const message = sql.byMuid.get(muid);
    const delivery = message && sql.delivery.get(this.#destination, message.seq);
    if (message && (delivery?.muid ?? null) === null) return toRow(message, delivery);
    const seq = sql.renewed.get(this.#destination, muid);
    return seq === undefined ? undefined : toRow(sql.bySeq.get(seq), sql.delivery.get(this.#destination, seq));
  }

  /**
   * Reads many at once, for who will ask for them next: what they are now, until others are read.
   *
   * @param place Behind which the page begins, if it is of one conversation.
   * @returns The place behind the last of them that was found.
   */
  load(muids: readonly string[], place?: ConversationPlace): ConversationPlace | undefined {
    const rows = this.#page;
    rows.clear();
    if (place)
      for (const row of this.sql.behind.all(this.#destination, place.conversation, ...place.cursor, muids.length))
        rows.set(row.muid, row);
    const others = muids.filter((muid) => !rows.has(muid));
    if (others.length > 0)
      for (const row of this.sql.ofList.all(JSON.stringify(others), this.#destination)) rows.set(row.muid, row);
    const last = rows.get(muids.findLast((muid) => rows.has(muid)) ?? '');
    return last && { conversation: last.conversation, cursor: [last.sentAtMs, last.sortKey, last.seq] };
  }
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
