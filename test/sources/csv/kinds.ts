import { type Kinds, inner, replace, shared } from '../../contracts/kinds/kind.ts';

/** A table of messages with the columns of every field, and tables beside it. */
const tableMapping = (more: string, messages = '') => `source:
  messages: { id: id, conversation: room, author: who, time: { from: at, format: unix-s }, text: text${messages} }
${more}`;
const table = (...rows: readonly string[]) => `id,room,who,at,text,files,hearts,re\n${rows.join('\n')}\n`;

export const kinds: Kinds = {
  ownData:
    'Columns of a table are asked about when its reading is proposed: see test/sources/tables/visibility.test.ts',
  unreadContent: 'Cells with a structure are those of JSON: the binding of rows is the same',
  nestedRows: [
    {
      where: 'list in a cell',
      sample: 'several-files',
      edits: [
        replace('messages-2024.csv', 'edited_at\n', 'edited_at,replies\n'),
        replace('messages-2024.csv', 'First,0,,\n', `First,0,,,"[{""text"":""${inner}""}]"\n`),
      ],
    },
  ],
  partialExports: 'A table has rows alone',
  messageNames: 'A mapping says what the author is: a name of each message is bound as the author',
  sameNames: [
    {
      by: 'the column with the id',
      sample: 'several-files',
      edits: [replace('rooms.csv', 'General', shared), replace('rooms.csv', 'Old things', shared)],
    },
  ],
  overlaps: [
    {
      sample: 'several-files',
      changed: 'the text',
      after: [replace('messages-2024.csv', 'Answer,1,,2024-03-01T12:00:00Z', 'Answers,1,,2024-03-01T15:00:00Z')],
    },
    {
      sample: 'two-people',
      changed: 'the text',
      isUndated: true,
      after: [replace('export.csv', 'Ids with a colon', 'Ids with two')],
    },
  ],
  decisions: [
    { sample: 'several-files', asks: { 'missing-column': 1, 'unknown-conversation-type': 1 } },
    { sample: 'damaged-rows', asks: { 'bad-attachments': 1, 'rows-behind-quote': 6 } },
    {
      files: {
        'messages.csv': table(
          '1,r,ann,1700000000,hi,,,',
          '2,r,ben,1700000001,ho,,{no,',
          '3,r,ann,1700000002,ha,,,1.23457E+17',
        ),
        'members.csv': 'room,who\nr,ann\nr,\n1.23457E+17,ann\n',
        'edits.csv': 'mid,at\nz,1700000050\n',
      },
      mapping: tableMapping(
        '  tables: { messages: { file: messages.csv }, members: { file: members.csv }, edits: { file: edits.csv } }\n' +
          '  members: { conversation: room, user: who }\n  edits: { message: mid, time: { from: at, format: unix-s } }\n',
        ', reactions: { list: hearts, emoji: e, users: u }, reply: re',
      ),
      asks: {
        'bad-reactions': 1,
        'shortened-reference': 'note',
        'shortened-id': 'note',
        'child-row-incomplete': 'note',
        'child-row-unused': 'note',
      },
    },
    {
      files: { 'messages.csv': table('1,r,,1700000000,hi,,,', '2,r,,1700000000,,https://a.example.com/1.jpg,,') },
      mapping: tableMapping('').replace(', author: who', ''),
      asks: { 'author-unbound': 1, 'file-not-bound': 1 },
    },
    {
      files: {
        'messages.csv': table(
          ...[4, 3, 2, 2, 1].map((at, index) => `${9 - index},r,ann,170000000${at},hi ${index},,,`),
        ),
      },
      mapping: tableMapping('', ', order: oldest-first'),
      asks: { 'order-contradicted': 5 },
    },
    {
      files: { 'messages.csv': '1,r,ann,1700000000,hi\n2,r,ben,1700000001,ho\n' },
      mapping: `source: { messages: { id: column 1, conversation: column 2, author: column 3, time: { from: column 4, format: unix-s }, text: column 5 } }`,
      asks: { 'no-header': 2 },
    },
    {
      files: { 'messages.csv': table('1,r,ann,1700000000,"she said \\"yes\\", twice",,,', '2,r,ben,1700000001,ho,,,') },
      mapping: tableMapping(''),
      asks: { backslashes: 1 },
    },
    {
      sample: 'two-people',
      edits: [replace('export.csv', 'bob,ann', 'bob,+44 7700 900123 ; +44 7700 900124')],
      asks: { 'several-people': 1 },
    },
    {
      files: {
        'messages.csv': table('1,r,1,1700000000,hi,,,', '2,r,2,1700000001,ho,,,'),
        'people.csv': 'id,mail\n1,ann@harbour.example\n2,ben@harbour.example\n',
      },
      mapping: tableMapping(
        '  tables: { messages: { file: messages.csv }, users: { file: people.csv } }\n  users: { id: id, name: mail }\n',
      ),
      asks: { 'name-from-mail': 2 },
    },
    { sample: 'damaged-rows', asks: { 'encoding-assumed': 6 } },
    {
      files: {
        'messages.csv': table('1,r,1,1700000000,hi,,,'),
        'people.csv': Buffer.from('id,name\n1,Mu\u00f1oz\n', 'latin1'),
      },
      mapping: tableMapping(
        '  tables: { messages: { file: messages.csv }, users: { file: people.csv } }\n  users: { id: id, name: name }\n',
      ),
      asks: { 'encoding-assumed': 1 },
    },
  ],
};
