import Database from 'better-sqlite3';
import { sqlite } from './dumps.ts';
import { type Kinds, inner, replace, shared } from '../../contracts/kinds/kind.ts';

const chatTable = `CREATE TABLE m (id TEXT, room TEXT, who TEXT, at TEXT, text TEXT);
INSERT INTO m VALUES('1','r','ann','2026-03-02T09:00:00Z','hi');
`;
const chatDump = sqlite(chatTable);
const chatMapping = `source:
  tables: { messages: { table: m } }
  messages: { id: id, conversation: room, author: who, time: { from: at, format: iso }, text: text }
`;

function serialized(sql: string): Uint8Array {
  const db = new Database(':memory:');
  db.exec(sql);
  const bytes = db.serialize();
  db.close();
  return bytes;
}

export const kinds: Kinds = {
  ownData:
    'Columns of a table are asked about when its reading is proposed: see test/sources/tables/visibility.test.ts',
  unreadContent: 'Columns with a structure are read by the binding of rows, as those of JSON',
  nothingRead: 'A file that holds something else is no database: it cannot be opened',
  foreignFiles: 'It reads one database or dump: another file beside it is another input',
  nestedRows: [
    {
      where: 'list in a column',
      sample: 'own-database-postgres',
      edits: [
        replace('export.sql', 'edited_at, deleted_at)', 'edited_at, deleted_at, replies)'),
        replace(
          'export.sql',
          /^(\s+deleted_at timestamp with time zone)$/m,
          '    deleted_at timestamp with time zone,\n    replies jsonb',
        ),
        replace(
          'export.sql',
          /^(?=5001\t10\t1)(.*)$/m,
          `5001\t10\t1\t\\N\tThe water is on\t2026-03-01 08:15:00+00\t\\N\t\\N\t[{"text": "${inner}"}]`,
        ),
      ],
    },
  ],
  partialExports: [
    {
      says: 'a dump that has no end',
      codes: ['dump-cut-off'],
      sample: 'own-database-postgres',
      edits: [replace('export.sql', /\n-- PostgreSQL database dump complete[\s\S]*$/, '\n')],
    },
  ],
  messageNames: 'A mapping says what the author is: a name of each message is bound as the author',
  sameNames: [
    {
      by: 'the column with the id',
      sample: 'own-database-postgres',
      edits: [replace('export.sql', 'Allotments', shared), replace('export.sql', 'Compost rota', shared)],
    },
  ],
  overlaps: 'Several databases are never one export: a later dump is another plan, and the later plan counts',
  decisions: [
    {
      sample: 'own-database-postgres',
      edits: [replace('export.sql', /\n-- PostgreSQL database dump complete[\s\S]*$/, '\n')],
      asks: { 'dump-cut-off': 'note' },
    },
    {
      files: { 'chat.sql': chatDump.replace('COMMIT;', 'ROLLBACK; -- due to errors') },
      mapping: chatMapping,
      asks: { 'dump-of-damaged': 'note' },
    },
    {
      // Its header says that it has a log.
      files: { 'chat.db': serialized(chatTable).fill(2, 18, 20) },
      mapping: chatMapping,
      asks: { 'database-without-log': 'note' },
    },
    {
      files: { 'chat.db': serialized(`${chatTable}UPDATE m SET text = x'6869'`) },
      mapping: chatMapping,
      asks: { 'text-of-bytes': 1 },
    },
  ],
};
