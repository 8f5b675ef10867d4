import { asks, sets } from '../../model/option.ts';
import { badRow, decision, note, type SourceCode } from '../kit/codes.ts';

export const imessageCodes: readonly SourceCode[] = [
  badRow(
    'imessage-no-chat',
    'Messages of no chat',
    'The message is in no chat of the database, so it is not known to whom it was sent.',
    'Look at the row: Messages does not show it either. Leave it out, or copy the database again.',
  ),
  badRow(
    'imessage-bad-time',
    'Messages without a time',
    'The message has no time, or one that is none.',
    'Correct the row in a copy of the database.',
  ),
  badRow(
    'imessage-bad-text',
    'Messages whose text cannot be read',
    'The text is in an archive of Apple that is damaged, too large, or of a kind that is not known.',
    'Look at the message in Messages. If it has a text there, report it to us with the version of macOS.',
  ),
  badRow(
    'imessage-unknown-kind',
    'Messages of a kind that is not known',
    'The row is attached to another message in a way that this version does not know, and has no text.',
    'Look whether there is a newer version, and report it to us.',
  ),
  note(
    'imessage-merged-addresses',
    'Addresses that are one person',
    'Messages itself says that these addresses belong to one person (person_centric_id): they are one person here, under the first address.',
    'Nothing. If they are not one person, correct person_centric_id in a copy of the database.',
  ),
  decision(
    'imessage-same-number',
    'Addresses that may be one person',
    'The telephone numbers end in the same digits, with and without the code of a country.',
    {
      about: 'person',
      question: 'Are these addresses one person?',
      options: [
        asks('Join the addresses of one person', 'people.merge', '[[U1, U2]]'),
        asks('Join the chats of one person', 'conversations.merge', '[[C1, C2]]'),
      ],
      otherwise: 'they stay different people with chats of their own',
    },
  ),
  decision(
    'imessage-same-members',
    'Groups of the same people',
    'Messages sometimes begins a group again under another id. People may also have several groups.',
    {
      about: 'conversation',
      question: 'Are these groups of the same people one group?',
      options: [asks('Join the groups that are one', 'conversations.merge', '[[C1, C2]]')],
      otherwise: 'they stay different groups',
    },
  ),
  decision(
    'imessage-spam',
    'Messages that were reported as junk',
    'The row is marked as spam: Messages does not show it among the others.',
    {
      about: 'message',
      question: 'Should junk be moved too?',
      options: [asks('Leave the chats of junk out', 'conversations.exclude', '[C1, C2]')],
      otherwise: 'they are sent like other messages',
    },
  ),
  decision(
    'imessage-not-sent',
    'Messages that were not sent',
    'You wrote the message, and the database has an error of its delivery, or it had not left your device when the database was copied, as with "Send Later": others may never have got it.',
    {
      about: 'message',
      question: 'Should messages be moved that may never have been sent?',
      options: [
        sets('Leave {count} out', { 'source.notSent': 'skip' }),
        sets('Send {count} like others', { 'source.notSent': 'keep' }),
      ],
      otherwise: 'they are sent like other messages',
    },
  ),
  note(
    'imessage-corrupt',
    'Messages that are marked as damaged',
    'Messages itself marked the row as corrupt. What can be read of it is sent.',
    'Compare the message with Messages.',
  ),
  note(
    'imessage-not-migrated',
    'What Messages keeps besides',
    'When messages came and were read, earlier versions of edited messages, votes in polls, and reactions to messages that are not in the database have no place at the destination.',
  ),
  note(
    'imessage-no-table',
    'Databases without some tables',
    'The database lacks tables that Messages makes: what they hold is missing.',
    'Copy chat.db itself, with "-wal" and "-shm".',
  ),
];
