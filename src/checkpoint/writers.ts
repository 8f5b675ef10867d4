import type { Database } from 'better-sqlite3';

/** How many people's messages a destination has in a conversation, as far as the store knows. */
export function writersReader(db: Database, destination: number): (conversation: number) => number {
  const select = db
    .prepare<[number, number], number>(
      `SELECT count(DISTINCT m.sender) FROM message m JOIN delivery d ON d.destination = ? AND d.message = m.seq
       WHERE m.conversation = ? AND m.verdict = 'planned' AND d.state = 'imported'`,
    )
    .pluck();
  return (conversation) => select.get(destination, conversation)!;
}
