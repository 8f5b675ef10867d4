import { type Kinds, replace, unsent } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: 'Messages have no fields for data of an app, and none is for some of a conversation alone',
  unreadContent: 'Each part of an MMS is a text or a file',
  nestedRows: 'A message holds parts and addresses, and no other message',
  partialExports: 'The count of a backup is often wrong, and its end says whether it is whole',
  messageNames: 'The name beside a number is that of the address book, for the person',
  sameNames: 'Chats of two have no name, and a group is the set of its numbers, whatever it is called',
  overlaps: 'A message has no id but its number, time and text: a phone changes no message',
  decisions: [{ sample: 'full-and-later', asks: { 'smsbackup-same-number': 2 } }],
  notSent: [
    {
      sample: 'full-and-later',
      edits: [
        replace(
          'sms-20260302.xml',
          'date="1772442001000" type="2" subject="null" body="From six on',
          `date="1772442001000" type="5" subject="null" body="${unsent}`,
        ),
      ],
    },
  ],
};
