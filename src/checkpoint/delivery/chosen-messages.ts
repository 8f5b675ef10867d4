import type { Database } from 'better-sqlite3';

/** For a query in which `m` is the message: only those that were chosen. */
export const amongChosen = ' AND m.seq IN (SELECT message FROM temp.chosen)';

/**
 * Names the messages that a run may send, by `seq`; those of an earlier call are forgotten. A temporary table of this
 * connection, so memory stays flat whatever their number.
 */
export function chooseMessages(db: Database, messages: Iterable<number>): void {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS chosen (message INTEGER PRIMARY KEY); DELETE FROM temp.chosen');
  const insert = db.prepare('INSERT OR IGNORE INTO temp.chosen VALUES (?)');
  db.transaction(() => {
    for (const message of messages) insert.run(message);
  })();
}
