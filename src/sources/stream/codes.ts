import { badRow, note, type SourceCode } from '../kit/codes.ts';

const read = 'It is read here all the same.';
const remedy = 'Correct the item, if it goes back into Stream; otherwise nothing.';

export const streamCodes: readonly SourceCode[] = [
  badRow(
    'stream-no-channel',
    'Messages of no channel',
    'The message does not say in which channel it was written.',
    'Correct the item, or export again.',
  ),
  badRow(
    'stream-no-time',
    'Messages without a time',
    'The message has no "created_at". Stream uses the time of the import for it; here that time is unknown.',
    'Add "created_at" to the items, or say in source.createdAt of the mapping when such messages were sent.',
  ),
  badRow(
    'stream-bad-time',
    'Messages with a broken time',
    '"created_at" is no time of RFC 3339.',
    'Correct the item, or export again.',
  ),
  note(
    'stream-unknown-item',
    'Items that are not known',
    'The item has a type that Stream does not have; it is left out.',
    'Check the examples, and report them.',
  ),
  note(
    'stream-lost-reaction',
    'Reactions to messages of other files',
    'The reaction names a message that its file does not have: each file is read by itself.',
    'If you want the reactions, put them into the file of their messages.',
  ),
  note(
    'stream-not-migrated',
    'Settings of people and apps',
    'Devices, bans, read positions, hidden or pinned channels, scores of reactions and voters in polls have no counterpart at the destination.',
  ),
  note(
    'stream-rule-missing',
    'Items that lack what Stream asks for',
    `Stream refuses the item in an import: it lacks a field, or has two of which only one is allowed. ${read}`,
    remedy,
  ),
  note(
    'stream-rule-id',
    'Items with an id that Stream refuses',
    `The id, or the name of a reaction, is longer than Stream takes it, or has other signs. ${read}`,
    remedy,
  ),
  note(
    'stream-rule-reserved',
    'Items with fields that are reserved',
    `Stream refuses the item in an import: a field is one that Stream itself sets. ${read}`,
    remedy,
  ),
  note(
    'stream-rule-value',
    'Items with values that Stream refuses',
    `A field is none of the values that it may have, or does not fit another. ${read}`,
    remedy,
  ),
  note(
    'stream-rule-reference',
    'Items that refer to something missing from the file',
    `The item names a person or a channel that no sound item of the file is, or a team that does not fit. ${read}`,
    remedy,
  ),
  note(
    'stream-rule-duplicate',
    'Items that are in the file twice',
    'An item before this one has the same id. The last one counts here; Stream refuses the file.',
    remedy,
  ),
];
