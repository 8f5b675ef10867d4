/** Databases of PostgreSQL. */
import { setTimeout as wait } from 'node:timers/promises';
import { columns, type Forms, hostileNames, people, rows, tableNamed } from './form.ts';
import { type ServerForm, untilRunning } from './servers.ts';

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const from = 'id, room, who, sent';
const view = (select: string) => `ALTER TABLE messages RENAME TO stored; CREATE VIEW messages AS ${select};`;
const nothing = { exit: 4, read: undefined, texts: [] } as const;
const interrupted = { exit: 130, read: undefined, texts: [] } as const;
const many = `${people}${tableNamed('messages')}INSERT INTO messages SELECT n, 'quay', 'ann', to_char(timestamp '2026-03-01' + n * interval '1 s', 'YYYY-MM-DD"T"HH24:MI:SSZ'), repeat('text ', 20) FROM generate_series(1, 20000) AS n;`;
const numbers = 'WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n)';
const reading = 'FETCH';

export const postgresForms: Forms<ServerForm> = {
  'the chat itself': {},
  'a view that fails with a row': {
    also: view(`SELECT ${from}, CASE WHEN id / (id - 2) > 5 THEN '' ELSE body END AS body FROM stored`),
    ...nothing,
    says: /SQLSTATE 22012/,
  },
  'a view of a function that writes': {
    also: `CREATE TABLE log (a int); CREATE FUNCTION spy() RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN INSERT INTO log VALUES (1); RETURN 1; END $$; ${view(`SELECT ${from}, CASE spy() WHEN 1 THEN body END AS body FROM stored`)}`,
    ...nothing,
    says: /SQLSTATE 25006/,
  },
  'a view of a sequence that counts': {
    also: `CREATE SEQUENCE s; GRANT ALL ON s TO reader; ${view(`SELECT nextval('s') AS number, * FROM stored`)}`,
    ...nothing,
    source: wanting('number'),
    says: /SQLSTATE 25006/,
  },
  'a view of a function that ends the transaction': {
    also: `CREATE FUNCTION spy() RETURNS int LANGUAGE plpgsql AS $$ BEGIN SET TRANSACTION READ WRITE; RETURN 1; END $$; ${view(`SELECT ${from}, CASE spy() WHEN 1 THEN body END AS body FROM stored`)}`,
    ...nothing,
    says: /SQLSTATE 25001/,
  },
  'a view that ends its own session': {
    also: view(`SELECT ${from}, CASE WHEN pg_terminate_backend(pg_backend_pid()) THEN body END AS body FROM stored`),
    ...nothing,
    says: /Lost the connection/,
  },
  'a view that makes rows without end': {
    also: view(
      `${numbers} SELECT n AS id, 'quay' AS room, 'ann' AS who, '2026-03-01T08:00:00Z' AS sent, 'x' AS body FROM n`,
    ),
    ...interrupted,
    during: async ({ kill }) => {
      await wait(5000);
      kill('SIGINT');
    },
  },
  'a view that runs without end and makes no row': {
    also: view(
      `${numbers} SELECT n AS id, 'quay' AS room, 'ann' AS who, '2026-03-01T08:00:00Z' AS sent, 'x' AS body FROM n WHERE n < 0`,
    ),
    ...interrupted,
    during: async ({ kill }, server) => {
      await untilRunning(server, reading);
      await wait(500);
      kill('SIGINT');
    },
  },
  'a view that waits': {
    also: view(`SELECT ${from}, CASE WHEN pg_sleep(1000) IS NOT NULL THEN body END AS body FROM stored`),
    ...interrupted,
    during: async ({ kill }, server) => {
      await untilRunning(server, reading);
      kill('SIGINT');
    },
  },
  'a materialised view that was never filled': {
    also: `ALTER TABLE messages RENAME TO stored; CREATE MATERIALIZED VIEW messages AS SELECT * FROM stored WITH NO DATA;`,
    ...nothing,
    says: /messages/,
  },
  'rows that policies hide': {
    also: `ALTER TABLE messages ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON messages USING (id <> 2);`,
    ...nothing,
    says: /policies hide rows/,
  },
  'rows that policies hide behind a view': {
    also: `ALTER TABLE messages RENAME TO stored; ALTER TABLE stored ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON stored USING (id <> 2); CREATE VIEW messages WITH (security_invoker) AS SELECT * FROM stored;`,
    ...nothing,
    says: /has not the right|policies/,
  },
  'functions that shadow those of the server': {
    also: `CREATE SCHEMA evil; GRANT USAGE ON SCHEMA evil TO reader; CREATE FUNCTION evil.set_config(text, text, boolean) RETURNS text LANGUAGE sql AS 'SELECT $2'; CREATE FUNCTION evil.lower(text) RETURNS text LANGUAGE sql AS $$ SELECT 'x' $$;
      DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET search_path = evil, pg_catalog, public'; EXECUTE 'ALTER DATABASE ' || current_database() || ' SET DateStyle = ''SQL, DMY'''; END $$;
      ALTER TABLE messages ALTER sent TYPE timestamptz USING sent::timestamptz;`,
    source: { tables: { messages: { table: 'public.messages' }, users: { table: 'public.people' } } },
  },
  'operators that shadow those of the server': {
    also: `CREATE SCHEMA evil; GRANT USAGE ON SCHEMA evil TO reader; CREATE FUNCTION evil.never(name, name) RETURNS boolean LANGUAGE sql AS 'SELECT false'; CREATE OPERATOR evil.= (FUNCTION = evil.never, LEFTARG = name, RIGHTARG = name);
      DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET search_path = evil, pg_catalog, public'; END $$;`,
    source: { tables: { messages: { table: 'public.messages' }, users: { table: 'public.people' } } },
  },
  'no right to the messages': { grants: 'GRANT SELECT ON people TO reader', ...nothing, says: /messages/ },
  'no right to a column of the messages': {
    grants: 'GRANT SELECT ON people TO reader; GRANT SELECT (id, room, who, sent) ON messages TO reader',
    ...nothing,
    says: /"body"/,
  },
  'partitions of partitions': {
    sql: `${people}${tableNamed('messages').replace(';', ' PARTITION BY RANGE (id);')}CREATE TABLE low PARTITION OF messages FOR VALUES FROM (1) TO (3) PARTITION BY RANGE (id); CREATE TABLE lower PARTITION OF low FOR VALUES FROM (1) TO (3); CREATE TABLE high PARTITION OF messages DEFAULT; INSERT INTO messages VALUES ${rows};`,
  },
  'tables that inherit, with the same ids': {
    also: `CREATE TABLE newer (extra text) INHERITS (messages); INSERT INTO newer VALUES (3, 'quay', 'ann', '2026-03-01T08:03:00Z', 'inherited', 'x');`,
    ...{ exit: 3, read: 4 },
  },
  'domains, enums, arrays, ranges and composite types': {
    sql: `CREATE DOMAIN words AS text; CREATE DOMAIN more_words AS words; CREATE TYPE mood AS ENUM ('a', ''); CREATE TYPE pair AS (a int, b text[]); ${people}${tableNamed('messages', 'body more_words, m mood[], p pair, r int4range, x xml')}INSERT INTO messages VALUES ${rows.replaceAll(/'(\w+)'\)/g, `'$1', '{a,""}', ROW(1, '{"}"}'), '[1,2)', '<a/>')`)};`,
  },
  'infinite times, and times before Christ': {
    sql: `${people}${tableNamed('messages').replace('sent varchar(40)', 'sent timestamptz')}INSERT INTO messages VALUES (1, 'quay', 'ann', '2026-03-01T09:00:00+01', 'one'), (2, 'quay', 'ann', 'infinity', 'two'), (3, 'quay', 'ann', '0044-03-15 12:00 BC', 'three');`,
    ...{ exit: 3, texts: ['one'] },
  },
  'texts in a column of bytes': {
    sql: `${people}${tableNamed('messages', 'body bytea')}INSERT INTO messages VALUES ${rows};`,
    texts: ['6f6e65', '74776f', '7468726565'],
    says: /text-of-bytes/,
  },
  'ids that are no numbers': {
    sql: `${people}CREATE TABLE messages (id numeric PRIMARY KEY, ${columns}, body text); INSERT INTO messages VALUES ${rows.replace('(1', `('NaN'`).replace('(2', `(-1e30`).replace('(3', `('Infinity'`)};`,
  },
  'names of every kind': {
    also: hostileNames
      .map(
        (name) => `CREATE SCHEMA ${quoted(name)}; CREATE TABLE ${quoted(name)}.${quoted(name)} (${quoted(name)} text);`,
      )
      .join(''),
    grants: `GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;${hostileNames.map((name) => `GRANT USAGE ON SCHEMA ${quoted(name)} TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA ${quoted(name)} TO reader;`).join('')}`,
    says: /table-not-read/,
  },
  'tables of every name that may not be read': {
    also: hostileNames
      .map((name) => `CREATE TABLE ${quoted(name)} (${quoted(name)} text); REVOKE ALL ON ${quoted(name)} FROM reader;`)
      .join(''),
    grants: 'GRANT SELECT ON messages, people TO reader',
    says: /database-table-unreadable/,
  },
  'names that differ in capitals alone': {
    also: `CREATE TABLE "Messages" ("ID" int, "Body" text, body text); CREATE TABLE "MESSAGES" (id int);`,
  },
  'a cell of 15 MB, and one of 20 MB': {
    also: `UPDATE messages SET body = repeat('x', 20000000) WHERE id = 2; ALTER TABLE people ADD photo text; UPDATE people SET photo = repeat('x', 15000000);`,
    ...{ exit: 3, texts: ['one', 'three'], says: /cell-too-large/ },
  },
  'a cell of 300 MB': {
    also: `UPDATE messages SET body = repeat('x', 300000000) WHERE id = 2;`,

    exit: 3,
    texts: ['one', 'three'],
    says: /cell-too-large/,
  },
  '1,500 columns and 1,000 tables': {
    sql: `${people}${tableNamed('messages', `body text, ${Array.from({ length: 1500 }, (_, at) => `c${at} boolean`).join()}`)}INSERT INTO messages (id, room, who, sent, body) VALUES ${rows};${Array.from({ length: 1000 }, (_, at) => `CREATE TABLE t${at} (a int);`).join('')}`,
  },
  'a table that another session has locked': {
    ...nothing,
    says: /another session has locked the table/,
    during: async (_, server) => server.hold('BEGIN; LOCK TABLE messages, people IN ACCESS EXCLUSIVE MODE'),
  },
  'a connection that is ended in the middle': {
    sql: many,
    ...nothing,
    says: /Lost the connection/,
    during: async (_, server) => {
      const id = await untilRunning(server, reading);
      await server.run(`SELECT pg_terminate_backend(${id})`);
    },
  },
  'rows that come and go while it is read': {
    sql: many,
    ...{ read: 20_000, texts: undefined },
    during: async (_, server) => {
      await untilRunning(server, reading);
      for (let id = 1; id < 100; id++) {
        await server.run(
          `INSERT INTO messages VALUES (${-id}, 'quay', 'ann', '2026-03-01T08:00:00Z', 'new'); DELETE FROM messages WHERE id = ${20_000 - id}`,
        );
        await wait(5);
      }
    },
  },
  'a foreign table whose server is gone': {
    also: `CREATE EXTENSION IF NOT EXISTS postgres_fdw; CREATE SERVER gone FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '1'); CREATE FOREIGN TABLE elsewhere (a int) SERVER gone;`,
  },
  'a database of no encoding': {
    also: `DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET client_encoding = ''LATIN1'''; END $$; UPDATE messages SET body = 'é🎉' WHERE id = 2;`,
    texts: ['one', 'é🎉', 'three'],
  },
  'settings of the role that change what is read': {
    also: `ALTER ROLE reader SET bytea_output = 'escape'; ALTER ROLE reader SET DateStyle = 'German'; ALTER ROLE reader SET row_security = off; ALTER ROLE reader SET statement_timeout = '1s'; ALTER ROLE reader SET standard_conforming_strings = off; ALTER TABLE messages ALTER sent TYPE timestamptz USING sent::timestamptz;`,
  },
};

function wanting(column: string) {
  return {
    messages: { id: column, conversation: 'room', author: 'who', time: { from: 'sent', format: 'iso' }, text: 'body' },
  };
}
