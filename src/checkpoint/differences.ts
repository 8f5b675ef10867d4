import type { Database } from 'better-sqlite3';

export interface Difference {
  readonly kind: 'missing' | 'extra' | 'different' | 'duplicated';
  readonly muid: string;
  readonly conversation: number;
  readonly message: number | null;
  readonly detail: string;
}

/** What verify found, of its last look at a destination. */
export function differenceWriter(db: Database, destination: number) {
  const insert = db.prepare(
    'INSERT INTO difference (destination, kind, muid, conversation, message, detail) VALUES (?, ?, ?, ?, ?, ?)',
  );
  return {
    clear(): void {
      db.prepare('DELETE FROM difference WHERE destination = ?').run(destination);
    },
    add(found: Difference): void {
      insert.run(destination, found.kind, found.muid, found.conversation, found.message, found.detail);
    },
  };
}

/** Which messages of a conversation were met while it was read back: a temporary table, so memory stays flat. */
export function seenMessages(db: Database, destination: number) {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS seen (message INTEGER PRIMARY KEY)');
  const insert = db.prepare('INSERT OR IGNORE INTO temp.seen VALUES (?)');
  const missing = db.prepare<[number, number], { seq: number; muid: string }>(
    `SELECT m.seq, m.muid FROM message m JOIN delivery d ON d.destination = ? AND d.message = m.seq
     WHERE m.conversation = ? AND d.state IN ('imported', 'present') AND m.seq NOT IN (SELECT message FROM temp.seen)`,
  );
  return {
    clear(): void {
      db.exec('DELETE FROM temp.seen');
    },
    /** False if it was met before. */
    add: (message: number): boolean => insert.run(message).changes === 1,
    missingOf: (conversation: number) => missing.all(destination, conversation),
  };
}
