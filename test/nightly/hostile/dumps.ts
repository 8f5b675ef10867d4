/** SQL dumps: of pg_dump, in COPY and in INSERT, of mysqldump, and of people. */
import { mysql, postgres } from '../../sources/database/dumps.ts';
import { chat, columns, type Expected, type Forms, hostileNames, messages, people, rows, tableNamed } from './form.ts';

interface DumpForm extends Expected {
  readonly dump: string | Buffer;
}

const lines = rows
  .replaceAll(/[()' ]/g, '')
  .replaceAll(/,$/gm, '')
  .replaceAll(',', '\t');
const copied = (text = lines, options = '') =>
  `COPY public.messages (id, room, who, sent, body) FROM stdin${options};\n${text}\n\\.\n`;
const table = tableNamed('messages');
const insert = (values: string) => `INSERT INTO messages VALUES ${values};\n`;
const row = (id: number, body: string, time = `'2026-03-01T08:0${id - 1}:00Z'`) =>
  `(${id}, 'quay', 'ann', ${time}, ${body})`;
const bodies = (...texts: readonly string[]) => insert(texts.map((text, index) => row(index + 1, text)).join(',\n'));
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const ticked = (name: string) => `\`${name.replaceAll('`', '``')}\``;
const bytes = (text: string, at: string, by: readonly number[]) => {
  const [before, behind] = text.split(at);
  return Buffer.concat([Buffer.from(before!), Buffer.from(by), Buffer.from(behind!)]);
};
const nothing = { exit: 4, read: undefined, texts: [] } as const;
/** The file cannot be opened, and counts as one row. */
const unreadable = { exit: 4, read: undefined, texts: [] } as const;
const withoutTwo = { exit: 3, texts: ['one', 'three'] } as const;

export const dumpForms: Forms<DumpForm> = {
  'pg_dump with COPY': { dump: postgres(people + table + copied()) },
  'pg_dump with \\restrict': { dump: postgres(`\\restrict x'"$$\n${people}${table}${copied()}\\unrestrict x'"$$\n`) },
  'COPY with columns in another order': {
    dump: postgres(
      `${people}${table}COPY messages (body, sent, who, room, id) FROM stdin;\n${lines.replaceAll(/(.*)\t(.*)\t(.*)\t(.*)\t(.*)/g, '$5\t$4\t$3\t$2\t$1')}\n\\.\n`,
    ),
  },
  'COPY with line ends of Windows': { dump: postgres(people + table + copied()).replaceAll('\n', '\r\n') },
  'COPY with escapes': {
    dump: postgres(
      people +
        table +
        copied(lines.replace('one', 'o\\x6e\\145').replace('two', 'a\\\\.\\tb').replace('three', '\\\\N')),
    ),
    texts: ['one', 'a\\.\tb', '\\N'],
  },
  'COPY with another delimiter': {
    dump: postgres(people + table + copied(lines, " WITH (DELIMITER ',')")),
    ...unreadable,
    says: /options behind it/,
  },
  'COPY of CSV, in the old words': {
    dump: postgres(people + table + copied(lines, ' CSV HEADER')),
    ...unreadable,
    says: /options behind it/,
  },
  'COPY with ENCODING and FORCE_NULL': {
    dump: postgres(people + table + copied(lines, " WITH (ENCODING 'latin1')")),
    ...unreadable,
    says: /options behind it/,
  },
  'COPY from a file': {
    dump: postgres(`${people}${table}${copied()}COPY messages FROM '/tmp/more.tsv';\n`),
    exit: 3,
    read: 4,
    says: /dump-statement/,
  },
  'COPY that is cut off': {
    dump: postgres(people + table + copied()).replace(/three[\s\S]*/, 'thr'),
    exit: 3,
    read: 3,
    texts: ['one', 'two'],
    says: /dump-cut-off/,
  },
  'a row of COPY with too few values': {
    dump: postgres(people + table + copied(lines.replace('bo\t', ''))),
    ...withoutTwo,
    says: /dump-columns/,
  },
  'texts that are not UTF-8': {
    dump: bytes(postgres(people + table + copied()), 'two', [0x41, 0xff]),
    ...withoutTwo,
    says: /dump-encoding/,
  },
  'texts with bytes of zero': {
    dump: bytes(postgres(people + table + copied()), 'two', [0x41, 0, 0x42]),
    ...nothing,
  },
  'texts in latin1': {
    dump: bytes(postgres(`SET client_encoding = 'LATIN1';\n${people}${table}${copied()}`), 'two', [0xe9]),
    texts: ['one', 'é', 'three'],
  },
  'texts in an encoding that is not read': {
    dump: postgres(`SET client_encoding = 'EUC_JP';\n${people}${table}${copied()}`),
    ...unreadable,
    says: /EUC_JP/,
  },
  'functions and DO blocks that insert': {
    dump: postgres(
      `${people}${table}CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $a$ INSERT INTO messages VALUES (9, 'x', 'x', 'x', $$;$$); $a$;
DO $do$ BEGIN INSERT INTO messages VALUES (8, 'x', 'x', 'x', 'x'); END $do$;
CREATE PROCEDURE p() BEGIN ATOMIC INSERT INTO messages VALUES (9, 'x', 'x', 'x', 'x'); END;
${copied()}`,
    ),
    ...{ exit: 3, read: 4, says: /dump-statement/ },
  },
  'a function with INSERT that the dump calls': {
    dump: postgres(`${people}${table}${copied()}SELECT add_messages();\nCALL add_more();\n`),
  },
  'strings of every kind of PostgreSQL': {
    dump: postgres(people + table + bodies(`E'o\\u006ee'`, `'tw' || 'o'`, `$q$three$q$`)),
    ...{ exit: 3, texts: ['one', 'two'], says: /dump-value/ },
  },
  'strings with U&': {
    dump: postgres(people + table + bodies(`'one'`, `U&'tw\\006f'`, `'three'`)),
    ...withoutTwo,
    says: /dump-value/,
  },
  'strings of a dump that escapes': {
    dump: postgres(
      `SET standard_conforming_strings = off;\n${people}${table}${bodies(`'o\\'ne'`, `'tw\\\\o'`, `'three'`)}`,
    ),
    texts: [`o'ne`, 'tw\\o', 'three'],
  },
  'rows in lines, with comments between': {
    dump: postgres(
      `${people}${table}INSERT INTO messages -- to here\nVALUES /* ( */ ${rows.replaceAll('),', ') -- );\n, /* /* nested */ */')}\nON CONFLICT DO NOTHING;\n`,
    ),
  },
  'INSERT … SELECT, UPDATE and DELETE': {
    dump: postgres(
      `${people}${messages}INSERT INTO messages SELECT id + 10, room, who, sent, body FROM messages;\nUPDATE ONLY messages SET body = 'x';\nDELETE FROM messages WHERE id = 2;\n`,
    ),
    ...{ exit: 3, read: 6, says: /dump-statement/ },
  },
  'statements inside WITH': {
    dump: postgres(
      `${people}${messages}WITH gone AS (DELETE FROM messages WHERE id = 2 RETURNING *) SELECT 1 FROM gone;\n`,
    ),
    ...{ exit: 3, read: 4, says: /dump-statement/ },
  },
  'a column that is renamed behind its rows': {
    dump: postgres(`${people}${messages}ALTER TABLE messages RENAME COLUMN body TO old_body;\n`),
    exit: 3,
    read: 4,
    says: /dump-statement/,
  },
  'a table that is renamed into its place': {
    dump: postgres(
      `${people}${messages.replaceAll('messages', 'new_messages')}${table}ALTER TABLE messages RENAME TO old; ALTER TABLE new_messages RENAME TO messages;\n`,
    ),
    ...{ exit: 3, read: 1, texts: [], says: /dump-statement/ },
  },
  'a schema that is set in the middle': {
    dump: postgres(
      `${people}${table}SET search_path = other, public;\n${table}${insert(row(9, `'x'`))}SET search_path = public;\n${insert(rows)}`,
    ),
  },
  'partitions and tables that inherit': {
    dump: postgres(
      `${people}${table.replace(';', ' PARTITION BY RANGE (id);')}CREATE TABLE low (LIKE messages);\nALTER TABLE ONLY messages ATTACH PARTITION low FOR VALUES FROM (1) TO (3);
CREATE TABLE high PARTITION OF messages FOR VALUES FROM (3) TO (9);\n${insert(`${row(1, `'one'`)}, ${row(2, `'two'`)}`).replace('messages', 'low')}${insert(row(3, `'three'`)).replace('messages', 'high')}`,
    ),
  },
  'infinite times and times before Christ': {
    dump: postgres(
      people +
        table.replace('sent varchar(40)', 'sent timestamptz') +
        insert(`${row(1, `'one'`)}, ${row(2, `'x'`, `'infinity'`)}, ${row(3, `'y'`, `'0044-03-15 12:00:00+00 BC'`)}`),
    ),
    ...{ exit: 3, texts: ['one'] },
  },
  'domains, enums, arrays and composite types': {
    dump: postgres(
      `CREATE DOMAIN words AS text CHECK (VALUE <> ';');\nCREATE TYPE mood AS ENUM ('a;b', 'c''d');\nCREATE TYPE pair AS (a int, b text);\n${people}${tableNamed('messages', 'body words, m mood, p pair, l text[][]')}${insert([1, 2, 3].map((id) => row(id, `'${['one', 'two', 'three'][id - 1]}'::words, 'a;b', ROW(1, 'x'), ARRAY[ARRAY['a)', 'b']]`)).join())}`,
    ),
  },
  'rows twice': { dump: postgres(people + table + copied(`${lines}\n${lines.split('\n')[1]}`)), says: /Duplicates +1/ },
  'a row twice with another text': {
    dump: postgres(people + table + copied(`${lines}\n${lines.split('\n')[1]!.replace('two', 'other')}`)),
    exit: 3,
    read: 4,
  },
  'names of every kind': {
    dump: postgres(
      chat +
        hostileNames
          .map(
            (name) =>
              `CREATE TABLE ${quoted(name)} (${quoted(name)} text);\nINSERT INTO ${quoted(name)} VALUES ('1');\n`,
          )
          .join(''),
    ),
    says: /table-not-read/,
  },
  'names that differ in capitals alone': {
    dump: postgres(`${chat}CREATE TABLE "Messages" (id int, body text);\nINSERT INTO "Messages" VALUES (1, 'x');\n`),
  },
  'a row of 20 MB': {
    dump: postgres(people + table + copied(lines.replace('two', 'x'.repeat(20e6)))),
    ...withoutTwo,
    says: /cell-too-large/,
  },
  'a row of 80 MB': {
    dump: postgres(people + table + copied(lines.replace('two', 'x'.repeat(80e6)))),
    // The 64 MiB that a row may have are held as a whole.
    peakMiBMax: 400,

    ...withoutTwo,
    says: /dump-too-large|cell-too-large/,
  },
  'a statement of 80 MB': { dump: postgres(`${chat}SELECT '${'x'.repeat(80e6)}';\n`) },
  '5,000 tables and 1,600 columns': {
    dump: postgres(
      `${people}${tableNamed('messages', `body text, ${Array.from({ length: 1590 }, (_, at) => `c${at} text`).join()}`)}INSERT INTO messages (id, room, who, sent, body) VALUES ${rows};\n${Array.from({ length: 5000 }, (_, at) => `CREATE TABLE t${at} (a text);\n`).join('')}`,
    ),
  },
  'a million values that nobody closes': {
    dump: postgres(`${people}${table}INSERT INTO messages VALUES (1, ${'('.repeat(1e6)}`),
    exit: 3,
    read: 1,
    texts: [],
    says: /dump-cut-off/,
  },
  'a quote that nobody closes': {
    dump: postgres(`${chat}COMMENT ON TABLE messages IS 'it;\n`),
    says: /dump-cut-off/,
  },
  'rows that are taken back': {
    dump: postgres(`${people}${table}BEGIN;\n${insert(rows)}ROLLBACK;\n`),
    says: /dump-of-damaged/,
  },
  'the custom format': { dump: Buffer.from('PGDMP\x01\x0e\0'), ...nothing, says: /pg_restore/ },
  mysqldump: { dump: mysql(chat.replaceAll('messages', '`messages`')) },
  'mysqldump in latin1': {
    dump: bytes(mysql(`/*!40101 SET NAMES latin1 */;\n${chat}`), `two`, [0x80]),
    texts: ['one', '€', 'three'],
  },
  'strings of every kind of MySQL': {
    dump: mysql(
      people + table + bodies(`_utf8mb4 0x6f6e65`, `X'74776f'`, `_utf8mb4'three'`, `0x66`, `"a""b\\"c"`, `N'it''s'`),
    ),
    ...{ read: 6, texts: ['one', 'two', 'three', 'f', 'a"b"c', `it's`] },
  },
  'strings in the charset of an introducer': {
    dump: mysql(people + table + bodies(`'one'`, `_latin1 0xe9`, `'three'`, `_utf16 0x0041`)),
    ...{ exit: 3, read: 4, texts: ['one', 'three'], says: /dump-value/ },
  },
  'escapes of MySQL': {
    dump: mysql(people + table + bodies(`'o\\'n\\ne'`, `'\\%\\_\\x\\\\'`, `'a'\n'b'`)),
    ...{ exit: 3, texts: [`o'n\ne`, '\\%\\_x\\'], says: /dump-value/ },
  },
  'a dump without escapes': {
    dump: mysql(`SET sql_mode = 'NO_BACKSLASH_ESCAPES';\n${people}${table}${bodies(`'o\\'`, `'two'`, `'three'`)}`),
    texts: ['o\\', 'two', 'three'],
  },
  'triggers behind other delimiters': {
    dump: mysql(
      `${people}${table}DELIMITER ;;\n/*!50003 CREATE TRIGGER t AFTER INSERT ON messages FOR EACH ROW BEGIN INSERT INTO messages VALUES (9, 'x', 'x', 'x', 'x'); DELETE FROM people; END */;;\nDELIMITER ;\n${insert(rows)}DELIMITER $$\nCREATE PROCEDURE p() BEGIN DELETE FROM messages; END$$\nDELIMITER ;\n`,
    ),
  },
  'statements inside of versions': {
    dump: mysql(
      `${people}${table}/*!50000 INSERT INTO messages VALUES ${row(1, `'one'`)} */;\n/*!40000 INSERT INTO */ messages VALUES ${row(2, `'two'`)};\nINSERT /*! IGNORE */ INTO messages VALUES ${row(3, `/*!50000 'three' */`)};\n`,
    ),
    ...{ exit: 3, says: /dump-value/, texts: ['one', 'two'] },
  },
  'zero dates': {
    dump: mysql(
      people +
        table +
        insert(`${row(1, `'one'`)}, ${row(2, `'x'`, `'0000-00-00 00:00:00'`)}, ${row(3, `'y'`, `'2026-00-00'`)}`),
    ),
    exit: 3,
    texts: ['one'],
  },
  'ids that are negative, or have more digits than a number': {
    dump: mysql(
      people +
        table +
        insert(
          `${row(1, `'one'`).replace('1', '-9223372036854775808')}, ${row(2, `'two'`).replace('2', '18446744073709551615')}, ${row(3, `'three'`).replace('3', '18446744073709551614')}`,
        ),
    ),
  },
  'values that are computed': {
    dump: mysql(people + table + bodies(`'one'`, `CONCAT('t', 'wo')`, `'three'`)),
    ...withoutTwo,
    says: /dump-value/,
  },
  'bits, blobs and JSON': {
    dump: mysql(
      `${people}${tableNamed('messages', 'body text, b bit(9), c longblob, d json')}${insert([1, 2, 3].map((id) => row(id, `'${['one', 'two', 'three'][id - 1]}', b'101', _binary '\\0;\\'', '{\\"a\\": \\"\\\\n\\"}'`)).join())}`,
    ),
  },
  'texts in a column of bytes': {
    dump: mysql(`${people}${tableNamed('messages', 'body longblob')}${bodies(`_binary 'one'`, `0x74776f`, `'three'`)}`),
    ...{ texts: ['6f6e65', '74776f', '7468726565'], says: /text-of-bytes/ },
  },
  'REPLACE of a row': {
    dump: mysql(`${people}${messages}REPLACE INTO messages VALUES ${row(2, `'later'`)};\n`),
    exit: 3,
    read: 4,
  },
  'INSERT that changes a row': {
    dump: mysql(
      `${people}${messages}INSERT INTO messages VALUES ${row(2, `'x'`)} ON DUPLICATE KEY UPDATE body = 'later';\n`,
    ),
    exit: 3,
    read: 4,
  },
  'INSERT … SET, and CREATE … SELECT': {
    dump: mysql(
      `${people}${table}INSERT INTO messages SET id = 1, room = 'quay', who = 'ann', sent = '2026-03-01T08:00:00Z', body = 'one';\nCREATE TABLE copy SELECT * FROM messages;\n${insert(`${row(2, `'two'`)}, ${row(3, `'three'`)}`)}`,
    ),
  },
  'LOAD DATA': {
    dump: mysql(`${chat}LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE messages;\n`),
    exit: 3,
    read: 4,
    says: /dump-statement/,
  },
  'several databases': { dump: mysql(`USE app;\n${chat}USE other;\n${messages}`), ...nothing, says: /app\.messages/ },
  'a placeholder of a view': {
    dump: mysql(`${people}CREATE TABLE messages (id int);\nDROP TABLE messages;\nCREATE VIEW messages AS SELECT 1;\n`),
    ...nothing,
  },
  'names of every kind, in ticks': {
    dump: mysql(
      chat +
        hostileNames
          .map(
            (name) =>
              `CREATE TABLE ${ticked(name)} (${ticked(name)} text);\nINSERT INTO ${ticked(name)} VALUES ('1');\n`,
          )
          .join(''),
    ),
    says: /table-not-read/,
  },
  'a mark of the byte order': { dump: `\ufeff${mysql(chat)}` },
  'UTF-16': { dump: Buffer.from(`\ufeff${mysql(chat)}`, 'utf16le') },
  'a table that is made twice': {
    dump: mysql(`${people}${table}${insert(row(9, `'x'`))}DROP TABLE IF EXISTS messages;\n${messages}`),
  },
  'a dump without any sign of its system': { dump: chat },
  'rows before their table': {
    dump: `${people}INSERT INTO messages (id, room, who, sent, body) VALUES ${rows};\n${table}`,
  },
  'columns with names that are reserved or empty': {
    dump: mysql(
      `${people}CREATE TABLE messages (id int PRIMARY KEY, ${columns}, \`primary\` text, \`key\` text, \`\` text, body text);\nINSERT INTO messages VALUES ${[1, 2, 3].map((id) => row(id, `'p', 'k', 'e', '${['one', 'two', 'three'][id - 1]}'`)).join()};\n`,
    ),
  },
};
