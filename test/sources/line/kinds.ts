import { type Kinds, replace, shared } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: 'Messages have no fields for data of an app, and none is for some of a conversation alone',
  unreadContent: 'A line of a chat is text: there is no structure that it could be without',
  nestedRows: 'A chat is a text with a message on each line: nothing can be inside of one',
  partialExports: 'A chat is a text without a count or an end; that an app leaves out what is old is not in it',
  messageNames: 'People have names and no ids',
  sameNames: [
    {
      by: 'the path of the file',
      sample: 'damaged-lines',
      asks: 'line-same-name',
      edits: [
        replace('[LINE]chat-1.txt', 'with Ann Kai', `with ${shared}`),
        replace('[LINE]chat-2.txt', 'with Pier', `with ${shared}`),
      ],
    },
  ],
  overlaps: 'A message has no id but its time, author and text: a changed one is another message',
  decisions: [
    {
      files: {
        '[LINE]Ann.txt':
          '[LINE] Chat history with Ann\nSaved on: 2026/03/02, 08:00\n\n2026/03/01(Sun)\n10:00\tAnn\tHi\n09:00\tBo\tOld\n10:05\tAnn\tBye\n',
      },
      asks: { 'line-pasted': 'note' },
    },
    { sample: 'damaged-lines', asks: { 'line-open-quote': 'note' } },
    {
      files: {
        'harbour.txt':
          '2026.03.01 日曜日\n10:00 Ann Kai Hello\n10:01 Ben Good morning\n10:02 Ann Kai See you\n10:03 Ann ออกจากกลุ่ม\n',
      },
      asks: { 'line-names': 3, 'line-app-or-person': 1 },
    },
    {
      files: {
        '[LINE]Ann.txt':
          '[LINE] Chat history with Ann\nSaved on: 11/04/2025, 08:00\n\nlun, 11/03/2025\n8:15AM\tAnn\tHi\n',
      },
      asks: { 'line-date-order': 1 },
    },
  ],
  pastedLines: {
    asks: ['line-pasted'],
    files: /\.txt$/,
    headings: /^\d{4}[/.]|^[A-Z][a-z]{2}, /,
    aheadMs: 9 * 3_600_000,
  },
};
