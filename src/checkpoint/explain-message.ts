import type { Database } from 'better-sqlite3';
import { printPlace } from './message-facts.ts';

/** Everything that the store knows about one message. */
export interface MessageStory {
  readonly muid: string | null;
  readonly originId: string | null;
  readonly conversation: string | null;
  readonly author: string | null;
  readonly sentAtMs: number | null;
  readonly verdict: string;
  readonly reason: string | null;
  readonly detail: string | null;
  /** JSON. */
  readonly payload: string | null;
  readonly input: string;
  readonly path: string;
  readonly location: string;
  readonly isVanished: boolean;
  readonly deliveries: readonly DeliveryStory[];
}

export interface DeliveryStory {
  readonly destination: string;
  readonly state: string;
  readonly serverId: string | null;
  readonly code: string | null;
  readonly detail: string | null;
  readonly isLate: boolean;
  readonly attempts: readonly {
    readonly startedAtMs: number;
    readonly outcome: string | null;
    readonly code: string | null;
    readonly detail: string | null;
  }[];
}

interface MessageRow {
  readonly seq: number;
  readonly muid: string | null;
  readonly origin_id: string | null;
  readonly conversation: string | null;
  readonly author: string | null;
  readonly sent_at: number | null;
  readonly verdict: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly payload: string | null;
  readonly input: string;
  readonly path: string;
  readonly place: string;
  readonly vanished: number;
}

/** Messages with this muid or this id at the source (several conversations may use one id). */
export function explainMessage(db: Database, id: string): MessageStory[] {
  const rows = db
    .prepare<[string, string], MessageRow>(
      `SELECT m.seq, m.muid, m.origin_id, c.name AS conversation, p.name AS author, m.sent_at, m.verdict, m.reason, m.detail, m.payload,
         i.path AS input, f.path, m.place, m.vanished
       FROM message m JOIN source_file f ON f.id = m.file JOIN source_input i ON i.id = f.input
       LEFT JOIN conversation c ON c.id = m.conversation LEFT JOIN person p ON p.id = m.sender
       WHERE m.muid = ? OR m.origin_id = ? ORDER BY m.seq LIMIT 20`,
    )
    .all(id, id);
  return rows.map((row) => ({
    muid: row.muid,
    originId: row.origin_id,
    conversation: row.conversation,
    author: row.author,
    sentAtMs: row.sent_at,
    verdict: row.verdict,
    reason: row.reason,
    detail: row.detail,
    payload: row.payload,
    input: row.input,
    path: row.path,
    location: printPlace(row.path, row.place),
    isVanished: row.vanished === 1,
    deliveries: deliveriesOf(db, row.seq),
  }));
}

function deliveriesOf(db: Database, seq: number): DeliveryStory[] {
  const attempts = db.prepare<[number], DeliveryStory['attempts'][number]>(
    'SELECT started_at AS startedAtMs, outcome, code, detail FROM attempt WHERE batch = ? ORDER BY number',
  );
  return db
    .prepare<
      [number],
      {
        name: string;
        state: string;
        server_id: string | null;
        code: string | null;
        detail: string | null;
        is_late: number;
        batch: number;
      }
    >(
      `SELECT t.name, d.state, d.server_id, d.code, d.detail, d.is_late, d.batch FROM destination t
       JOIN delivery d ON d.destination = t.id AND d.message = ?`,
    )
    .all(seq)
    .map((row) => ({
      destination: row.name,
      state: row.state,
      serverId: row.server_id,
      code: row.code,
      detail: row.detail,
      isLate: row.is_late === 1,
      attempts: attempts.all(row.batch),
    }));
}
