import type { SourceCode } from '../kit/codes.ts';

export const smsbackupCodes: readonly SourceCode[] = [
  {
    code: 'smsbackup-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: 'The message has no time in milliseconds since 1970.',
    remedy: 'Correct the row, or make another backup.',
  },
  {
    code: 'smsbackup-no-address',
    severity: 'blocks',
    title: 'Messages without an address',
    explanation: 'The message has no telephone number, so it is in no conversation.',
    remedy: 'Correct the row, or make another backup.',
  },
  {
    code: 'smsbackup-bad-type',
    severity: 'blocks',
    title: 'Messages of a type that is not known',
    explanation: 'The row is neither received nor sent, nor a draft, so it is not known who wrote it.',
    remedy: 'Correct the row (type, or msg_box of an MMS), or take it out.',
  },
  {
    code: 'smsbackup-too-long',
    severity: 'blocks',
    title: 'Messages that are too long',
    explanation: 'A value of the row has more than a million characters; no message has.',
    remedy: 'Look at the row: a file may be embedded in it.',
  },
  {
    code: 'smsbackup-cut-off',
    severity: 'blocks',
    title: 'Backups that end in the middle',
    explanation:
      'The file ends before its last element is closed: the backup or the copy broke off. The rest counts as one.',
    remedy: 'Copy the file again, or make another backup.',
  },
  {
    code: 'smsbackup-not-sent',
    severity: 'information',
    title: 'Messages that never left the phone',
    explanation: 'Drafts, and messages that failed or were still waiting: they never left the phone, and are left out.',
    remedy: 'Nothing, or set unsent: keep in source of the mapping to move them too.',
  },
  {
    code: 'smsbackup-blind-copies',
    severity: 'information',
    title: 'Recipients of blind copies',
    explanation:
      'They received an MMS without being seen by its other recipients: they are no members of the conversation.',
    remedy: 'Nothing.',
  },
  {
    code: 'smsbackup-not-fetched',
    severity: 'information',
    title: 'MMS that were not fetched',
    explanation: 'The phone received a notice of the MMS and never fetched it. The backup has no content of it.',
    remedy: 'Nothing: the message names a file that is not in the export.',
  },
  {
    code: 'smsbackup-count',
    severity: 'information',
    title: 'Backups that count other than they have',
    explanation: 'The first line counts more or fewer messages than the file has. The app often miscounts.',
    remedy: 'Nothing if the file ends as it should; compare with the phone if many are missing.',
  },
  {
    code: 'smsbackup-same-number',
    severity: 'decision',
    title: 'Numbers that may be one person',
    explanation: 'The telephone numbers end in the same digits, with and without the code of a country.',
    about: 'person',
    options: [
      'If they are one person, list them in people.merge of the mapping, and their chats in conversations.merge.',
      'Let it be so, if they are not.',
    ],
    otherwise: 'they stay different people with chats of their own',
  },
];
