import type { Database } from 'better-sqlite3';

export interface NextRow {
  readonly seq: number;
  readonly muid: string;
  readonly sent_at: number;
  readonly sort_key: string;
  readonly sender: number;
  readonly payload: string;
  /** State of an earlier delivery there, or null where nothing was ever tried. */
  readonly delivery: string | null;
  /** 1: it went out after messages that come behind it. */
  readonly is_late: number;
}

/** Reads what is pending of one conversation, in order, from behind a cursor. */
export function nextRowsReader(db: Database, destination: number) {
  const select = db.prepare<[number, number, number, string, number, number], NextRow>(
    `SELECT m.seq, m.muid, m.sent_at, m.sort_key, m.sender, m.payload, d.state AS delivery, 0 AS is_late
     FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
     WHERE m.conversation = ? AND m.verdict = 'planned' AND (m.sent_at, m.sort_key, m.seq) > (?, ?, ?)
       AND (d.state IS NULL OR d.state = 'pending') AND m.vanished = 0
     ORDER BY m.sent_at, m.sort_key, m.seq LIMIT ?`,
  );
  return (conversation: number, [sentAt, sortKey, seq]: readonly [number, string, number], limit: number): NextRow[] =>
    select.all(destination, conversation, sentAt, sortKey, seq, limit);
}

/** Messages of one conversation that were sent and never answered, in order, whatever their verdict is by now; as they were sent, where that differs from what is staged. */
export function doubtfulRowsReader(db: Database, destination: number) {
  const select = db.prepare<[number, number], NextRow>(
    `SELECT m.seq, m.muid, m.sent_at, m.sort_key, m.sender, coalesce(d.payload, m.payload) AS payload, d.state AS delivery, d.is_late
     FROM batch b JOIN delivery d ON d.batch = b.id AND d.destination = b.destination JOIN message m ON m.seq = d.message
     WHERE b.destination = ? AND b.state = 'open' AND m.conversation = ? AND d.state = 'sent' AND m.verdict <> 'repeated'
     ORDER BY m.sent_at, m.sort_key, m.seq`,
  );
  return (conversation: number): NextRow[] => select.all(destination, conversation);
}

/** One message by its muid, as it was sent or would be. */
export function rowByMuidReader(db: Database, destination: number) {
  const select = db.prepare<[number, string], NextRow & { readonly conversation: number }>(
    `SELECT m.seq, m.muid, m.sent_at, m.sort_key, m.sender, coalesce(d.payload, m.payload) AS payload, d.state AS delivery, coalesce(d.is_late, 0) AS is_late, m.conversation
     FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
     WHERE m.muid = ? AND (m.verdict = 'planned' OR (m.verdict <> 'repeated' AND d.state <> 'pending'))`,
  );
  return (muid: string) => select.get(destination, muid);
}
