import type { Database } from 'better-sqlite3';

/**
 * How many people's messages a destination has in a conversation, as far as the store knows.
 *
 * Writers of what is there and not planned any more (after a narrower filter, say) are found by no index: they are
 * collected once, in a temporary table.
 */
export function writersReader(db: Database, destination: number): (conversation: number) => number {
  db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS unplanned_writer (conversation INTEGER, sender INTEGER, PRIMARY KEY (conversation, sender)) WITHOUT ROWID;
    DELETE FROM temp.unplanned_writer`);
  db.prepare(
    `INSERT OR IGNORE INTO temp.unplanned_writer SELECT m.conversation, m.sender FROM delivery d JOIN message m ON m.seq = d.message
     WHERE d.destination = ? AND d.state = 'imported' AND m.verdict NOT IN ('planned', 'repeated')`,
  ).run(destination);
  const select = db
    .prepare<{ destination: number; conversation: number }, number>(
      `SELECT count(*) FROM (
         SELECT m.sender FROM message m JOIN delivery d ON d.destination = @destination AND d.message = m.seq
         WHERE m.conversation = @conversation AND m.verdict = 'planned' AND d.state = 'imported'
         UNION SELECT sender FROM temp.unplanned_writer WHERE conversation = @conversation)`,
    )
    .pluck();
  return (conversation) => select.get({ destination, conversation })!;
}
