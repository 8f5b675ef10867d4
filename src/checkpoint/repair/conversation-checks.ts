import type { Database } from 'better-sqlite3';
import type { VerifyCounts } from '../../model/books.ts';

/** What reading back found in one conversation. */
export interface ConversationCheck extends VerifyCounts {
  readonly conversation: number;
}

/** Where checks are written down: of whole conversations, for later; of what a filter finds in them, for this connection alone. */
export type CheckScope = 'whole' | 'inside';

const tables = { whole: 'main.conversation_check', inside: 'temp.inside_check' } as const;

/** The table of a scope, made where it is not there yet. */
function tableOf(db: Database, scope: CheckScope): string {
  // Made from it, so that columns and their order are those of the table for whole conversations.
  if (scope === 'inside')
    db.exec(`CREATE TEMP TABLE IF NOT EXISTS inside_check AS SELECT * FROM main.conversation_check WHERE false;
      CREATE UNIQUE INDEX IF NOT EXISTS temp.inside_check_key ON inside_check (destination, conversation)`);
  return tables[scope];
}

const counts = 'same, missing, extra, different, duplicated, foreign_to AS "foreign"';

/** Writes down what verify found in a conversation, in place of what an earlier one did. */
export function checkWriter(db: Database, destination: number, scope: CheckScope) {
  const upsert = db.prepare(`INSERT OR REPLACE INTO ${tableOf(db, scope)} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  return ({ conversation, same, missing, extra, different, duplicated, foreign }: ConversationCheck, nowMs: number) =>
    void upsert.run(destination, conversation, nowMs, same, missing, extra, different, duplicated, foreign);
}

/** Forgets what was found in every conversation: all of them are read again. */
export function clearChecks(db: Database, destination: number, scope: CheckScope): void {
  db.prepare(`DELETE FROM ${tableOf(db, scope)} WHERE destination = ?`).run(destination);
}

/** Forgets what was found in one conversation when it was read whole: something in it is known to differ since. */
export function checkDropper(db: Database, destination: number): (conversation: number) => void {
  const drop = db.prepare('DELETE FROM main.conversation_check WHERE destination = ? AND conversation = ?');
  return (conversation) => void drop.run(destination, conversation);
}

/** The sum over all conversations of a destination. */
export function sumOfChecks(db: Database, destination: number, scope: CheckScope): VerifyCounts {
  const sum = (name: string, column = name) => `coalesce(sum(${column}), 0) AS "${name}"`;
  const sums = [...['same', 'missing', 'extra', 'different', 'duplicated'].map((name) => sum(name))];
  return db
    .prepare<[number], VerifyCounts>(
      `SELECT ${sums.join(', ')}, ${sum('foreign', 'foreign_to')} FROM ${tableOf(db, scope)} WHERE destination = ?`,
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
export function differingChecks(db: Database, destination: number, scope: CheckScope, max: number): NamedCheck[] {
  return db
    .prepare<[number, number], NamedCheck>(
      `SELECT conversation, read_at AS readAtMs, ${counts} FROM ${tableOf(db, scope)}
       WHERE destination = ? AND missing + extra + different + duplicated > 0
       ORDER BY missing + extra + different + duplicated DESC, conversation LIMIT ?`,
    )
    .all(destination, max);
}
