import { valueBytesMax } from '../kit/files/app-database.ts';
import type { MessagesDatabase } from './format.ts';
import { isReaction, targetGuid } from './reactions.ts';

/** Queries of the database. Tables and columns that an older version lacks are left out of them. */

/** Tables without which only something is missing. */
export const optionalTables = ['chat_handle_join', 'attachment', 'message_attachment_join'] as const;

const nothing = 'SELECT NULL WHERE 0';

export const handles = (db: MessagesDatabase): string =>
  `SELECT ${db.selected('handle', 'h')} FROM handle h ORDER BY h.ROWID`;

export const chats = (db: MessagesDatabase): string =>
  `SELECT ${db.selected('chat', 'c')} FROM chat c ORDER BY c.ROWID`;

export const members = (db: MessagesDatabase): string =>
  db.has('chat_handle_join', 'handle_id')
    ? 'SELECT chat_id, handle_id FROM chat_handle_join ORDER BY chat_id, handle_id'
    : nothing;

/** Rows that are neither reactions nor votes, once for each chat that they are in. */
export function messages(db: MessagesDatabase): string {
  const tooLarge = ['text', 'attributedBody']
    .filter((column) => db.has('message', column))
    .map((column) => `coalesce(length(CAST(r."${column}" AS BLOB)) > ${valueBytesMax}, 0)`);
  const deleted = db.has('chat_recoverable_message_join', 'message_id');
  return `SELECT ${db.selected('message', 'r')}, j.chat_id AS chat_id, ${tooLarge.join(' OR ') || '0'} AS "isTooLarge",
      ${deleted ? 'd.chat_id' : 'NULL'} AS deleted_chat_id
    FROM message r LEFT JOIN chat_message_join j ON j.message_id = r.ROWID
    ${deleted ? 'LEFT JOIN chat_recoverable_message_join d ON d.message_id = r.ROWID' : ''}
    ${hasReactions(db) ? `WHERE NOT coalesce(${isReaction}, 0)` : ''}
    ORDER BY r.ROWID, j.chat_id`;
}

export const files = (db: MessagesDatabase): string =>
  db.has('attachment') && db.has('message_attachment_join', 'attachment_id')
    ? `SELECT j.message_id AS message, ${db.selected('attachment', 'a')}
       FROM message_attachment_join j JOIN attachment a ON a.ROWID = j.attachment_id ORDER BY j.message_id, a.ROWID`
    : nothing;

/** Reactions and votes, by the message that they are about and in order of time. */
export const reactions = (db: MessagesDatabase): string =>
  hasReactions(db)
    ? `SELECT m.ROWID AS message, ${db.selected('message', 'r')}
       FROM message r JOIN message m ON m.guid = ${targetGuid} WHERE ${isReaction} ORDER BY m.ROWID, r.date, r.ROWID`
    : nothing;

export const lostReactions = (db: MessagesDatabase): string =>
  hasReactions(db)
    ? `SELECT count(*) AS count FROM message r LEFT JOIN message m ON m.guid = ${targetGuid}
       WHERE r.associated_message_type NOT BETWEEN 3000 AND 3999 AND (${isReaction}) AND m.ROWID IS NULL`
    : nothing;

const hasReactions = (db: MessagesDatabase): boolean =>
  db.has('message', 'associated_message_type') && db.has('message', 'associated_message_guid');
