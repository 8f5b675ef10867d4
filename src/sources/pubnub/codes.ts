import { badRow, note, type SourceCode } from '../kit/codes.ts';

export const pubnubCodes: readonly SourceCode[] = [
  badRow(
    'pubnub-no-channel',
    'Messages of no channel',
    'Answers of the older History do not say of which channel they are.',
    'Name it in the mapping: source.channels: { "history.json": harbour }.',
  ),
  badRow(
    'pubnub-bad-time',
    'Messages without a timetoken',
    'The row has no timetoken of 17 digits: it was not asked for, or it lost digits as a number.',
    'Save the answer again, with include_token or as Fetch Messages, and with timetokens as text.',
  ),
  badRow(
    'pubnub-unknown-content',
    'Messages that are data of the app',
    'The app published an object, and the field that should have its text is not there.',
    'Name the field of the text in the mapping: source.text.',
  ),
  badRow(
    'pubnub-members-of-unknown',
    'Lists of members that do not say of what',
    'A list of the members of a channel does not name the channel.',
    'Name it in the mapping: source.channels: { "members-harbour.json": harbour }.',
  ),
  note(
    'pubnub-other-actions',
    'Actions of types that are not known',
    'The app attached actions to messages that are neither reactions, edits, deletions, threads nor receipts. They are kept in "custom.actions".',
    'If they are edits or deletions, name their types in the mapping: source.edits, source.deletions.',
  ),
  note(
    'pubnub-not-migrated',
    'Receipts and memberships',
    'Read receipts, and lists of the channels of a person that do not name the person, are not migrated.',
    'Nothing; save the members of each channel instead of the channels of each person.',
  ),
];
