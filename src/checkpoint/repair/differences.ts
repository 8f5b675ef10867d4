import type { Database } from 'better-sqlite3';

export interface Difference {
  readonly kind: 'missing' | 'extra' | 'different' | 'duplicated';
  readonly muid: string;
  readonly conversation: number;
  readonly message: number | null;
  readonly detail: string;
}

/** What verify found in its last look at a destination. */
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
  return {
    clear(): void {
      db.prepare('DELETE FROM difference WHERE destination = ?').run(destination);
    },
    /** Forgets what was found in one conversation: it is read again. */
    clearConversation(conversation: number): void {
      db.prepare('DELETE FROM difference WHERE destination = ? AND conversation = ?').run(destination, conversation);
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

export interface DifferenceRow {
  readonly id: number;
  readonly kind: string;
  readonly muid: string;
  readonly conversation: string | null;
  readonly detail: string;
  readonly path: string | null;
  readonly place: string | null;
}

/** All differences of the last look at a destination, in pages of 1,000, by id. */
export function differencePages(db: Database, destination: number) {
  const select = db.prepare<[number, number], DifferenceRow>(
    `SELECT d.rowid AS id, d.kind, d.muid, c.source_id AS conversation, d.detail, f.path, m.place FROM difference d
     LEFT JOIN conversation c ON c.id = d.conversation
     LEFT JOIN message m ON m.seq = d.message LEFT JOIN source_file f ON f.id = m.file
     WHERE d.destination = ? AND d.rowid > ? ORDER BY d.rowid LIMIT 1000`,
  );
  return (after: number): DifferenceRow[] => select.all(destination, after);
}
