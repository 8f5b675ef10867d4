import type { Database } from 'better-sqlite3';
import { type ConversationRow, conversationRowsReader } from '../staging/conversation-rows.ts';
import type { UndoState } from './undo-calls.ts';

export interface UndoNews {
  readonly sentAtMs?: number;
  readonly reason?: string;
  readonly detail?: string;
}

/** Writes down how far a call of an undo has come; on disk when it returns. */
export function undoCallWriter(db: Database) {
  const update = db.prepare(
    'UPDATE undo_call SET state = ?, sent_at = coalesce(?, sent_at), reason = ?, detail = ? WHERE id = ?',
  );
  return (id: number, state: UndoState, { sentAtMs, reason, detail }: UndoNews = {}): void => {
    update.run(state, sentAtMs ?? null, reason ?? null, detail ?? null, id);
  };
}

/**
 * After a conversation was taken back: what was imported there is pending again, with the muid of its next generation. May
 * be repeated where it was interrupted.
 */
export function conversationPutter(
  db: Database,
  destination: number,
  renewedMuid: (row: ConversationRow) => string,
): (conversation: number) => void {
  const rowsOf = conversationRowsReader(db, destination);
  const update = db.prepare(
    `UPDATE delivery SET state = 'pending', generation = generation + 1, muid = ?, server_id = NULL, code = NULL, detail = NULL,
       payload = NULL, is_late = 0 WHERE destination = ? AND message = ?`,
  );
  // What a follow-up says stands in the message itself when that is sent once more.
  const drop = db.prepare('DELETE FROM delivery WHERE destination = ? AND message = ?');
  const putBack = db.transaction((rows: readonly ConversationRow[]) => {
    for (const row of rows) {
      if (row.follows !== null) drop.run(destination, row.seq);
      else if (row.state === 'imported') update.run(renewedMuid(row), destination, row.seq);
    }
  });
  return (conversation) => {
    for (const page of rowsOf(conversation)) putBack(page);
  };
}

/** A conversation is to a destination what it was before the first import. */
export function forgetConversation(db: Database, destination: number, conversation: number): void {
  // A conversation between two that was one there may become a group now.
  db.prepare(
    `UPDATE delivery SET state = 'pending', code = NULL, detail = NULL WHERE destination = ? AND code = 'late_outsider'
       AND message IN (SELECT seq FROM message WHERE conversation = ? AND verdict = 'planned')`,
  ).run(destination, conversation);
  db.prepare('DELETE FROM conversation_delivery WHERE destination = ? AND conversation = ?').run(
    destination,
    conversation,
  );
}

/** A person's details travel again with the next message. */
export function forgetPerson(db: Database, destination: number, person: number): void {
  db.prepare('DELETE FROM person_delivery WHERE destination = ? AND person = ?').run(destination, person);
}
