import type { Database } from 'better-sqlite3';
import { hasMessageIndex } from '../base/message-indexes.ts';

interface OrderKey {
  readonly sent_at: number;
  readonly sort_key: string;
  readonly seq: number;
}

/** Order key of the last message of a conversation that a destination has, whether or not it would be sent today. */
export function deliveredUpToReader(db: Database, destination: number) {
  const last = (verdicts: string) =>
    db.prepare<[number, number], OrderKey>(
      `SELECT m.sent_at, m.sort_key, m.seq FROM message m CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
       WHERE m.conversation = ? AND m.verdict ${verdicts} AND d.state IN ('imported', 'present')
       ORDER BY m.sent_at DESC, m.sort_key DESC, m.seq DESC LIMIT 1`,
    );
  const selects = [last(`= 'planned'`)];
  // What was sent and is left out by now. Before files were read again there is none.
  if (hasMessageIndex(db, 'message_unplanned')) selects.push(last(`IN ('skipped', 'rejected')`));
  return (conversation: number): [number, string, number] | undefined => {
    const [first, ...others] = selects.flatMap((select) => select.get(destination, conversation) ?? []);
    const row = others.reduce((later, other) => (later && isBefore(later, other) ? other : later), first);
    return row && [row.sent_at, row.sort_key, row.seq];
  };
}

const isBefore = (a: OrderKey, b: OrderKey): boolean =>
  a.sent_at !== b.sent_at ? a.sent_at < b.sent_at : a.sort_key !== b.sort_key ? a.sort_key < b.sort_key : a.seq < b.seq;
