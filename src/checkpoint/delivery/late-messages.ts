import type { Database } from 'better-sqlite3';

/** Ids in the export of the messages that were sent behind one that should follow them, at any destination. */
export const lateMessages = (db: Database): string[] =>
  db
    .prepare<[], string>(
      `SELECT m.origin_id FROM delivery d JOIN message m ON m.seq = d.message WHERE d.is_late = 1 AND m.origin_id IS NOT NULL`,
    )
    .pluck()
    .all();
