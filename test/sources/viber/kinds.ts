import { type Kinds, runSql, shared } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: 'Messages have no fields for data of an app, and none is for some of a conversation alone',
  unreadContent: 'A row without a text is of a type that is known, or invalid for its type',
  nestedRows: 'A row of an event holds no other row: the quoted text is that of a message with a row of its own',
  partialExports: 'The database says nothing of what was deleted from it, or is only on the phone',
  messageNames: 'Events have the number of a contact; no message has a name',
  sameNames: [
    {
      by: 'the token of the chat',
      sample: 'desktop',
      edits: [runSql('viber.db', `UPDATE ChatInfo SET Name = '${shared}' WHERE ChatID IN (1, 4)`)],
    },
  ],
  overlaps: [
    {
      sample: 'desktop',
      changed: 'the text',
      after: [
        runSql(
          'viber.db',
          `UPDATE Messages SET Body = 'At another time', Info = '{"desktop_info":{"edit_token":9}}' WHERE EventID = 25;
             INSERT INTO Events (EventID, TimeStamp, Direction, Type, ChatID, ContactID, Token) VALUES (90, 1772442900000, 1, 0, 3, 1, 9);
             INSERT INTO Messages (EventID, Type, Body, Info) VALUES (90, 1, 'At another time', '{"edit":{"token":6200000000000000024}}')`,
        ),
      ],
    },
    {
      sample: 'desktop',
      changed: 'a reaction',
      after: [
        runSql(
          'viber.db',
          `INSERT INTO Events (EventID, TimeStamp, Direction, Type, ChatID, ContactID, Token) VALUES (91, 1772442900000, 0, 3, 1, 3, 91);
             INSERT INTO Messages (EventID, Type, PGIsLiked) VALUES (91, 0, 5);
             INSERT INTO LikeRelation VALUES (6200000000000000002, 91)`,
        ),
      ],
    },
  ],
  decisions: [{ sample: 'damaged-rows', asks: { 'viber-own-contact': 2 } }],
};
