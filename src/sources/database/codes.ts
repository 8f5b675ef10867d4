import { asks, outside } from '../../model/option.ts';
import { badRow, decision, note, type SourceCode } from '../kit/codes.ts';

/** Codes of problems with a database. */
export const databaseCodes: readonly SourceCode[] = [
  badRow(
    'cell-too-large',
    'Cells that are too large',
    'A value is larger than any message, 16 MB: a file may be stored in it. The row is left out; what follows is read.',
    'Name another column in the mapping, if it is a file; shorten the text at its source.',
  ),
  badRow(
    'cell-encoding',
    'Texts in another encoding',
    'The bytes of a text are not text in the encoding of the database. The row is left out; what follows is read.',
    'Correct the text at its source; if all are in one other encoding, export the table as CSV, and name that encoding.',
  ),
  note(
    'table-not-read',
    'Tables that the mapping does not name',
    'They are counted and named, and nothing of them is read.',
    'Name a table in source.tables if it holds people, members, files or reactions of the chat.',
  ),
  note(
    'column-not-named',
    'Columns that the mapping does not name',
    'The mapping reads other columns of these tables. Chatferry did not read these, so it cannot say whether they have values.',
    'Name a column in its section, or keep it by "custom: { NAME: COLUMN }" in source.messages.',
  ),
  note(
    'database-without-log',
    'A SQLite file without its log',
    'A SQLite file keeps its newest rows in a second file, "-wal", while an application is running. There is no such file next to this one, or it is damaged.',
    'Nothing, if the application was not running when the file was copied. Else copy the file again together with "-wal", or stop the application first.',
  ),
  decision(
    'text-of-bytes',
    'Texts that are bytes',
    'The column of a text or a name holds bytes: a file, a packed or encrypted form, or a text that the application stored so.',
    {
      about: 'file',
      question: 'What is in this column, which holds bytes in place of texts?',
      options: [
        asks('Name the column that has the text', 'source.messages.text', 'body_text'),
        outside('Make a view of the database that makes text of the bytes, and name it'),
      ],
      otherwise: 'their hexadecimal digits are the text',
    },
  ),
  note(
    'database-superuser',
    'A role that may do more than read',
    'Chatferry only reads, and a role that may only read makes sure of it.',
    'Make a role with SELECT alone: the finding has the statements.',
  ),
  note(
    'database-table-unreadable',
    'Tables that the role may not read',
    'They are ignored.',
    'Nothing, if none of them belongs to the chat. Else run the GRANT of the finding.',
  ),
  note(
    'database-column-unreadable',
    'Columns that the role may not read',
    'They are ignored.',
    'Nothing, if none of them is wanted. Else run the GRANT of the finding.',
  ),
  note(
    'database-row-security',
    'Tables with row security',
    'Row security hides rows from the role, and PostgreSQL does not say so. Such a table is not read, because nothing would show which rows are missing.',
    'Nothing, if the table does not belong to the chat. Else let a role read that sees all rows: the finding has the statement.',
  ),
  note(
    'database-encoding',
    'A database without an encoding',
    'It stores bytes, and does not say which characters they are. They are read as UTF-8.',
    'Check texts with non-English letters: if they contain U+FFFD, convert the database first.',
  ),
  note(
    'database-not-encrypted',
    'A connection that is not encrypted',
    'The address asks for a plain connection to another machine: others on the way can read the chat and the password.',
    'Take the setting out of the address, except in a network of your own.',
  ),
  note(
    'database-not-verified',
    'A server whose certificate is not fully checked',
    'The connection is encrypted, but the certificate does not prove which server answers.',
    'Name the certificate of its authority in the address, except in a network of your own.',
  ),
  note(
    'database-no-snapshot',
    'Tables without a snapshot',
    'Tables of other engines than InnoDB have no transactions. If an application writes to one during the reading, some of its changes may be missing. All other tables are read as of one moment.',
    'Read it while no program writes to it, or read a dump. Nothing, if no program wrote to it during the reading; the next run finds missed changes.',
  ),
];
