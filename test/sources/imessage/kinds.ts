import { type Kinds, runSql, shared, unsent } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: 'No app writes data into messages, and none is for some of a conversation alone',
  unreadContent: 'A row without a text is of an app, which its text then names, or invalid for its kind',
  nestedRows: 'A row of a message holds no other row: earlier versions of its text are counted',
  partialExports: 'The database says nothing of what was deleted from it, or is only in iCloud',
  messageNames: 'People have addresses; no message has a name',
  sameNames: [
    {
      by: 'the id of the chat',
      sample: 'mac',
      edits: [runSql('chat.db', `UPDATE chat SET display_name = '${shared}' WHERE style = 43`)],
    },
  ],
  overlaps: [
    {
      sample: 'mac',
      changed: 'the text',
      after: [
        runSql(
          'chat.db',
          "UPDATE message SET text = 'At another time', date_edited = 794134900000000000 WHERE ROWID = 10",
        ),
      ],
    },
    {
      sample: 'mac',
      changed: 'a reaction',
      after: [
        runSql(
          'chat.db',
          `INSERT INTO message (guid, date, handle_id, associated_message_type, associated_message_guid)
             SELECT 'R', 794134900000000000, 4, 2001, 'p:0/' || guid FROM message WHERE ROWID = 10`,
        ),
      ],
    },
    {
      sample: 'mac',
      changed: 'a deletion',
      after: [
        runSql(
          'chat.db',
          `DELETE FROM chat_message_join WHERE message_id = 10;
             INSERT INTO chat_recoverable_message_join VALUES (4, 10, 794134900000000000)`,
        ),
      ],
    },
  ],
  decisions: [
    {
      sample: 'mac',
      asks: {
        'imessage-same-number': 5,
        'imessage-same-members': 13,
        'imessage-spam': 1,
        'imessage-not-sent': 2,
      },
    },
  ],
  notSent: [
    {
      sample: 'mac',
      edits: [
        runSql(
          'chat.db',
          `UPDATE message SET is_sent = 0, text = '${unsent}' WHERE text = 'In two chats of one person'`,
        ),
      ],
    },
  ],
};
