import type { Database } from 'better-sqlite3';

/** What a report counts of one message; in one pass over all of them, without their payloads. */
export interface MessageFacts {
  readonly conversation: number | null;
  readonly sender: number | null;
  readonly sentAt: number | null;
  readonly verdict: string;
  readonly reason: string | null;
  /** JSON. */
  readonly facts: string | null;
  readonly seq: number;
  /** State of the delivery, or null where nothing was tried. */
  readonly state: string | null;
  readonly code: string | null;
  readonly isLate: number | null;
}

type Row = [number | null, number | null, number | null, string, string | null, string | null, number, string | null, string | null, number | null];

/** Every row except repeated ones, in reading order. */
export function* messageFacts(db: Database, destination: number | null): Generator<MessageFacts> {
  const rows = db
    .prepare(
      `SELECT m.conversation, m.sender, m.sent_at, m.verdict, m.reason, m.facts, m.seq, d.state, d.code, d.is_late
       FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq WHERE m.verdict <> 'repeated'`,
    )
    .raw();
  for (const row of rows.iterate(destination) as IterableIterator<Row>) {
    const [conversation, sender, sentAt, verdict, reason, facts, seq, state, code, isLate] = row;
    yield { conversation, sender, sentAt, verdict, reason, facts, seq, state, code, isLate };
  }
}

/** Where a message stands in the export, and the words that belong to its verdict or its refusal. */
export function messagePlace(db: Database, destination: number | null) {
  const select = db.prepare<[number | null, number], { path: string; place: string; detail: string | null }>(
    `SELECT f.path, m.place, coalesce(d.detail, m.detail) AS detail FROM message m JOIN source_file f ON f.id = m.file
     LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq WHERE m.seq = ?`,
  );
  return (seq: number) => {
    const { path, place, detail } = select.get(destination, seq)!;
    return { location: printPlace(path, place), detail: detail ?? '' };
  };
}

/** `path:line`, `path#/pointer`, or the path alone. */
export function printPlace(path: string, place: string): string {
  if (place === '') return path;
  return place.startsWith('/') ? `${path}#${place}` : `${path}:${place}`;
}

/** Replies whose thread root the export does not have. */
export function countOrphanReplies(db: Database): { read: number; planned: number } {
  return db
    .prepare<[], { read: number; planned: number }>(
      `SELECT count(*) AS read, coalesce(sum(r.verdict = 'planned'), 0) AS planned FROM message r
       WHERE r.root_muid IS NOT NULL AND r.verdict <> 'repeated' AND NOT EXISTS (SELECT 1 FROM message p WHERE p.muid = r.root_muid)`,
    )
    .get()!;
}
