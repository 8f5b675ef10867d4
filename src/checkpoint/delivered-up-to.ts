import type { Database } from 'better-sqlite3';

/** Order key of the last message of a conversation that a destination has. */
export function deliveredUpToReader(db: Database, destination: number) {
  const select = db.prepare<[number, number], { sent_at: number; sort_key: string; seq: number }>(
    `SELECT m.sent_at, m.sort_key, m.seq FROM message m JOIN delivery d ON d.destination = ? AND d.message = m.seq
     WHERE m.conversation = ? AND m.verdict = 'planned' AND d.state IN ('imported', 'present')
     ORDER BY m.sent_at DESC, m.sort_key DESC, m.seq DESC LIMIT 1`,
  );
  return (conversation: number): [number, string, number] | undefined => {
    const row = select.get(destination, conversation);
    return row && [row.sent_at, row.sort_key, row.seq];
  };
}
