import type { SourceCode } from '../kit/codes.ts';

/** Codes for problems found while searching rows in JSON of any shape. */
export const jsonCodes: readonly SourceCode[] = [
  {
    code: 'dynamodb-deletion',
    severity: 'decision',
    title: 'Items that were deleted',
    explanation:
      'An incremental export of DynamoDB names items that were deleted from the table. They are no messages, and nothing is deleted because of them.',
    about: 'file',
    options: [
      'Make a full export and import that: it holds only what the table has.',
      'Let it be so, if what was imported before may stay.',
    ],
    otherwise: 'messages that were imported before stay where they are',
  },
  {
    code: 'json-empty',
    severity: 'blocks',
    title: 'Empty files',
    explanation: 'The file is empty.',
    remedy: 'Export again.',
  },
  {
    code: 'json-list-unknown',
    severity: 'blocks',
    title: 'Files whose rows cannot be found',
    explanation: 'The file is one object with several lists, or none.',
    remedy: 'Set the location of the rows with source.tables.messages.list in the mapping.',
  },
  {
    code: 'json-list-not-read',
    severity: 'decision',
    title: 'Lists that the mapping does not read',
    explanation: 'The file has objects in other places than those that the mapping names: they may be messages.',
    about: 'file',
    options: [
      'Check the location: if it has messages, name it with source.tables.messages.list, * for keys that change (/messages/*).',
      'Let it be so, if it holds something else.',
    ],
    otherwise: 'they stay behind',
  },
  {
    code: 'json-not-an-object',
    severity: 'blocks',
    title: 'Rows that are not objects',
    explanation: 'A row is a number, a text or nothing.',
    remedy: 'Correct the row, or choose another list with source.tables.messages.list.',
  },
];
