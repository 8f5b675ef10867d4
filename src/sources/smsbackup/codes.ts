import { asks } from '../../model/option.ts';
import { badRow, decision, note, type SourceCode } from '../kit/codes.ts';

export const smsbackupCodes: readonly SourceCode[] = [
  badRow(
    'smsbackup-bad-time',
    'Messages without a time',
    'The message has no time in milliseconds since 1970.',
    'Correct the row, or make another backup.',
  ),
  badRow(
    'smsbackup-no-address',
    'Messages without an address',
    'The message has no telephone number, so it is in no conversation.',
    'Correct the row, or make another backup.',
  ),
  badRow(
    'smsbackup-bad-type',
    'Messages of a type that is not known',
    'The row is neither received nor sent, nor a draft, so it is not known who wrote it.',
    'Correct the row (type, or msg_box of an MMS), or take it out.',
  ),
  badRow(
    'smsbackup-too-long',
    'Messages that are too long',
    'A value of the row has more than a million characters; no message has.',
    'Look at the row: a file may be embedded in it.',
  ),
  badRow(
    'smsbackup-cut-off',
    'Backups that end in the middle',
    'The file ends before its last element is closed: the backup or the copy broke off. The rest counts as one.',
    'Copy the file again, or make another backup.',
  ),
  note(
    'smsbackup-not-sent',
    'Messages that never left the phone',
    'Drafts, and messages that failed or were still waiting: they never left the phone, and are left out.',
    'Nothing, or set unsent: keep in source of the mapping to move them too.',
  ),
  note(
    'smsbackup-blind-copies',
    'Recipients of blind copies',
    'They received an MMS without being seen by its other recipients: they are no members of the conversation.',
  ),
  note(
    'smsbackup-not-fetched',
    'MMS that were not fetched',
    'The phone received a notice of the MMS and never fetched it. The backup has no content of it.',
    'Nothing: the message names a file that is not in the export.',
  ),
  note(
    'smsbackup-count',
    'Backups that count other than they have',
    'The first line counts more or fewer messages than the file has. The app often miscounts.',
    'Nothing if the file ends as it should; compare with the phone if many are missing.',
  ),
  decision(
    'smsbackup-same-number',
    'Numbers that may be one person',
    'The telephone numbers end in the same digits, with and without the code of a country.',
    {
      about: 'person',
      question: 'Are these numbers one person?',
      options: [
        asks('Join the numbers of one person', 'people.merge', '[[U1, U2]]'),
        asks('Join the chats of one person', 'conversations.merge', '[[C1, C2]]'),
      ],
      otherwise: 'they stay different people with chats of their own',
    },
  ),
];
