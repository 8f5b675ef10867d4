import { badRow, decision, note, type SourceCode } from '../kit/codes.ts';

export const googlevoiceCodes: readonly SourceCode[] = [
  badRow(
    'googlevoice-bad-time',
    'Messages without an exact time',
    'The time of the message is missing, or says no zone.',
    'Export the account again. If it is still so, report it to us.',
  ),
  badRow(
    'googlevoice-no-sender',
    'Messages without a sender',
    'The page does not say who wrote the message.',
    'Look at the page, and export the account again.',
  ),
  badRow(
    'googlevoice-no-other',
    'Messages with nobody',
    'Neither the page nor the name of its file says to whom you wrote, or who wrote to you.',
    'Rename the file so that it begins with the number: "+15555550101 - Text - …".',
  ),
  badRow(
    'googlevoice-no-message',
    'Pages without a message',
    'The file has the name of a page of Google Voice, and neither messages nor a call.',
    'Look at the file, and export the account again.',
  ),
  badRow(
    'googlevoice-too-long',
    'Messages that are too long',
    'The message is longer than any that Google Voice sends: the page is probably damaged.',
    'Look at the page, and export the account again.',
  ),
  badRow(
    'googlevoice-cut-off',
    'Pages that break off',
    'The page ends before it is closed: what followed is missing.',
    'Unpack the archive again, or export the account again.',
  ),
  decision(
    'googlevoice-no-number',
    'Contacts whose number no page says',
    'A group has a member without a number; or you wrote, nobody answered in this page, and other pages have no number for its name, or several.',
    {
      about: 'conversation',
      options: [
        'Join it with another conversation by conversations.merge of the mapping, and the people by people.merge.',
        'Let it be so, if there is no other.',
      ],
      otherwise: 'it is a conversation of its own, under the name',
    },
  ),
  decision(
    'googlevoice-spam',
    'Pages of spam',
    'Google Voice, or you, took them for spam: the page is labelled so, or in the folder Spam.',
    {
      about: 'file',
      options: [
        'Leave their conversations out by conversations.exclude of the mapping.',
        'Let it be so, if they are to be moved: custom.spam marks them.',
      ],
      otherwise: 'they are sent like others',
    },
  ),
  note(
    'googlevoice-not-migrated',
    'Other data that Google Voice keeps',
    'Labels that no other system has, and calls of hidden numbers, have no place at the destination.',
  ),
];
