import { badRow, note, type SourceCode } from '../kit/codes.ts';

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
    'Devices, bans from later channels and ends of bans, read positions, hidden or pinned channels, scores of reactions and voters in polls have no counterpart at the destination.',
  ),
];
