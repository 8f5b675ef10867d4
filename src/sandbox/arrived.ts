import { openDatabase } from '../lib/sqlite.ts';

/** A message as it stands in a sandbox. */
export interface ArrivedMessage {
  readonly conversation: string;
  readonly sender: string;
  readonly sentAtSeconds: number;
  readonly text: string;
}

/**
 * What a sandbox has stored, in the order of arrival, copies included: read from its data file, which outlives the process
 * whatever became of that. An import never deletes anything.
 *
 * @param path of the data file; the sandbox may still be serving it. One that was never begun holds nothing.
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
