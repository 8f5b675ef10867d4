import type { Database } from 'better-sqlite3';

/** Facts of one message that a report counts; read in one pass over all messages, without their payloads. */
export interface MessageFacts {
  readonly conversation: number | null;
  readonly sender: number | null;
  readonly sentAt: number | null;
  readonly verdict: 'planned' | 'skipped' | 'invalid' | 'duplicate';
  readonly reason: string | null;
  /** JSON. */
  readonly facts: string | null;
  readonly seq: number;
  /** State of the delivery, or null if nothing was tried. */
  readonly state: string | null;
  readonly code: string | null;
  readonly isLate: number | null;
  /** Size of the staged payload; without ids and details, which add some 150 bytes a message. */
  readonly bytes: number | null;
}

/** If a destination is not in the store yet, or none is named, the totals are those of a store that has sent nothing. */
export const known = (destination: string) => `(SELECT id FROM destination WHERE id = ${destination})`;

/** Calls back for every row, in reading order: one pass, one object at a time. */
export function eachMessage(db: Database, destination: number | null, visit: (facts: MessageFacts) => void): void {
  // Lists of values: better-sqlite3 takes twice as long to make objects.
  const rows = db
    .prepare<[number | null], MessageValues>(
      `SELECT conversation, sender, sent_at, verdict, reason, facts, seq, state, code, is_late, bytes
       FROM message_at_destination WHERE destination IS ${known('?')}`,
    )
    .raw();
  for (const values of rows.iterate(destination)) {
    const [conversation, sender, sentAt, verdict, reason, facts, seq, state, code, isLate, bytes] = values;
    visit({ conversation, sender, sentAt, verdict, reason, facts, seq, state, code, isLate, bytes });
  }
}

type MessageValues = readonly [
  conversation: MessageFacts['conversation'],
  sender: MessageFacts['sender'],
  sentAt: MessageFacts['sentAt'],
  verdict: MessageFacts['verdict'],
  reason: MessageFacts['reason'],
  facts: MessageFacts['facts'],
  seq: MessageFacts['seq'],
  state: MessageFacts['state'],
  code: MessageFacts['code'],
  isLate: MessageFacts['isLate'],
  bytes: MessageFacts['bytes'],
];

/** Returns the location of a message in the export, and the text of its verdict or failure. */
export function messagePlace(db: Database, destination: number | null) {
  const select = db.prepare<[number | null, number], { path: string; place: string; detail: string | null }>(
    `SELECT f.path, m.place, m.detail FROM message_at_destination m JOIN source_file f ON f.id = m.file
     WHERE m.destination IS ${known('?')} AND m.seq = ?`,
  );
  return (seq: number) => {
    const { path, place, detail } = select.get(destination, seq)!;
    return { location: printPlace(path, place), detail: detail ?? '' };
  };
}

/** `path:line`, `path#/pointer`, `path:line#/pointer`, or the path alone. */
export function printPlace(path: string, place: string): string {
  if (place === '') return path;
  return place.startsWith('/') ? `${path}#${place}` : `${path}:${place}`;
}
