import type { Database } from 'better-sqlite3';

/** Built after a bulk load: appending without them is two to three times as fast. */
const indexes: Readonly<Record<string, string>> = {
  message_muid: 'ON message (muid)',
  message_order: "ON message (conversation, sent_at, sort_key, seq) WHERE verdict = 'planned'",
};
/** Only for reading files again. */
const mergeIndexes: Readonly<Record<string, string>> = {
  message_file: 'ON message (file)',
  message_follows: 'ON message (follows) WHERE follows IS NOT NULL',
  message_stale: 'ON message (seq) WHERE stale = 1',
  message_unplanned: `ON message (conversation, sent_at, sort_key, seq) WHERE verdict IN ('skipped', 'invalid')`,
  message_vanished: 'ON message (seq) WHERE vanished = 1',
  source_file_path: 'ON source_file (input, path)',
};

/** Makes the indexes of `message` that are missing: after a bulk load, or after one that was interrupted. */
export function createMessageIndexes(db: Database): void {
  for (const [name, definition] of Object.entries(indexes)) db.exec(`CREATE INDEX IF NOT EXISTS ${name} ${definition}`);
}

/** Whether an index is there: while a first plan reads, and after one that was killed, it is not. */
export function hasMessageIndex(
  db: Database,
  name: 'message_muid' | 'message_order' | 'message_follows' | 'message_vanished',
): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?`).get(name) !== undefined;
}

/** @param only That one of them: each is a pass over all messages. */
export function createMergeIndexes(db: Database, only?: 'message_unplanned'): void {
  createMessageIndexes(db);
  for (const [name, definition] of Object.entries(mergeIndexes))
    if (only === undefined || name === only) db.exec(`CREATE INDEX IF NOT EXISTS ${name} ${definition}`);
}

export function dropMessageIndexes(db: Database): void {
  for (const name of Object.keys({ ...indexes, ...mergeIndexes })) db.exec(`DROP INDEX IF EXISTS ${name}`);
}
