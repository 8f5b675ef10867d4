import type { SourceCode } from '../kit/codes.ts';

const read = 'It is read here all the same.';
const remedy = 'Correct the item, if it goes back into Stream; otherwise nothing.';

export const streamCodes: readonly SourceCode[] = [
  {
    code: 'stream-no-channel',
    severity: 'blocks',
    title: 'Messages of no channel',
    explanation: 'The message does not say in which channel it was written.',
    remedy: 'Correct the item, or export again.',
  },
  {
    code: 'stream-no-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation:
      'The message has no "created_at". Stream uses the time of the import for it; here that time is unknown.',
    remedy: 'Add "created_at" to the items, or say in source.createdAt of the mapping when such messages were sent.',
  },
  {
    code: 'stream-bad-time',
    severity: 'blocks',
    title: 'Messages with a broken time',
    explanation: '"created_at" is no time of RFC 3339.',
    remedy: 'Correct the item, or export again.',
  },
  {
    code: 'stream-unknown-item',
    severity: 'information',
    title: 'Items that are not known',
    explanation: 'The item has a type that Stream does not have; it is left out.',
    remedy: 'Check the examples, and report them.',
  },
  {
    code: 'stream-lost-reaction',
    severity: 'information',
    title: 'Reactions to messages of other files',
    explanation: 'The reaction names a message that its file does not have: each file is read by itself.',
    remedy: 'If you want the reactions, put them into the file of their messages.',
  },
  {
    code: 'stream-not-migrated',
    severity: 'information',
    title: 'Settings of people and apps',
    explanation:
      'Devices, bans, read positions, hidden or pinned channels, scores of reactions and voters in polls have no counterpart at the destination.',
    remedy: 'Nothing.',
  },
  {
    code: 'stream-rule-missing',
    severity: 'information',
    title: 'Items that lack what Stream asks for',
    explanation: `Stream refuses the item in an import: it lacks a field, or has two of which only one is allowed. ${read}`,
    remedy,
  },
  {
    code: 'stream-rule-id',
    severity: 'information',
    title: 'Items with an id that Stream refuses',
    explanation: `The id, or the name of a reaction, is longer than Stream takes it, or has other signs. ${read}`,
    remedy,
  },
  {
    code: 'stream-rule-reserved',
    severity: 'information',
    title: 'Items with fields that are reserved',
    explanation: `Stream refuses the item in an import: a field is one that Stream itself sets. ${read}`,
    remedy,
  },
  {
    code: 'stream-rule-value',
    severity: 'information',
    title: 'Items with values that Stream refuses',
    explanation: `A field is none of the values that it may have, or does not fit another. ${read}`,
    remedy,
  },
  {
    code: 'stream-rule-reference',
    severity: 'information',
    title: 'Items that refer to something missing from the file',
    explanation: `The item names a person or a channel that no sound item of the file is, or a team that does not fit. ${read}`,
    remedy,
  },
  {
    code: 'stream-rule-duplicate',
    severity: 'information',
    title: 'Items that are in the file twice',
    explanation: 'An item before this one has the same id. The last one counts here; Stream refuses the file.',
    remedy,
  },
];
