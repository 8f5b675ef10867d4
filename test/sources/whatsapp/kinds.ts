import { type Kinds, add } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: 'Messages have no fields for data of an app, and none is for some of a conversation alone',
  unreadContent: 'A line of a chat is text: there is no structure that it could be without',
  nestedRows: 'A chat is a text with a message on each line: nothing can be inside of one',
  partialExports: 'A chat is a text without head or foot; that an app leaves out what is old is not in it',
  messageNames: 'People have names and no ids',
  sameNames: [
    {
      by: 'what was said first',
      sample: 'android',
      name: 'Harbour crew',
      asks: 'whatsapp-same-name',
      edits: [
        add(
          'other/WhatsApp Chat with Harbour crew.txt',
          '3/15/24, 9:00 AM - Mia: Another crew\n3/15/24, 9:01 AM - Ole: Indeed\n',
        ),
      ],
    },
  ],
  overlaps:
    'A message has no id but its time, author and text: a changed one is another message, and the mark of an edit has no time',
  decisions: [
    {
      files: {
        '_chat.txt': '[13.4.24, 10:00:00] Ann: hi\n[3.4.24, 10:01:00] Ben: old\n[13.4.24, 10:02:00] Ann: bye\n',
      },
      asks: { 'whatsapp-pasted': 'note' },
    },
    { sample: 'damaged-lines', asks: { 'whatsapp-other-form': 4, 'whatsapp-date-order': 4 } },
    {
      files: { '_chat.txt': '[13.4.24, 10:00:00] Ann: hi\n[13.4.24, 10:01:00] Ben: \u200eOrd som ingen kender\n' },
      asks: { 'whatsapp-app-or-person': 1 },
    },
  ],
  pastedLines: { asks: ['whatsapp-pasted'], files: /\.txt$/, lateMs: 3_600_000 },
};
