import type { Database } from 'better-sqlite3';
import { inPages } from '../base/pages.ts';
import type { VerifyCounts } from '../../model/totals.ts';

/** Result of reading back one conversation. */
export interface ConversationCheck extends VerifyCounts {
  readonly conversation: number;
}

/**
 * Scope of checks: checks of whole conversations are stored for later; checks of what a filter finds in them are kept
 * for this connection only.
 */
export type CheckScope = 'whole' | 'inside';

const tables = { whole: 'main.conversation_check', inside: 'temp.inside_check' } as const;

/** Returns the table of a scope, and creates it if it is missing. */
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

/** All of them, by conversation. */
export function allChecks(db: Database, destination: number): Iterable<NamedCheck> {
  const select = db.prepare<[number, number], NamedCheck>(
    `SELECT conversation, read_at AS readAtMs, ${counts} FROM conversation_check
     WHERE destination = ? AND conversation > ? ORDER BY conversation LIMIT 1000`,
  );
  return inPages('conversation', (after) => select.all(destination, after));
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

export interface Difference {
  readonly kind: 'missing' | 'extra' | 'different' | 'duplicated';
  readonly muid: string;
  readonly conversation: number;
  readonly message: number | null;
  readonly detail: string;
}

/** Writes the differences that verify found in its last check of a destination. */
export function differenceWriter(db: Database, destination: number) {
  const insert = db.prepare(
    'INSERT INTO difference (destination, kind, muid, conversation, message, detail) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertMissing = db.prepare(
    `INSERT INTO difference (destination, kind, muid, conversation, message, detail)
     SELECT d.destination, 'missing', coalesce(d.muid, m.muid), a.conversation, a.message, @detail FROM temp.absent a
     JOIN message m ON m.seq = a.message JOIN delivery d ON d.destination = @destination AND d.message = a.message
     WHERE a.conversation = @conversation AND a.found_in IS NULL`,
  );
  const addField = db.prepare(
    `UPDATE difference SET detail = detail || ', ' || ? WHERE destination = ? AND message = ? AND kind = 'different'`,
  );
  const insertField = db.prepare(
    `INSERT INTO difference (destination, kind, muid, conversation, message, detail)
     SELECT @destination, 'different', coalesce(d.muid, m.muid), @conversation, m.seq, 'differs in ' || @field
     FROM message m LEFT JOIN delivery d ON d.destination = @destination AND d.message = m.seq WHERE m.seq = @message`,
  );
  const clearConversation = db.prepare('DELETE FROM difference WHERE destination = ? AND conversation = ?');
  return {
    clear(): void {
      db.prepare('DELETE FROM difference WHERE destination = ?').run(destination);
    },
    /** Forgets what was found in one conversation: it is read again. */
    clearConversation(conversation: number): void {
      clearConversation.run(destination, conversation);
    },
    add(found: Difference): void {
      insert.run(destination, found.kind, found.muid, found.conversation, found.message, found.detail);
    },
    /** One more field in which a message differs. @returns Whether it is the first. */
    addField(message: number, conversation: number, field: string): boolean {
      if (addField.run(field, destination, message).changes > 0) return false;
      insertField.run({ destination, conversation, message, field });
      return true;
    },
    /** Everything that is still absent of a conversation (`absentMessages`). */
    addMissing(conversation: number, detail: string): void {
      insertMissing.run({ destination, detail, conversation });
    },
  };
}

export interface DifferenceRow extends Pick<Difference, 'kind' | 'muid' | 'detail'> {
  /** Id of the conversation at the source. */
  readonly sourceId: string | null;
  readonly name: string | null;
  readonly path: string | null;
  readonly place: string | null;
}

/** All differences of the last look at a destination, in the order in which they were found. */
export function differencesOf(db: Database, destination: number): Iterable<DifferenceRow> {
  const select = db.prepare<[number, number], DifferenceRow & { readonly id: number }>(
    `SELECT d.rowid AS id, d.kind, d.muid, d.detail, c.source_id AS sourceId, c.name, f.path, m.place FROM difference d
     LEFT JOIN conversation c ON c.id = d.conversation
     LEFT JOIN message m ON m.seq = d.message LEFT JOIN source_file f ON f.id = m.file
     WHERE d.destination = ? AND d.rowid > ? ORDER BY d.rowid LIMIT 1000`,
  );
  return inPages('id', (after) => select.all(destination, after));
}
