import type { SourceCode } from '../kit/codes.ts';

/** What looking for rows in JSON of any shape brings up. */
export const jsonCodes: readonly SourceCode[] = [
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
    remedy: 'Say where the rows stand with source.tables.messages.list in the mapping.',
  },
  {
    code: 'json-not-an-object',
    severity: 'blocks',
    title: 'Rows that are not objects',
    explanation: 'A row is a number, a text or nothing.',
    remedy: 'Correct the row, or choose another list with source.tables.messages.list.',
  },
];
