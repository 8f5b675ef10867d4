import { badRow, note, type SourceCode } from '../../kit/codes.ts';

/** Codes of problems in an SQL dump: in single rows, and in the dump as a whole. */
export const dumpCodes: readonly SourceCode[] = [
  badRow(
    'dump-columns',
    'Rows with too few or too many values',
    'A row of the dump has another number of values than the table has columns. The row is left out; what follows is read.',
    'Correct the row, or make the dump again.',
  ),
  badRow(
    'dump-encoding',
    'Values that are not text',
    'The bytes of a value are not text in the encoding that the dump names. The row is left out.',
    'Make the dump again in UTF-8: pg_dump --encoding=UTF8, or mysqldump --default-character-set=utf8mb4.',
  ),
  badRow(
    'dump-value',
    'Values that would have to be computed',
    'The dump has an expression where a value is expected. Expressions of a dump are never run, so the row is left out.',
    'Make the dump with pg_dump, mysqldump or sqlite3, or write the value instead of the expression.',
  ),
  badRow(
    'dump-statement',
    'Statements that are not read',
    'A statement of the dump puts rows into a table, changes them or takes them away, in a form that Chatferry does not run: INSERT … SELECT, UPDATE, DELETE. The rows are those of the other statements.',
    'Load the dump into a database, and make a dump of that, or pass the address of the database.',
  ),
  badRow(
    'dump-too-large',
    'Rows that are too large',
    'The row takes more than 64 MB in the dump. It is left out; what follows is read.',
    'Leave its largest column out of the dump, if that is a file.',
  ),
  note(
    'dump-cut-off',
    'A dump that is cut off',
    'The file ends before the dump does, so rows and tables may be missing.',
    'Make or copy the dump again, unless the tables of the chat are whole.',
  ),
  note(
    'dump-of-damaged',
    'A dump that takes rows back',
    'The dump ends with ROLLBACK: SQLite encountered errors when it made it, so rows may be missing; or it takes back rows that are read.',
    'Restore the database from a backup and make the dump again, unless the number of rows is that of the database.',
  ),
  note(
    'dump-generated-columns',
    'Columns that the database computes',
    'A dump does not hold the values of generated columns.',
    'Use the columns that they are computed from, or read the database itself.',
  ),
  note(
    'dump-without-columns',
    'Tables without column names',
    'The dump has rows of the table, but nothing in it names the columns.',
    'Make the dump with its structure, not of the data alone.',
  ),
  note(
    'dump-of-several',
    'A dump of several databases',
    'Tables are named with their database, such as "app.messages".',
    'Use these names in the mapping, or dump one database alone.',
  ),
];
