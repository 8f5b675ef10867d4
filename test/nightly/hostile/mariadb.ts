/** Databases of MariaDB. */
import { setTimeout as wait } from 'node:timers/promises';
import { chat, columns, type Forms, hostileNames, people, rows, tableNamed } from './form.ts';
import { type ServerForm, untilRunning } from './servers.ts';

const ticked = (name: string) => `\`${name.replaceAll('`', '``')}\``;
const from = 'id, room, who, sent';
const view = (select: string) => `RENAME TABLE messages TO stored; CREATE VIEW messages AS ${select};`;
const nothing = { exit: 4, read: undefined, texts: [] } as const;
const many = `${people}${tableNamed('messages')}SET SESSION max_recursive_iterations = 1000000;
INSERT INTO messages WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20000)
SELECT n, 'quay', 'ann', DATE_FORMAT('2026-03-01' + INTERVAL n SECOND, '%Y-%m-%dT%TZ'), REPEAT('text ', 20) FROM n;`;
const interrupted = { exit: 130, read: undefined, texts: [] } as const;

export const mariadbForms: Forms<ServerForm> = {
  'the chat itself': {},
  'a view of a table that is gone': {
    also: `${view('SELECT * FROM stored')} DROP TABLE stored;`,
    ...nothing,
    says: /names tables, columns or functions that are not there/,
  },
  'a view that nobody needs, broken': {
    also: 'CREATE VIEW other AS SELECT * FROM people; ALTER TABLE people ADD x int; CREATE VIEW b AS SELECT x FROM people; ALTER TABLE people DROP x;',
  },
  'a view that fails with a row': {
    also: view(`SELECT ${from}, IF(id = 2, (SELECT body FROM stored), body) AS body FROM stored AS s`),
    ...nothing,
    says: /the server refused it with error 1242/,
  },
  'a view of a function that writes': {
    also: `CREATE TABLE log (a int); CREATE FUNCTION spy() RETURNS int DETERMINISTIC MODIFIES SQL DATA BEGIN INSERT INTO log VALUES (1); RETURN 1; END; ${view(`SELECT ${from}, IF(spy(), body, '') AS body FROM stored`)}`,
    grants: `GRANT SELECT, EXECUTE ON DATABASE.* TO reader@'%'`,
    ...nothing,
    says: /the server refused it with error 1792/,
  },
  'a view that recurs without end': {
    also: view(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT n AS id, 'quay' AS room, 'ann' AS who, '2026-03-01T08:00:00Z' AS sent, 'x' AS body FROM n WHERE n < 0`,
    ),
    ...interrupted,
    during: async ({ kill }, server) => {
      await untilRunning(server, 'FROM `messages`');
      await wait(2000);
      kill('SIGINT');
    },
  },
  'a view that recurs more often than a server lets it': {
    also: view(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 3000) SELECT n AS id, 'quay' AS room, 'ann' AS who, CONCAT('2026-03-01T08:00:00.', LPAD(n, 6, 0), 'Z') AS sent, 'x' AS body FROM n`,
    ),
    ...{ read: 3000, texts: undefined },
  },
  'a view that waits': {
    also: view(`SELECT ${from}, IF(SLEEP(1000), '', body) AS body FROM stored`),
    ...interrupted,
    during: async ({ kill }, server) => {
      await untilRunning(server, 'FROM `messages`');
      kill('SIGINT');
    },
  },
  'a view whose definer is gone': {
    also: `CREATE OR REPLACE USER gone@'%'; ${view('SELECT * FROM stored').replace('CREATE VIEW', "CREATE DEFINER = gone@'%' VIEW")} DROP USER gone@'%';`,
    ...nothing,
    says: /the definer of a view has no rights/,
  },
  'no right to the messages': {
    grants: `GRANT SELECT ON DATABASE.people TO reader@'%'`,
    ...nothing,
    says: /Cannot find the table "messages"/,
  },
  'no right to a column of the messages': {
    grants: `GRANT SELECT ON DATABASE.people TO reader@'%'; GRANT SELECT (id, room, who, sent) ON DATABASE.messages TO reader@'%'`,
    ...nothing,
    says: /"body"/,
  },
  'zero dates, and times in all zones': {
    sql: `SET sql_mode = ''; ${people}${tableNamed('messages').replace('sent varchar(40)', 'sent datetime')}INSERT INTO messages VALUES (1, 'quay', 'ann', '2026-03-01 08:00:00', 'one'), (2, 'quay', 'ann', '0000-00-00', 'two'), (3, 'quay', 'ann', '2026-00-00', 'three');`,
    ...{ exit: 3, texts: ['one'] },
  },
  'texts in many charsets': {
    sql: `${people}${tableNamed('messages', 'body text CHARACTER SET sjis, a text CHARACTER SET utf16, b text CHARACTER SET latin1')}INSERT INTO messages VALUES (1, 'quay', 'ann', '2026-03-01T08:00:00Z', '日本', '🎉', 'é'), (2, 'quay', 'ann', '2026-03-01T08:01:00Z', 'two', 'b', 'b'), (3, 'quay', 'ann', '2026-03-01T08:02:00Z', 'three', 'b', 'b');`,
    texts: ['日本', 'two', 'three'],
  },
  'a text with NUL in it': {
    also: `UPDATE messages SET body = CONCAT('a', CHAR(0), 'b') WHERE id = 2;`,
    texts: ['one', 'a\0b', 'three'],
  },
  'texts in a column of bytes': {
    sql: `${people}${tableNamed('messages', 'body longblob')}INSERT INTO messages VALUES ${rows};`,
    texts: ['6f6e65', '74776f', '7468726565'],
    says: /text-of-bytes/,
  },
  'bits, JSON, sets, places': {
    sql: `${people}${tableNamed('messages', `body text, b bit(9), j json, s set('a', 'b'), p point`)}INSERT INTO messages VALUES ${rows.replaceAll(/'(\w+)'\)/g, `'$1', b'101', '{"a": 1}', 'a,b', POINT(1, 2))`)};`,
  },
  'ids that are negative, or have more digits than a number': {
    sql: `${people}CREATE TABLE messages (id decimal(20) PRIMARY KEY, ${columns}, body text); INSERT INTO messages VALUES ${rows.replace('(2', '(18446744073709551615').replace('(3', '(18446744073709551614').replace('(1', '(-9223372036854775808')};`,
  },
  partitions: {
    sql: `${people}${tableNamed('messages').replace(';', ' PARTITION BY HASH (id) PARTITIONS 7;')}INSERT INTO messages VALUES ${rows};`,
  },
  'computed and hidden columns': {
    sql: `${people}${tableNamed('messages', `stored text, body text AS (UPPER(stored)), c int INVISIBLE DEFAULT 1`)}INSERT INTO messages (id, room, who, sent, stored) VALUES ${rows};`,
    texts: ['ONE', 'TWO', 'THREE'],
  },
  'a table with its history': {
    also: 'ALTER TABLE messages ADD SYSTEM VERSIONING; UPDATE messages SET body = body; DELETE FROM people;',
  },
  'triggers, sequences and events': {
    also: `CREATE SEQUENCE s; CREATE TRIGGER t BEFORE UPDATE ON messages FOR EACH ROW SET NEW.body = NEXT VALUE FOR s; CREATE EVENT e ON SCHEDULE EVERY 1 YEAR STARTS '2037-01-01' DO DELETE FROM messages;`,
  },
  'a table without transactions': {
    also: 'ALTER TABLE messages ENGINE = MyISAM;',
    says: /database-no-snapshot/,
  },
  'a table that is damaged or of no engine': { also: 'CREATE TABLE broken (a int) ENGINE = MERGE UNION = (gone);' },
  'names of every kind': {
    also: hostileNames
      .map((name) => `CREATE TABLE ${ticked(name)} (${ticked(name)} text); INSERT INTO ${ticked(name)} VALUES ('1');`)
      .join(''),
    says: /table-not-read/,
  },
  'names that differ in capitals alone': {
    also: `CREATE TABLE Messages (ID int, body text); CREATE TABLE MESSAGES (id int);`,
  },
  'cells of 15 MB': {
    also: `ALTER TABLE messages MODIFY body longtext; UPDATE messages SET body = REPEAT('x', 15000000);`,
    texts: ['15000000', '15000000', '15000000'],
    peakMiBMax: 450,
  },
  '1,000 columns and 500 tables': {
    sql: `${people}${tableNamed('messages', `body text, ${Array.from({ length: 1000 }, (_, at) => `c${at} bit`).join()}`)}INSERT INTO messages (id, room, who, sent, body) VALUES ${rows};${Array.from({ length: 500 }, (_, at) => `CREATE TABLE t${at} (a int);`).join('')}`,
  },
  'a table that another session has locked': {
    ...nothing,
    says: /another session has locked the table/,
    during: async (_, server) => server.hold('LOCK TABLES messages WRITE, people WRITE'),
  },
  'a connection that is ended in the middle': {
    sql: many,
    ...nothing,
    says: /Lost the connection|cancelled/,
    during: async (_, server) => {
      const id = await untilRunning(server, 'FROM `messages`');
      await server.run(`KILL ${id}`);
    },
  },
  'rows that come and go while it is read': {
    sql: many,
    ...{ read: 20_000, texts: undefined },
    during: async (_, server) => {
      await untilRunning(server, 'FROM `messages`');
      for (let id = 1; id < 100; id++) {
        await server.run(
          `INSERT INTO messages VALUES (${-id}, 'quay', 'ann', '2026-03-01T08:00:00Z', 'new'); DELETE FROM messages WHERE id = ${20_000 - id}`,
        );
        await wait(5);
      }
    },
  },
  'a row twice, without a key': {
    sql: `${people}${tableNamed('messages').replace(' PRIMARY KEY', '')}INSERT INTO messages VALUES ${rows}, (2, 'quay', 'bo', '2026-03-01T08:01:00Z', 'other');`,
    ...{ exit: 3, read: 4 },
  },
  'a mode in which quotes and backslashes mean something else': {
    sql: `${chat}SET GLOBAL sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH';`,
  },
};
