import type { SourceCode } from '../kit/codes.ts';

export const imessageCodes: readonly SourceCode[] = [
  {
    code: 'imessage-no-chat',
    severity: 'blocks',
    title: 'Messages of no chat',
    explanation: 'The message is in no chat of the database, so it is not known to whom it was sent.',
    remedy: 'Look at the row: Messages does not show it either. Leave it out, or copy the database again.',
  },
  {
    code: 'imessage-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: 'The message has no time, or one that is none.',
    remedy: 'Correct the row in a copy of the database.',
  },
  {
    code: 'imessage-bad-text',
    severity: 'blocks',
    title: 'Messages whose text cannot be read',
    explanation: 'The text is in an archive of Apple that is damaged, too large, or of a kind that is not known.',
    remedy: 'Look at the message in Messages. If it has a text there, report it to us with the version of macOS.',
  },
  {
    code: 'imessage-unknown-kind',
    severity: 'blocks',
    title: 'Messages of a kind that is not known',
    explanation: 'The row is attached to another message in a way that this version does not know, and has no text.',
    remedy: 'Look whether there is a newer version, and report it to us.',
  },
  {
    code: 'imessage-merged-addresses',
    severity: 'information',
    title: 'Addresses that are one person',
    explanation:
      'Messages itself says that these addresses belong to one person (person_centric_id): they are one person here, under the first address.',
    remedy: 'Nothing. If they are not one person, correct person_centric_id in a copy of the database.',
  },
  {
    code: 'imessage-same-number',
    severity: 'decision',
    title: 'Addresses that may be one person',
    explanation: 'The telephone numbers end in the same digits, with and without the code of a country.',
    about: 'person',
    options: [
      'If they are one person, list them in people.merge of the mapping, and their chats in conversations.merge.',
      'Let it be so, if they are not.',
    ],
    otherwise: 'they stay different people with chats of their own',
  },
  {
    code: 'imessage-same-members',
    severity: 'decision',
    title: 'Groups of the same people',
    explanation: 'Messages sometimes begins a group again under another id. People may also have several groups.',
    about: 'conversation',
    options: [
      'If they are one group, list them in conversations.merge of the mapping.',
      'Let it be so, if they are not.',
    ],
    otherwise: 'they stay different groups',
  },
  {
    code: 'imessage-spam',
    severity: 'decision',
    title: 'Messages that were reported as junk',
    explanation: 'The row is marked as spam: Messages does not show it among the others.',
    about: 'message',
    options: [
      'Leave their chats out by conversations.exclude of the mapping.',
      'Let it be so, if they are to be moved: custom.spam marks them.',
    ],
    otherwise: 'they are sent like other messages',
  },
  {
    code: 'imessage-not-sent',
    severity: 'decision',
    title: 'Messages that were not delivered',
    explanation: 'You wrote the message, and the database has an error of its delivery: others may never have got it.',
    about: 'message',
    options: [
      'Set notSent: skip in source of the mapping to leave them out.',
      'Let it be so, if they are to be moved: custom.error marks them.',
    ],
    otherwise: 'they are sent like other messages',
  },
  {
    code: 'imessage-corrupt',
    severity: 'information',
    title: 'Messages that are marked as damaged',
    explanation: 'Messages itself marked the row as corrupt. What can be read of it is sent.',
    remedy: 'Compare the message with Messages.',
  },
  {
    code: 'imessage-not-migrated',
    severity: 'information',
    title: 'What Messages keeps besides',
    explanation:
      'When messages came and were read, earlier versions of edited messages, and reactions to messages that are not in the database have no place at the destination.',
    remedy: 'Nothing.',
  },
  {
    code: 'imessage-no-table',
    severity: 'information',
    title: 'Databases without some tables',
    explanation: 'The database lacks tables that Messages makes: what they hold is missing.',
    remedy: 'Copy chat.db itself, with "-wal" and "-shm".',
  },
];
