import type { Expectation } from '../../tables/schemas/schema-set.ts';

/** An archive with the tables that are read, and rows of our own. */

const [ada, bo, cy] = ['ada@pier.example', 'bo@pier.example', 'cy@far.example'];
const quay = 'quay@conference.pier.example';
const atMs = Date.UTC(2026, 2, 2, 9, 15);

export const openfire = `
  CREATE TABLE ofConversation (conversationID INTEGER PRIMARY KEY, room TEXT, isExternal INTEGER, startDate INTEGER,
    lastActivity INTEGER, messageCount INTEGER);
  CREATE TABLE ofConParticipant (conversationID INTEGER, joinedDate INTEGER, leftDate INTEGER, bareJID TEXT, jidResource TEXT, nickname TEXT);
  CREATE TABLE ofMessageArchive (messageID INTEGER, conversationID INTEGER, fromJID TEXT, fromJIDResource TEXT, toJID TEXT,
    toJIDResource TEXT, sentDate INTEGER, stanza TEXT, body TEXT, isPMforJID TEXT);
  INSERT INTO ofConversation VALUES (1, NULL, 0, ${atMs}, ${atMs}, 3), (2, '${quay}', 0, ${atMs}, ${atMs}, 3), (3, NULL, 0, ${atMs}, ${atMs}, 1);
  INSERT INTO ofConParticipant VALUES (1, ${atMs}, NULL, '${ada}', 'desk', NULL), (1, ${atMs}, NULL, '${bo}', 'phone', NULL),
    (2, ${atMs}, NULL, '${ada}', 'desk', 'Ada of the quay'), (2, ${atMs}, NULL, '${cy}', 'x', 'Cy'), (2, ${atMs}, NULL, '${cy}', 'y', 'Cy');
  INSERT INTO ofMessageArchive VALUES
    (11, 1, '${ada}', 'desk', '${bo}', NULL, ${atMs + 1}, NULL, 'Is the gate open?', NULL),
    (12, 1, '${bo}', 'phone', '${ada}', 'desk', ${atMs + 2}, NULL, 'From six on', NULL),
    (13, 1, '${bo}', 'phone', '${ada}', 'desk', ${atMs + 3}, '<message/>', NULL, NULL),
    (14, 2, '${ada}', 'desk', '${quay}', 'Ada of the quay', ${atMs + 4}, NULL, 'To all', NULL),
    (15, 2, '${cy}', 'x', '${quay}', 'Cy', ${atMs + 5}, NULL, 'To Ada alone', '${ada}'),
    (17, 2, '${cy}', 'x', '${quay}', 'Ada of the quay', ${atMs + 7}, NULL, 'To Ada, from an old version', NULL),
    (18, 2, '${cy}', 'x', '${quay}', 'Cy', ${atMs + 8}, '<message type="chat"><body>type="groupchat"</body></message>', 'type="groupchat"', NULL),
    (19, 2, '${cy}', 'x', '${quay}', 'Cy', ${atMs + 9}, '<message id="1" type=''groupchat''><body>To all, with a stanza</body></message>', 'To all, with a stanza', NULL),
    (16, 3, '${ada}', 'desk', '${bo}', NULL, ${atMs + 6}, NULL, 'After a silence', NULL);`;

const two = `${ada} ${bo}`;
const message = (id: number, author: string, conversation: string, text: string) => ({
  ...{ id: String(id), author, conversation, text, kind: 'message' },
  time: new Date(atMs + id - 10).toISOString(),
});

export const openfireExpected: Expectation = {
  people: [
    { id: ada!, name: 'Ada of the quay' },
    { id: bo!, name: null },
    { id: cy!, name: 'Cy' },
  ],
  conversations: [
    { id: quay, type: 'private', name: quay, members: [ada!, cy!] },
    { id: two, type: 'direct', members: [ada!, bo!] },
  ],
  messages: [
    message(11, ada!, two, 'Is the gate open?'),
    message(12, bo!, two, 'From six on'),
    message(14, ada!, quay, 'To all'),
    message(16, ada!, two, 'After a silence'),
    message(19, cy!, quay, 'To all, with a stanza'),
  ],
  withheld: [{ id: '15' }, { id: '17' }, { id: '18' }],
};
