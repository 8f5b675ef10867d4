import type { Database } from 'better-sqlite3';
import type { VerifyCounts } from '../model/books.ts';

/** What reading back found in one conversation. */
export interface ConversationCheck extends VerifyCounts {
  readonly conversation: number;
}

const counts = 'same, missing, extra, different, duplicated, foreign_to AS "foreign"';

/** Writes down what verify found in a conversation, in place of what an earlier one did. */
export function checkWriter(db: Database, destination: number) {
  const upsert = db.prepare('INSERT OR REPLACE INTO conversation_check VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  return ({ conversation, same, missing, extra, different, duplicated, foreign }: ConversationCheck, nowMs: number) =>
    void upsert.run(destination, conversation, nowMs, same, missing, extra, different, duplicated, foreign);
}

/** Forgets what was found in every conversation: all of them are read again. */
export function clearChecks(db: Database, destination: number): void {
  db.prepare('DELETE FROM conversation_check WHERE destination = ?').run(destination);
}

/** The sum over all conversations of a destination. */
export function sumOfChecks(db: Database, destination: number): VerifyCounts {
  const sum = (name: string, column = name) => `coalesce(sum(${column}), 0) AS "${name}"`;
  const sums = [...['same', 'missing', 'extra', 'different', 'duplicated'].map((name) => sum(name))];
  return db
    .prepare<[number], VerifyCounts>(
      `SELECT ${sums.join(', ')}, ${sum('foreign', 'foreign_to')} FROM conversation_check WHERE destination = ?`,
    )
    .get(destination)!;
}

export interface NamedCheck extends ConversationCheck {
  readonly readAtMs: number;
}

/** All of them in pages of 1,000, by conversation. */
export function checkPages(db: Database, destination: number) {
  const select = db.prepare<[number, number], NamedCheck>(
    `SELECT conversation, read_at AS readAtMs, ${counts} FROM conversation_check
     WHERE destination = ? AND conversation > ? ORDER BY conversation LIMIT 1000`,
  );
  return (after: number): NamedCheck[] => select.all(destination, after);
}

/** Those in which something differs, most first. */
export function differingChecks(db: Database, destination: number, max: number): NamedCheck[] {
  return db
    .prepare<[number, number], NamedCheck>(
      `SELECT conversation, read_at AS readAtMs, ${counts} FROM conversation_check
       WHERE destination = ? AND missing + extra + different + duplicated > 0
       ORDER BY missing + extra + different + duplicated DESC, conversation LIMIT ?`,
    )
    .all(destination, max);
}
