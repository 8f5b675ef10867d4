/** SQLite files. */
import { copyFileSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { chat, type Expected, type Forms, hostileNames, people, rows, tableNamed } from './form.ts';

interface SqliteForm extends Expected {
  /** Instead of the usual chat, or behind it. */
  readonly sql?: string;
  readonly also?: string;
  /** With what no statement makes. The database is open, and closed behind it. */
  readonly make?: (db: Database.Database, path: string) => void;
  /** To the closed file. */
  readonly break?: (path: string) => void;
}

export function makeSqlite(path: string, { sql = chat, also = '', make, break: damage }: SqliteForm): void {
  const db = new Database(path);
  db.unsafeMode(true);
  db.exec(sql + also);
  make?.(db, path);
  db.close();
  damage?.(path);
}

const from = 'id, room, who, sent';
const view = (select: string) => `ALTER TABLE messages RENAME TO stored; CREATE VIEW messages AS ${select};`;
const computed = (expression: string) =>
  `ALTER TABLE messages RENAME COLUMN body TO stored; ALTER TABLE messages ADD COLUMN body text AS (${expression});`;
const numbers = 'WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n)';
const time = `strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + n, 'unixepoch')`;
const many = `${people}${tableNamed('messages')}${numbers} INSERT INTO messages SELECT n, 'quay', 'ann', ${time}, 'text ' || n FROM n LIMIT 5000;`;
const overwrite = (path: string, at: number, byteCount: number) => {
  const fd = openSync(path, 'r+');
  writeSync(fd, Buffer.alloc(byteCount, 0xa5), 0, byteCount, at);
};
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
/** A file whose log is still there, as it is copied from a running application. */
function withLog(db: Database.Database, path: string): void {
  db.pragma('journal_mode = WAL');
  db.pragma('wal_autocheckpoint = 0');
  db.exec(`INSERT INTO messages VALUES (4, 'quay', 'bo', '2026-03-01T08:03:00Z', 'four')`);
  db.exec(`INSERT INTO messages VALUES (5, 'quay', 'bo', '2026-03-01T08:04:00Z', 'five')`);
  for (const end of ['', '-wal']) copyFileSync(path + end, `${path}.kept${end}`);
}
const keptLog = (path: string) => {
  for (const end of ['', '-wal']) {
    copyFileSync(`${path}.kept${end}`, path + end);
    rmSync(`${path}.kept${end}`);
  }
};
const three = ['one', 'two', 'three'];

export const sqliteForms: Forms<SqliteForm> = {
  'the chat itself': {},
  'a view of a function of the application': {
    also: view(`SELECT ${from}, app_decrypt(body) AS body FROM stored`),
    ...{ exit: 4, read: undefined, texts: [], says: /no such function: app_decrypt/ },
  },
  'a view of a table that is gone': {
    also: 'ALTER TABLE messages RENAME TO stored; CREATE VIEW messages AS SELECT * FROM other; CREATE VIEW other AS SELECT * FROM gone;',
    ...{ exit: 4, read: undefined, texts: [], says: /no such table: main.gone/ },
  },
  'views of each other': {
    also: 'DROP TABLE messages; CREATE VIEW messages AS SELECT * FROM b; CREATE VIEW b AS SELECT * FROM messages;',
    ...{ exit: 4, read: undefined, texts: [], says: /circularly defined/ },
  },
  'broken views that nobody needs': { also: 'CREATE VIEW a AS SELECT app_x(1); CREATE VIEW b AS SELECT * FROM gone;' },
  'twenty views, each of the one before': {
    also: `${view('SELECT * FROM v20')}${Array.from({ length: 20 }, (_, at) => `CREATE VIEW v${at + 1} AS SELECT * FROM ${at === 0 ? 'stored' : `v${at}`};`).join('')}`,
  },
  'a view with a column twice': { also: view('SELECT *, 1 AS body, 2 AS body FROM stored') },
  'a view that makes rows without end': {
    also: view(`${numbers} SELECT n AS id, 'quay' AS room, 'ann' AS who, ${time} AS sent, 'x' AS body FROM n`),
    ...{ exit: 130, read: undefined, texts: undefined, during: interruptAfter(5000) },
  },
  'a view that loads code': {
    also: view(`SELECT ${from}, load_extension('/tmp/x') AS body FROM stored`),
    ...{ exit: 4, read: undefined, texts: [], says: /load_extension|not authorized|unsafe/ },
  },
  'columns that are computed': {
    sql: `${people}${tableNamed('messages', `stored text, body text AS (upper(stored)), other text AS (stored || '!') STORED`)}INSERT INTO messages VALUES ${rows};`,
    texts: ['ONE', 'TWO', 'THREE'],
  },
  'a computed cell of 900 MB': {
    also: computed(`CASE id WHEN 2 THEN hex(zeroblob(450000000)) ELSE stored END`),
    ...{ exit: 3, texts: ['one', 'three'], says: /cell-too-large/ },
  },
  'a computed cell that fails': {
    also: computed(`CASE id WHEN 2 THEN json_extract(stored, '$') ELSE stored END`),
    ...{ exit: 3, read: 2, texts: ['one'], says: /JSON/ },
  },
  'a stored cell of 60 MB': {
    also: `UPDATE messages SET body = hex(zeroblob(30000000)) WHERE id = 2`,
    ...{ exit: 3, texts: ['one', 'three'], says: /cell-too-large/ },
  },
  'thirty rows of 15 MB': {
    sql: `${people}${tableNamed('messages')}${numbers} INSERT INTO messages SELECT n, 'quay', 'ann', ${time}, hex(zeroblob(7500000)) FROM n LIMIT 30;`,
    ...{ read: 30, peakMiBMax: 480, texts: Array.from({ length: 30 }, () => '15000000') },
  },
  'a table for full text': {
    sql: `${people} CREATE VIRTUAL TABLE messages USING fts5(id, room, who, sent, body); INSERT INTO messages (id, room, who, sent, body) VALUES ${rows};`,
  },
  'virtual tables of modules that are not there': {
    make(db) {
      db.pragma('writable_schema = ON');
      db.exec(
        `INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 0, 'CREATE VIRTUAL TABLE x USING app_module(a)'), ('table', 'y', 'y', 0, 'CREATE VIRTUAL TABLE y USING fts5(a, tokenize=''app'')')`,
      );
    },
  },
  'messages in a virtual table of a module that is not there': {
    sql: people,
    make(db) {
      db.pragma('writable_schema = ON');
      db.exec(
        `INSERT INTO sqlite_schema VALUES ('table', 'messages', 'messages', 0, 'CREATE VIRTUAL TABLE messages USING app_module(a)')`,
      );
    },
    ...{ exit: 4, read: undefined, texts: [], says: /app_module/ },
  },
  'a table without row ids, with a key of two columns': {
    sql: `${people} CREATE TABLE messages (id, room, who, sent, body, PRIMARY KEY (room, id)) WITHOUT ROWID; INSERT INTO messages VALUES ${rows};`,
  },
  'a strict table with anything in it': {
    sql: `${people} CREATE TABLE messages (id INTEGER PRIMARY KEY, room TEXT, who ANY, sent ANY, body ANY) STRICT; INSERT INTO messages VALUES ${rows};`,
  },
  'triggers that delete': {
    also: `CREATE TRIGGER t AFTER INSERT ON messages BEGIN DELETE FROM messages; END; CREATE VIEW v AS SELECT 1 AS a; CREATE TRIGGER u INSTEAD OF UPDATE ON v BEGIN DELETE FROM people; END;`,
  },
  'a collation of the application': {
    sql: `${people} CREATE TABLE messages (id, room, who, sent, body TEXT); INSERT INTO messages VALUES ${rows};`,
    make(db) {
      db.pragma('writable_schema = ON');
      db.exec(
        `UPDATE sqlite_schema SET sql = replace(sql, 'body TEXT', 'body TEXT COLLATE app') WHERE name = 'messages'`,
      );
    },
  },
  'a damaged page of rows': {
    sql: many,
    break: (path) => overwrite(path, 4096 * 30, 4096),
    ...{ exit: 3, read: 1691, texts: undefined, says: /damaged/ },
  },
  'a damaged schema': {
    break: (path) => overwrite(path, 100, 2000),
    ...{ exit: 4, read: undefined, texts: [], says: /damaged|malformed/ },
  },
  'a schema that is no SQL': {
    make(db) {
      db.pragma('writable_schema = ON');
      db.exec(`UPDATE sqlite_schema SET sql = 'CREATE TABLE messages (' WHERE name = 'messages'`);
    },
    ...{ exit: 4, read: undefined, texts: [], says: /damaged|malformed/ },
  },
  'a file that is cut off': {
    sql: many,
    break: (path) => truncateSync(path, 4096 * 30),
    ...{ exit: 4, read: undefined, texts: [], says: /damaged/ },
  },
  'the first 100 bytes alone': { break: (path) => truncateSync(path, 100), ...{ exit: 4, read: undefined, texts: [] } },
  'a log without an index': { make: withLog, break: keptLog, ...{ read: 5, texts: [...three, 'four', 'five'] } },
  'a log that is cut off in a frame': {
    make: withLog,
    break(path) {
      keptLog(path);
      truncateSync(`${path}-wal`, 32 + 24 + 4096 + 100);
    },
    ...{ texts: three, says: /database-without-log/ },
  },
  'a log with a damaged frame': {
    make: withLog,
    break(path) {
      keptLog(path);
      overwrite(`${path}-wal`, 32 + 24 + 4096 + 24 + 4000, 50);
    },
    ...{ texts: three, says: /database-without-log/ },
  },
  'a log of something else': {
    make: withLog,
    break(path) {
      keptLog(path);
      writeFileSync(`${path}-wal`, 'garbage '.repeat(1000));
    },
    ...{ says: /database-without-log/ },
  },
  'the journal of a writer that was cut off': {
    make(db, path) {
      db.pragma('cache_size = 1');
      db.exec(
        `BEGIN; UPDATE messages SET body = 'changed'; ${numbers} INSERT INTO people SELECT n, hex(zeroblob(2000)) FROM n LIMIT 500`,
      );
      for (const end of ['', '-journal']) writeFileSync(`${path}.kept${end}`, readFileSync(path + end));
      db.exec('ROLLBACK');
    },
    break(path) {
      for (const end of ['', '-journal']) {
        copyFileSync(`${path}.kept${end}`, path + end);
        rmSync(`${path}.kept${end}`);
      }
    },
    ...{ exit: 4, read: undefined, texts: [], says: /last writer was cut off/ },
  },
  'texts in UTF-16': {
    sql: `PRAGMA encoding = 'UTF-16be'; ${chat} UPDATE messages SET body = 'zwölf 🎉' WHERE id = 2;`,
    texts: ['one', 'zwölf 🎉', 'three'],
  },
  'texts that are not UTF-8': {
    also: `UPDATE messages SET body = CAST(x'41ff42' AS TEXT) WHERE id = 2`,
    ...{ exit: 3, texts: ['one', 'three'], says: /cell-encoding/ },
  },
  'a text with NUL in it': {
    also: `UPDATE messages SET body = 'a' || char(0) || 'b' WHERE id = 2`,
    texts: ['one', 'a\0b', 'three'],
  },
  'a text that is bytes': {
    also: `UPDATE messages SET body = x'74776f' WHERE id = 2`,
    ...{ texts: ['one', '74776f', 'three'], says: /text-of-bytes/ },
  },
  'a table of 2,000 columns': {
    sql: `${people}${tableNamed('messages', `body text, ${Array.from({ length: 1990 }, (_, at) => `c${at} text`).join()}`)} INSERT INTO messages (id, room, who, sent, body) VALUES ${rows};`,
  },
  '3,000 tables': {
    also: Array.from({ length: 3000 }, (_, at) => `CREATE TABLE t${at} (id INTEGER PRIMARY KEY, a text);`).join(''),
  },
  'names of every kind': {
    also: `${hostileNames.map((name) => `CREATE TABLE ${quoted(name)} (${quoted(name)} text, "" text); INSERT INTO ${quoted(name)} VALUES ('x', 1);`).join('')}`,
    says: /table-not-read/,
  },
  'messages under a name of every kind': {
    sql: `${people} CREATE TABLE ${quoted(hostileNames[0]!)} (id, room, who, sent, ${quoted(hostileNames[3]!)}); INSERT INTO ${quoted(hostileNames[0]!)} VALUES ${rows};`,
    source: {
      tables: { messages: { table: hostileNames[0] }, users: { table: 'people' } },
      messages: {
        id: 'id',
        conversation: 'room',
        author: 'who',
        time: { from: 'sent', format: 'iso' },
        text: hostileNames[3],
      },
    },
  },
  'ids that are negative, or have more digits than a number': {
    sql: `${people} CREATE TABLE messages (id INTEGER PRIMARY KEY, room, who, sent, body); INSERT INTO messages VALUES (-9223372036854775808, 'quay', 'ann', '2026-03-01T08:00:00Z', 'one'), (9223372036854775807, 'quay', 'ann', '2026-03-01T08:00:01Z', 'two'), (9223372036854775806, 'quay', 'ann', '2026-03-01T08:00:02Z', 'three');`,
  },
  'a message twice': {
    sql: `${people} CREATE TABLE messages (id, room, who, sent, body); INSERT INTO messages VALUES ${rows}, (2, 'quay', 'bo', '2026-03-01T08:01:00Z', 'another');`,
    ...{ exit: 3, read: 4 },
  },
  'times that are none': {
    also: `UPDATE messages SET sent = 9e999 WHERE id = 1; UPDATE messages SET sent = x'00' WHERE id = 2; UPDATE messages SET sent = NULL WHERE id = 3;`,
    ...{ exit: 3, texts: [] },
  },
  'pages of 65,536 bytes': { sql: `PRAGMA page_size = 65536; ${chat}` },
};

function interruptAfter(ms: number): NonNullable<Expected['during']> {
  return async ({ kill }) => {
    await wait(ms);
    kill('SIGINT');
  };
}
