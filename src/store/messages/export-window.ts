import type { Database } from 'better-sqlite3';

/** Mark of a row that its file no longer holds because it is older than the window of the export; it stays as it is. */
const outsideWindow = 2;

/**
 * For an export of the last days or weeks: rows that were not met and are older than the oldest row of their conversation
 * that was, have only left the window. Nothing is known of a conversation of which nothing was met.
 */
export function keepOutsideWindow(db: Database): void {
  collectWindow(db);
  db.exec(`UPDATE message SET stale = ${outsideWindow} WHERE stale = 1 AND vanished = 0 AND NOT EXISTS (
    SELECT 1 FROM source_file f JOIN temp.export_window w ON w.input = f.input AND w.conversation = message.conversation
    WHERE f.id = message.file AND w.first_at <= message.sent_at)`);
}

/** When the window of each conversation begins, for the inputs that have rows to decide about: one pass over all messages. */
function collectWindow(db: Database): void {
  db.exec(`DROP TABLE IF EXISTS temp.export_window;
    CREATE TEMP TABLE export_window (
      input INTEGER, conversation INTEGER, first_at INTEGER, PRIMARY KEY (input, conversation)) WITHOUT ROWID`);
  if (db.prepare('SELECT 1 FROM message WHERE stale = 1 LIMIT 1').get() === undefined) return;
  db.exec(`INSERT INTO temp.export_window
    SELECT f.input, m.conversation, min(m.sent_at) FROM message m JOIN source_file f ON f.id = m.file
    WHERE m.stale = 0 AND m.vanished = 0 AND m.follows IS NULL AND f.role <> 'gone'
      AND m.conversation IS NOT NULL AND m.sent_at IS NOT NULL
      AND f.input IN (SELECT g.input FROM message s JOIN source_file g ON g.id = s.file WHERE s.stale = 1)
    GROUP BY f.input, m.conversation`);
}
