import { asks } from '../../model/option.ts';
import { badRow, decision, note, type SourceCode } from '../kit/codes.ts';

/** Codes for problems found while searching rows in JSON of any shape. */
export const jsonCodes: readonly SourceCode[] = [
  note(
    'dynamodb-deletion',
    'Items that were deleted',
    'An incremental export of DynamoDB names items that were deleted from the table. They are no messages, and nothing is deleted because of them.',
    'Nothing, if messages that were imported before may stay. Else make a full export and import that: it holds only what the table has.',
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
      question: 'Are there messages in lists that the mapping does not read?',
      options: [asks('Name the list of the messages', 'source.tables.messages.list', '/messages/*')],
      otherwise: 'they stay behind',
      keepsBack: true,
    },
  ),
  badRow(
    'json-not-an-object',
    'Rows that are not objects',
    'A row is a number, a text or nothing.',
    'Correct the row, or choose another list with source.tables.messages.list.',
  ),
];
