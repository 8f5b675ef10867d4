import type { Database } from 'better-sqlite3';

/** Messages that were met while conversations are read, several at once: a temporary table, so memory stays flat. */
export function metMessages(db: Database, destination: number) {
  db.exec('DROP TABLE IF EXISTS temp.met');
  db.exec(
    'CREATE TEMP TABLE met (conversation INTEGER, message INTEGER, PRIMARY KEY (conversation, message)) WITHOUT ROWID',
  );
  const insert = db.prepare('INSERT OR IGNORE INTO temp.met VALUES (?, ?)');
  const find = db.prepare('SELECT 1 FROM temp.met WHERE conversation = ? AND message = ?');
  const count = db.prepare<[number], number>('SELECT count(*) FROM temp.met WHERE conversation = ?').pluck();
  const clear = db.prepare('DELETE FROM temp.met WHERE conversation = ?');
  const generation = db
    .prepare<[number, number], number>(
      `SELECT coalesce(max(d.generation), 1) FROM temp.met t
       JOIN delivery d ON d.destination = ? AND d.message = t.message WHERE t.conversation = ?`,
    )
    .pluck();
  return {
    clear: (conversation: number): void => void clear.run(conversation),
    /** False if it was met before. */
    add: (conversation: number, message: number): boolean => insert.run(conversation, message).changes === 1,
    has: (conversation: number, message: number): boolean => find.get(conversation, message) !== undefined,
    countOf: (conversation: number): number => count.get(conversation)!,
    /** The latest generation among those met. */
    generationOf: (conversation: number): number => generation.get(destination, conversation)!,
  };
}
