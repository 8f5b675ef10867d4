import { asks } from '../../model/option.ts';
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
      question: 'Does this contact, whose number no page says, have another conversation?',
      options: [
        asks('Join it with the other conversation', 'conversations.merge', '[[C1, C2]]'),
        asks('Join it with the other person', 'people.merge', '[[U1, U2]]'),
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
      question: 'Should conversations be moved that were taken for spam?',
      options: [asks('Leave the conversations of spam out', 'conversations.exclude', '[C1, C2]')],
      otherwise: 'they are sent like others',
    },
  ),
  note(
    'googlevoice-not-migrated',
    'Other data that Google Voice keeps',
    'Labels that no other system has, and calls of hidden numbers, have no place at the destination.',
  ),
];
