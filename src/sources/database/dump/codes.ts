import type { SourceCode } from '../../kit/codes.ts';

/** Codes of problems in an SQL dump: in single rows, and in the dump as a whole. */
export const dumpCodes: readonly SourceCode[] = [
  {
    code: 'dump-columns',
    severity: 'blocks',
    title: 'Rows with too few or too many values',
    explanation:
      'A row of the dump has another number of values than the table has columns. The row is left out; what follows is read.',
    remedy: 'Correct the row, or make the dump again.',
  },
  {
    code: 'dump-encoding',
    severity: 'blocks',
    title: 'Values that are not text',
    explanation: 'The bytes of a value are not text in the encoding that the dump names. The row is left out.',
    remedy: 'Make the dump again in UTF-8: pg_dump --encoding=UTF8, or mysqldump --default-character-set=utf8mb4.',
  },
  {
    code: 'dump-value',
    severity: 'blocks',
    title: 'Values that would have to be computed',
    explanation:
      'The dump has an expression where a value is expected. Expressions of a dump are never run, so the row is left out.',
    remedy: 'Make the dump with pg_dump, mysqldump or sqlite3, or write the value instead of the expression.',
  },
  {
    code: 'dump-too-large',
    severity: 'blocks',
    title: 'Rows that are too large',
    explanation: 'The row takes more than 64 MB in the dump. It is left out; what follows is read.',
    remedy: 'Leave its largest column out of the dump, if that is a file.',
  },
  {
    code: 'dump-cut-off',
    severity: 'decision',
    title: 'A dump that is cut off',
    explanation: 'The file ends before the dump does, so rows and tables may be missing.',
    about: 'file',
    options: ['Make or copy the dump again.', 'Let it be so, if the tables of the chat are whole.'],
    otherwise: 'the content of the file is read',
  },
  {
    code: 'dump-of-damaged',
    severity: 'decision',
    title: 'A dump of a damaged database',
    explanation: 'SQLite encountered errors when it made the dump, so rows may be missing.',
    about: 'file',
    options: [
      'Restore the database from a backup and make the dump again.',
      'Let it be so, if the number of rows is that of the database.',
    ],
    otherwise: 'the content of the file is read',
  },
  {
    code: 'dump-generated-columns',
    severity: 'information',
    title: 'Columns that the database computes',
    explanation: 'A dump does not hold the values of generated columns.',
    remedy: 'Use the columns that they are computed from, or read the database itself.',
  },
  {
    code: 'dump-without-columns',
    severity: 'information',
    title: 'Tables without column names',
    explanation: 'The dump has rows of the table, but nothing in it names the columns.',
    remedy: 'Make the dump with its structure, not of the data alone.',
  },
  {
    code: 'dump-of-several',
    severity: 'information',
    title: 'A dump of several databases',
    explanation: 'Tables are named with their database, such as "app.messages".',
    remedy: 'Use these names in the mapping, or dump one database alone.',
  },
];
