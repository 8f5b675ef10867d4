import { openDatabase } from '../lib/sqlite.ts';

/** A message as stored in a sandbox. */
export interface ArrivedMessage {
  readonly conversation: string;
  readonly sender: string;
  readonly sentAtSeconds: number;
  readonly text: string;
}

/**
 * Reads the messages that a sandbox has stored, in the order of arrival, copies included. They are in its data file,
 * which outlives the process however that ended. An import never deletes anything.
 *
 * @param path of the data file; the sandbox may still be serving it. A file that was never begun holds nothing.
 * @throws StoreError if it is no database.
 */
export function readArrived(path: string): ArrivedMessage[] {
  const db = openDatabase(path);
  try {
    if (db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'message'`).get() === undefined) return [];
    return db
      .prepare<[], ArrivedMessage>(
        `SELECT c.name AS conversation, m.sender, m.sent_at AS sentAtSeconds, m.data ->> '$.text' AS text
         FROM message m JOIN conversation c ON c.id = m.conversation ORDER BY m.id`,
      )
      .all();
  } finally {
    db.close();
  }
}
