import type { SourceCode } from '../kit/codes.ts';

export const googlevoiceCodes: readonly SourceCode[] = [
  {
    code: 'googlevoice-bad-time',
    severity: 'blocks',
    title: 'Messages without an exact time',
    explanation: 'The time of the message is missing, or says no zone.',
    remedy: 'Export the account again. If it is still so, report it to us.',
  },
  {
    code: 'googlevoice-no-sender',
    severity: 'blocks',
    title: 'Messages without a sender',
    explanation: 'The page does not say who wrote the message.',
    remedy: 'Look at the page, and export the account again.',
  },
  {
    code: 'googlevoice-no-other',
    severity: 'blocks',
    title: 'Messages with nobody',
    explanation: 'Neither the page nor the name of its file says to whom you wrote, or who wrote to you.',
    remedy: 'Rename the file so that it begins with the number: "+15555550101 - Text - …".',
  },
  {
    code: 'googlevoice-no-message',
    severity: 'blocks',
    title: 'Pages without a message',
    explanation: 'The file has the name of a page of Google Voice, and neither messages nor a call.',
    remedy: 'Look at the file, and export the account again.',
  },
  {
    code: 'googlevoice-too-long',
    severity: 'blocks',
    title: 'Messages that are too long',
    explanation: 'The message is longer than any that Google Voice sends: the page is probably damaged.',
    remedy: 'Look at the page, and export the account again.',
  },
  {
    code: 'googlevoice-cut-off',
    severity: 'blocks',
    title: 'Pages that break off',
    explanation: 'The page ends before it is closed: what followed is missing.',
    remedy: 'Unpack the archive again, or export the account again.',
  },
  {
    code: 'googlevoice-no-number',
    severity: 'decision',
    title: 'Contacts whose number no page says',
    explanation:
      'A group has a member without a number; or you wrote, nobody answered in this page, and other pages have no number for its name, or several.',
    about: 'conversation',
    options: [
      'Join it with another conversation by conversations.merge of the mapping, and the people by people.merge.',
      'Let it be so, if there is no other.',
    ],
    otherwise: 'it is a conversation of its own, under the name',
  },
  {
    code: 'googlevoice-spam',
    severity: 'decision',
    title: 'Conversations that are labelled as spam',
    explanation: 'Google Voice, or you, took them for spam.',
    about: 'conversation',
    options: [
      'Leave them out by conversations.exclude of the mapping.',
      'Let it be so, if they are to be moved: custom.spam marks them.',
    ],
    otherwise: 'they are sent like others',
  },
  {
    code: 'googlevoice-not-migrated',
    severity: 'information',
    title: 'Other data that Google Voice keeps',
    explanation: 'Labels that no other system has, and calls of hidden numbers, have no place at the destination.',
    remedy: 'Nothing.',
  },
];
