import type { SourceCode } from '../kit/codes.ts';

export const rocketchatCodes: readonly SourceCode[] = [
  {
    code: 'rocketchat-no-room',
    severity: 'blocks',
    title: 'Messages of no room',
    explanation: 'The message has no "rid", so its room is unknown.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'rocketchat-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"ts" is neither a time of the REST API nor one of Extended JSON; in a table, no milliseconds.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'rocketchat-bad-row',
    severity: 'blocks',
    title: 'Rows of tables that are not whole',
    explanation: 'The row has another number of fields than such a table, or a quote that nothing closes.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'rocketchat-earlier-version',
    severity: 'information',
    title: 'Earlier versions of edited messages',
    explanation: 'If the server keeps the text before an edit, the export has it as a hidden copy. It is left out.',
    remedy: 'Nothing.',
  },
  {
    code: 'rocketchat-unknown-type',
    severity: 'information',
    title: 'Messages of a type that is not known',
    explanation: 'The "t" of the message is none that is known: it is kept as a message.',
    remedy: 'Check the examples, and report them.',
  },
  {
    code: 'rocketchat-unknown-username',
    severity: 'information',
    title: 'Reactions of people who are not known by that name',
    explanation:
      'Reactions name people by the username that they had, and nothing in the export has that one: the account is gone, or was renamed before it wrote anything. The reaction counts, without who gave it.',
    remedy: 'Export the collection "users" too, or the answers of users.list.',
  },
  {
    code: 'rocketchat-not-migrated',
    severity: 'information',
    title: 'Personal settings',
    explanation: 'Stars, read positions, favourites and roles in rooms have no counterpart at the destination.',
    remedy: 'Nothing.',
  },
];
