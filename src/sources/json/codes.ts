import { badRow, decision, type SourceCode } from '../kit/codes.ts';

/** Codes for problems found while searching rows in JSON of any shape. */
export const jsonCodes: readonly SourceCode[] = [
  decision(
    'dynamodb-deletion',
    'Items that were deleted',
    'An incremental export of DynamoDB names items that were deleted from the table. They are no messages, and nothing is deleted because of them.',
    {
      about: 'file',
      options: [
        'Make a full export and import that: it holds only what the table has.',
        'Let it be so, if what was imported before may stay.',
      ],
      otherwise: 'messages that were imported before stay where they are',
    },
  ),
  badRow('json-empty', 'Empty files', 'The file is empty.', 'Export again.'),
  badRow(
    'json-list-unknown',
    'Files whose rows cannot be found',
    'The file is one object with several lists, or none.',
    'Set the location of the rows with source.tables.messages.list in the mapping.',
  ),
  decision(
    'json-list-not-read',
    'Lists that the mapping does not read',
    'The file has objects in other places than those that the mapping names: they may be messages.',
    {
      about: 'file',
      options: [
        'Check the location: if it has messages, name it with source.tables.messages.list, * for keys that change (/messages/*).',
        'Let it be so, if it holds something else.',
      ],
      otherwise: 'they stay behind',
    },
  ),
  badRow(
    'json-not-an-object',
    'Rows that are not objects',
    'A row is a number, a text or nothing.',
    'Correct the row, or choose another list with source.tables.messages.list.',
  ),
];
