import type { Database } from 'better-sqlite3';
import { lateStatements, sql, withStatements } from '../base/statements.ts';

interface Difference {
  readonly kind: 'missing' | 'extra' | 'different' | 'duplicated';
  readonly muid: string;
  readonly conversation: number;
  readonly message: number | null;
  readonly detail: string;
}

type Missing = { readonly destination: number; readonly conversation: number; readonly detail: string };
type Field = {
  readonly destination: number;
  readonly conversation: number;
  readonly message: number;
  readonly field: string;
};

const statements = lateStatements({
  add: sql<Difference & { readonly destination: number }>`
    INSERT INTO difference (destination, kind, muid, conversation, message, detail)
    VALUES (@destination, @kind, @muid, @conversation, @message, @detail)`,
  addMissing: sql<Missing>`
    INSERT INTO difference (destination, kind, muid, conversation, message, detail)
    SELECT d.destination, 'missing', coalesce(d.muid, m.muid), a.conversation, a.message, @detail FROM temp.absent a
    JOIN message m ON m.seq = a.message JOIN delivery d ON d.destination = @destination AND d.message = a.message
    WHERE a.conversation = @conversation AND a.found_in IS NULL`,
  appendField: sql<[field: string, destination: number, message: number]>`
    UPDATE difference SET detail = detail || ', ' || ? WHERE destination = ? AND message = ? AND kind = 'different'`,
  addField: sql<Field>`
    INSERT INTO difference (destination, kind, muid, conversation, message, detail)
    SELECT @destination, 'different', coalesce(d.muid, m.muid), @conversation, m.seq, 'differs in ' || @field
    FROM message m LEFT JOIN delivery d ON d.destination = @destination AND d.message = m.seq WHERE m.seq = @message`,
  clear: sql<[destination: number]>`DELETE FROM difference WHERE destination = ?`,
  clearConversation: sql<[destination: number, conversation: number]>`
    DELETE FROM difference WHERE destination = ? AND conversation = ?`,
});

/** Writes the differences that verify found in its last check of a destination. */
export class Differences extends withStatements(statements) {
  readonly #destination: number;

  constructor(db: Database, destination: number) {
    super(db);
    this.#destination = destination;
  }

  clear(): void {
    this.sql.clear.run(this.#destination);
  }

  /** Forgets what was found in one conversation: it is read again. */
  clearConversation(conversation: number): void {
    this.sql.clearConversation.run(this.#destination, conversation);
  }

  add(found: Difference): void {
    this.sql.add.run({ destination: this.#destination, ...found });
  }

  /** One more field in which a message differs. @returns Whether it is the first. */
  addField(message: number, conversation: number, field: string): boolean {
    if (this.sql.appendField.run(field, this.#destination, message).changes > 0) return false;
    this.sql.addField.run({ destination: this.#destination, conversation, message, field });
    return true;
  }

  /** Everything that is still absent of a conversation (`AbsentMessages`). */
  addMissing(conversation: number, detail: string): void {
    this.sql.addMissing.run({ destination: this.#destination, conversation, detail });
  }
}
