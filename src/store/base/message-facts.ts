import type { Database } from 'better-sqlite3';
import { column, type RowOf, selectList } from './columns.ts';

const columns = {
  conversation: column<number | null>('conversation'),
  sender: column<number | null>('sender'),
  sentAt: column<number | null>('sent_at'),
  verdict: column<'planned' | 'skipped' | 'invalid' | 'duplicate'>('verdict'),
  reason: column<string | null>('reason'),
  /** JSON. */
  facts: column<string | null>('facts'),
  seq: column<number>('seq'),
  /** State of the delivery, or null if nothing was tried. */
  state: column<string | null>('state'),
  code: column<string | null>('code'),
  isLate: column<number | null>('is_late'),
  /** Size of the staged payload; without ids and details, which add some 150 bytes a message. */
  bytes: column<number | null>('bytes'),
};

/** Facts of one message that a report counts; read in one pass over all messages, without their payloads. */
export type MessageFacts = RowOf<typeof columns>;

/** If a destination is not in the store yet, or none is named, the totals are those of a store that has sent nothing. */
export const known = (destination: string) => `(SELECT id FROM destination WHERE id = ${destination})`;

/** Calls back for every row, in reading order: one pass, one object at a time. */
export function eachMessage(db: Database, destination: number | null, visit: (facts: MessageFacts) => void): void {
  const rows = db.prepare<[number | null], MessageFacts>(
    `SELECT ${selectList(columns)} FROM message_at_destination WHERE destination IS ${known('?')}`,
  );
  for (const facts of rows.iterate(destination)) visit(facts);
}

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
