import type { SourceCode } from '../kit/codes.ts';

export const pubnubCodes: readonly SourceCode[] = [
  {
    code: 'pubnub-no-channel',
    severity: 'blocks',
    title: 'Messages of no channel',
    explanation: 'Answers of the older History do not say of which channel they are.',
    remedy: 'Name it in the mapping: source.channels: { "history.json": harbour }.',
  },
  {
    code: 'pubnub-bad-time',
    severity: 'blocks',
    title: 'Messages without a timetoken',
    explanation: 'The row has no timetoken of 17 digits: it was not asked for, or it lost digits as a number.',
    remedy: 'Save the answer again, with include_token or as Fetch Messages, and with timetokens as text.',
  },
  {
    code: 'pubnub-unknown-content',
    severity: 'blocks',
    title: 'Messages that are data of the app',
    explanation: 'The app published an object, and the field that should have its text is not there.',
    remedy: 'Name the field of the text in the mapping: source.text.',
  },
  {
    code: 'pubnub-members-of-unknown',
    severity: 'blocks',
    title: 'Lists of members that do not say of what',
    explanation: 'A list of the members of a channel does not name the channel.',
    remedy: 'Name it in the mapping: source.channels: { "members-harbour.json": harbour }.',
  },
  {
    code: 'pubnub-other-actions',
    severity: 'information',
    title: 'Actions of types that are not known',
    explanation:
      'The app attached actions to messages that are neither reactions, edits, deletions, threads nor receipts. They are kept in "custom.actions".',
    remedy: 'If they are edits or deletions, name their types in the mapping: source.edits, source.deletions.',
  },
  {
    code: 'pubnub-not-migrated',
    severity: 'information',
    title: 'Receipts and memberships',
    explanation: 'Read receipts, and lists of the channels of a person that do not name the person, are not migrated.',
    remedy: 'Nothing; save the members of each channel instead of the channels of each person.',
  },
];
