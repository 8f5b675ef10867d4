import { badRow, note, type SourceCode } from '../kit/codes.ts';

export const rocketchatCodes: readonly SourceCode[] = [
  badRow('rocketchat-no-room', 'Messages of no room', 'The message has no "rid", so its room is unknown.'),
  badRow(
    'rocketchat-bad-time',
    'Messages without a time',
    '"ts" is neither a time of the REST API nor one of Extended JSON; in a table, no milliseconds.',
  ),
  badRow(
    'rocketchat-bad-row',
    'Rows of tables that are not whole',
    'The row has another number of fields than such a table, or a quote that nothing closes.',
  ),
  note(
    'rocketchat-earlier-version',
    'Earlier versions of edited messages',
    'If the server keeps the text before an edit, the export has it as a hidden copy. It is left out.',
  ),
  note(
    'rocketchat-unknown-type',
    'Messages of a type that is not known',
    'The "t" of the message is none that is known: it is kept as a message.',
    'Check the examples, and report them.',
  ),
  note(
    'rocketchat-unknown-username',
    'Reactions of people who are not known by that name',
    'Reactions name people by the username that they had, and nothing in the export has that one: the account is gone, or was renamed before it wrote anything. The reaction counts, without who gave it.',
    'Export the collection "users" too, or the answers of users.list.',
  ),
  note(
    'rocketchat-not-migrated',
    'Personal settings',
    'Stars, read positions, favourites and roles in rooms other than owner and moderator have no counterpart at the destination.',
  ),
];
