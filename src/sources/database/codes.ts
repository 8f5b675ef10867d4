import type { SourceCode } from '../kit/codes.ts';

/** What reading a database brings up. */
export const databaseCodes: readonly SourceCode[] = [
  {
    code: 'table-not-read',
    severity: 'information',
    title: 'Tables that the mapping does not name',
    explanation: 'They are counted and named, and nothing of them is read.',
    remedy: 'Name a table in source.tables if it holds people, members, files or reactions of the chat.',
  },
  {
    code: 'column-not-named',
    severity: 'information',
    title: 'Columns that the mapping does not name',
    explanation:
      'They are of tables that are read. What they hold stays in the database: nobody looked whether they have values.',
    remedy: 'Name a column in its section, or keep it by "custom: { NAME: COLUMN }" in source.messages.',
  },
  {
    code: 'database-without-log',
    severity: 'decision',
    title: 'A SQLite file without its log',
    explanation:
      'A SQLite file keeps its newest rows in a second file, "-wal", while an application is running. There is none beside this file.',
    about: 'file',
    options: [
      'Copy the file again together with "-wal", or stop the application first, if it was running when the file was copied.',
      'Let it be so, if it was not running.',
    ],
    otherwise: 'the file is read as it is',
  },
];
