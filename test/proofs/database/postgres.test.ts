import { chmodSync, chownSync, copyFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { conditionCases, conditionRows, foundBy } from '../../sources/database/cell-conditions.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DatabaseUnreachable } from '../../../src/sources/database/address/unreachable.ts';
import type { Database } from '../../../src/sources/database/database.ts';
import { atFileEnd } from '../../file-end.ts';
import { programs } from '../../fleet/postgres.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { forever, refusal, type TestDatabase, testDatabase, valuesOf } from './postgres-databases.ts';

const home = temporaryFolder();
const certificate = fileURLToPath(new URL('../../service/fixtures/self-signed.pem', import.meta.url));

/** Aborts the reading of a view `slow` that sleeps. */
async function expectPromptEnd(database: Database, sql: TestDatabase['sql']): Promise<void> {
  const controller = new AbortController();
  const reading = valuesOf(database, 'slow', ['n'], controller.signal);
  const asleep = `SELECT FROM pg_stat_activity WHERE application_name = 'chatferry' AND wait_event = 'PgSleep'`;
  const isAsleep = async () => (await sql(asleep)).rowCount;
  await expect.poll(isAsleep).toBe(1);
  controller.abort(new Error('enough'));
  expect((await refusal(reading)).message).toBe('enough');
  // The server looks every two seconds whether its client is still there.
  await expect.poll(isAsleep).toBe(0);
}

describe.skipIf(programs === null)('openPostgres(): the catalogue', () => {
  it('has tables, types, enum values, keys and estimates; parts of a table are listed under it', async () => {
    const { open } = await testDatabase(`
      CREATE TYPE mood AS ENUM ('sad', 'Happy "x"');
      CREATE DOMAIN short AS varchar(40); CREATE DOMAIN shorter AS short;
      CREATE TABLE room (a int, b int, PRIMARY KEY (b, a));
      CREATE TABLE message (
        id bigint PRIMARY KEY, text shorter, mood mood, at timestamptz(3), tags text[], body bytea,
        room_b int, room_a int, FOREIGN KEY (room_b, room_a) REFERENCES room (b, a));
      CREATE TABLE part (day date, n int) PARTITION BY RANGE (day);
      CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
      CREATE TABLE part_2 PARTITION OF part FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
      INSERT INTO part SELECT date '2026-01-01' + n % 59, n FROM generate_series(1, 100) n; ANALYZE;
      CREATE VIEW seen AS SELECT id FROM message;
      CREATE MATERIALIZED VIEW sums AS SELECT 1 AS one;
      CREATE SCHEMA chat; CREATE TABLE chat.message (id int); CREATE TABLE "chat.message" ("a ""b" int);`);
    const database = await open();
    expect(database.tables.map(({ name }) => name)).toEqual([
      '"chat.message"',
      'chat.message',
      'message',
      'part',
      'room',
      'seen',
      'sums',
    ]);
    const table = (name: string) => database.tables.find((one) => one.name === name)!;
    expect(table('message')).toEqual({
      name: 'message',
      columns: [
        { name: 'id', type: 'bigint' },
        { name: 'text', type: 'character varying' },
        { name: 'mood', type: 'mood', words: ['sad', 'Happy "x"'] },
        { name: 'at', type: 'timestamp with time zone' },
        { name: 'tags', type: 'text[]' },
        { name: 'body', type: 'bytea' },
        { name: 'room_b', type: 'integer' },
        { name: 'room_a', type: 'integer' },
      ],
      primaryKey: ['id'],
      foreignKeys: [{ columns: ['room_b', 'room_a'], table: 'room', references: ['b', 'a'] }],
      isView: false,
    });
    expect(table('room').primaryKey).toEqual(['b', 'a']);
    expect(table('part').rowsAbout).toBe(100);
    expect(await valuesOf(database, 'part', ['n'])).toHaveLength(100);
    expect([table('seen').isView, table('sums').isView]).toEqual([true, true]);
    expect(await valuesOf(database, '"chat.message"', ['a "b'])).toEqual([]);
  });

  it('covers only the requested tables', async () => {
    const { open } = await testDatabase(
      'CREATE TABLE a (id int); CREATE TABLE b (id int); GRANT SELECT ON a TO reader',
    );
    const database = await open({ user: 'reader', tables: ['a', 'none'] });
    expect(database.tables.map(({ name }) => name)).toEqual(['a']);
    expect(database.problems).toEqual([]);
  });
});

describe.skipIf(programs === null)('openPostgres(): rows', () => {
  it('are text, digit by digit, whatever the role has set', async () => {
    const { open, sql } = await testDatabase(`
      CREATE TABLE value (at timestamptz, day date, span interval, n numeric, f float8, j json, b bytea, yes bool, empty text, none text, word text);
      INSERT INTO value VALUES ('2026-03-01 12:00:00.123456+02', 'infinity', '1 day 2 hours', 12345678901234567890.10, 0.1,
        '{"id": 9007199254740993}', '\\x00ff5c', true, '', NULL, E'\\\\N "quoted"\\n😀');
      GRANT SELECT ON value TO reader;
      ALTER ROLE reader SET timezone = 'Asia/Tokyo'; ALTER ROLE reader SET datestyle = 'German';
      ALTER ROLE reader SET bytea_output = 'escape'; ALTER ROLE reader SET extra_float_digits = -15`);
    onTestFinished(async () => void (await sql('ALTER ROLE reader RESET ALL')));
    const database = await open({ user: 'reader' });
    const columns = database.tables[0]!.columns.map(({ name }) => name);
    expect(await valuesOf(database, 'value', columns)).toEqual([
      [
        '2026-03-01 10:00:00.123456+00',
        'infinity',
        '1 day 02:00:00',
        '12345678901234567890.10',
        '0.1',
        '{"id": 9007199254740993}',
        '00ff5c',
        't',
        '',
        null,
        '\\N "quoted"\n😀',
      ],
    ]);
  });

  it('of several tables come concurrently from one snapshot, and an abandoned list keeps nothing open', async () => {
    const { open, sql } = await testDatabase(`
      CREATE TABLE a AS SELECT n, 'a' || n AS text FROM generate_series(1, 12000) n;
      CREATE TABLE b AS SELECT n FROM generate_series(1, 7000) n`);
    const database = await open();
    await sql('DELETE FROM a; DELETE FROM b');
    for await (const rows of database.rows('a', ['n'], forever)) {
      expect(rows[0]!.values).toEqual(['1']);
      break;
    }
    const [a, b, again] = await Promise.all([
      valuesOf(database, 'a', ['text', 'n']),
      valuesOf(database, 'b', ['n']),
      valuesOf(database, 'a', ['n']),
    ]);
    expect([a.length, b.length, again.length]).toEqual([12_000, 7000, 12_000]);
    expect([a[0], a[11_999]]).toEqual([
      ['a1', '1'],
      ['a12000', '12000'],
    ]);
  });

  it('are found by conditions on their cells, by the letter', async () => {
    const { open } = await testDatabase(
      `CREATE TABLE t (id bigint PRIMARY KEY, word text, data bytea);${conditionRows((digits) => `'\\x${digits}'`)}`,
    );
    expect(await foundBy(await open())).toEqual(conditionCases);
  });

  it('that are wide come in short lists', async () => {
    const { open } = await testDatabase(`
      CREATE TABLE wide AS SELECT n, CASE WHEN n > 100 THEN repeat('x', 200000) END AS text FROM generate_series(1, 300) n`);
    const database = await open();
    const counts: number[] = [];
    for await (const rows of database.rows('wide', ['text'], forever)) counts.push(rows.length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(300);
    expect(Math.max(...counts.slice(3))).toBeLessThanOrEqual(20);
  });

  it('of a failing view do not affect other tables, and the error contains none of its values', async () => {
    const { open } = await testDatabase(`
      CREATE TABLE fine AS SELECT 1 AS n; CREATE TABLE secret AS SELECT 'hush' AS text;
      CREATE VIEW broken AS SELECT text::int AS n FROM secret`);
    const database = await open();
    const error = await refusal(valuesOf(database, 'broken', ['n']));
    expect(error.message).toContain('refused it with SQLSTATE 22P02, at the table "broken"');
    expect(`${error.message}${error.hint}${error.cause}`).not.toContain('hush');
    expect(await valuesOf(database, 'fine', ['n'])).toEqual([['1']]);
  });

  it('end at once on an abort, even during a running statement', async () => {
    const { open, sql } = await testDatabase('CREATE VIEW slow AS SELECT pg_sleep(3600)::text AS n');
    await expectPromptEnd(await open(), sql);
  });
});

describe.skipIf(programs === null)('openPostgres(): rights', () => {
  it('omits what the role may not read, and shows the statements that would help', async () => {
    const { open } = await testDatabase(`
      CREATE TABLE users (id int PRIMARY KEY, name text, "pass word" text); GRANT SELECT (id, name) ON users TO reader;
      CREATE TABLE tokens (id int, user_id int REFERENCES users); CREATE SCHEMA shut; CREATE TABLE shut.inside (id int)`);
    const database = await open({ user: 'reader' });
    expect(database.tables.map(({ name, columns }) => [name, columns.map((column) => column.name)])).toEqual([
      ['users', ['id', 'name']],
    ]);
    const reasons = database.problems.map(({ code, reason }) => `${code}: ${reason}`).join('\n');
    expect(reasons).toContain('database-table-unreadable');
    expect(reasons).toContain('GRANT SELECT ON "public"."tokens" TO "reader";');
    expect(reasons).toContain('GRANT USAGE ON SCHEMA "shut" TO "reader"; GRANT SELECT ON "shut"."inside" TO "reader";');
    expect(reasons).toContain('GRANT SELECT ("pass word") ON "public"."users" TO "reader";');
    expect(reasons).not.toContain('database-superuser');
    expect(await valuesOf(database, 'users', ['name'])).toEqual([]);
  });

  it('does not pass over rows that policies hide', async () => {
    const { open } = await testDatabase(`
      CREATE TABLE message AS SELECT 1 AS id; GRANT SELECT ON message TO reader;
      ALTER TABLE message ENABLE ROW LEVEL SECURITY;
      CREATE VIEW through WITH (security_invoker) AS SELECT id FROM message; GRANT SELECT ON through TO reader`);
    const database = await open({ user: 'reader' });
    expect(database.problems.map(({ code }) => code)).toEqual(['database-row-security']);
    const error = await refusal(valuesOf(database, 'message', ['id']));
    expect(error.message).toContain('policies hide rows');
    expect(error.hint).toContain('ALTER ROLE "reader" BYPASSRLS');
    expect((await refusal(valuesOf(database, 'through', ['id']))).hint).toContain('BYPASSRLS');
  });

  it('says that a superuser is too much, and that a writer is', async () => {
    const { open } = await testDatabase('CREATE TABLE a (id int); GRANT SELECT, INSERT ON a TO reader');
    const [superuser] = (await open()).problems;
    expect(superuser).toMatchObject({ code: 'database-superuser', reason: expect.stringContaining('is a superuser') });
    expect(superuser!.reason).toContain('GRANT SELECT ON ALL TABLES IN SCHEMA "public" TO chatferry_reader');
    const [writer] = (await open({ user: 'reader' })).problems;
    expect(writer!.reason).toContain('may write to 1 table');
  });

  it('lets no name of a table or column become a statement', async () => {
    const name = `m"; COPY (SELECT 1) TO PROGRAM 'touch mischief'; --`;
    const quoted = `"${name.replaceAll('"', '""')}"`;
    const { open } = await testDatabase(`CREATE TABLE ${quoted} (${quoted} int); INSERT INTO ${quoted} VALUES (7)`);
    const database = await open();
    const [table] = database.tables;
    expect(table!.columns[0]!.name).toBe(name);
    expect(await valuesOf(database, table!.name, [name])).toEqual([['7']]);
    expect((await refusal(valuesOf(database, 'pg_authid', ['rolpassword']))).message).toBe('no table "pg_authid"');
  });
});

describe.skipIf(programs === null)('openPostgres(): refusals', () => {
  it.each([
    ['a wrong password', { env: { PGPASSWORD: 'guess' } }, 'the server refused user and password', 'from PGPASSWORD'],
    ['no password', { env: {} }, 'the server asks for a password, and there is none', '/nowhere/.pgpass'],
    ['no such database', { database: 'nowhere' }, 'there is no such database', 'psql --list'],
    ['no such role', { user: 'nobody-here' }, 'the server refused user and password', 'PGPASSWORD'],
    ['no encryption there', { parameters: 'sslmode=require' }, 'the server offers no encryption', 'ssl = on'],
  ])('explains %s', async (_, options, message, hint) => {
    const { open } = await testDatabase();
    const error = await refusal(open(options));
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
    expect(`${error.message} ${error.hint}`).not.toMatch(/guess|nobody-here/);
  });

  it('explains a role that may not connect, and one too many', async () => {
    const { open, sql } = await testDatabase();
    const [{ name }] = (await sql('SELECT current_database() AS name')).rows as [{ name: string }];
    await sql(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
    expect((await refusal(open({ user: 'reader' }))).hint).toContain('CONNECT on the database');
    await sql(`GRANT CONNECT ON DATABASE ${name} TO reader; ALTER DATABASE ${name} CONNECTION LIMIT 0`);
    const error = await refusal(open({ user: 'reader' }));
    expect(error).toBeInstanceOf(DatabaseUnreachable);
    expect(error.message).toContain('no connection left');
  });

  it('explains a port without a listener, and stops waiting for a silent one when aborted', async () => {
    const { open } = await testDatabase();
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close());
    const controller = new AbortController();
    silent.once('connection', () => controller.abort(new Error('enough')));
    const port = (silent.address() as AddressInfo).port;
    const error = await refusal(open({ parameters: `port=${port}`, signal: controller.signal }));
    expect(error.message).toBe('enough');
    expect(await refusal(open({ parameters: 'port=1' }))).toBeInstanceOf(DatabaseUnreachable);
  });

  it('reads the password from .pgpass', async () => {
    const { open } = await testDatabase('CREATE TABLE a (id int)');
    const folder = home.make();
    writeFileSync(join(folder, '.pgpass'), '127.0.0.1:*:*:reader:pass\n', { mode: 0o600 });
    expect((await open({ user: 'reader', env: {}, home: folder })).system).toBe('PostgreSQL');
  });

  it('says that the connection was lost when the server ends it, and that the command can be repeated', async () => {
    const { open, sql } = await testDatabase(
      `CREATE TABLE a AS SELECT repeat('x', 10000) AS text FROM generate_series(1, 2000)`,
    );
    const database = await open();
    const reading = (async () => {
      let lists = 0;
      for await (const _ of database.rows('a', ['text'], forever))
        if (++lists === 2)
          await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'chatferry'`);
    })();
    const error = await refusal(reading);
    expect(error).toBeInstanceOf(DatabaseUnreachable);
    expect(error.message).toContain('Lost the connection to postgres://127.0.0.1');
    expect(error.hint).toContain('same command again');
    expect(await refusal(valuesOf(database, 'a', ['text']))).toBeInstanceOf(DatabaseUnreachable);
  });

  it('does not wait for a table that another session has locked', async () => {
    const { open, sql } = await testDatabase('CREATE TABLE a (id int); CREATE TABLE b (id int)');
    const database = await open();
    const locking = sql('BEGIN; LOCK TABLE a; SELECT pg_sleep(30)');
    locking.catch(() => {});
    await expect
      .poll(async () => (await sql(`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)).rowCount, {
        timeout: 20_000,
      })
      .toBe(1);
    expect((await refusal(valuesOf(database, 'a', ['id']))).message).toContain('locked the table, at the table "a"');
    expect(await valuesOf(database, 'b', ['id'])).toEqual([]);
    await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'`);
  });
});

/** The server shows the certificate of `localhost` that signed itself. */
async function turnOnTls(sql: TestDatabase['sql']): Promise<void> {
  const { rows } = await sql('SHOW data_directory');
  const folder = (rows as readonly { data_directory: string }[])[0]!.data_directory;
  const path = join(folder, 'self-signed.pem');
  copyFileSync(certificate, path);
  chmodSync(path, 0o600);
  const { uid, gid } = statSync(folder);
  chownSync(path, uid, gid);
  for (const name of ['ssl_cert_file', 'ssl_key_file']) await sql(`ALTER SYSTEM SET ${name} = '${path}'`);
  await sql('ALTER SYSTEM SET ssl = on');
  await sql('SELECT pg_reload_conf()');
  atFileEnd(async () => {
    await sql('ALTER SYSTEM RESET ALL');
    await sql('SELECT pg_reload_conf()');
  });
}

describe.skipIf(programs === null)('openPostgres(): TLS', () => {
  it('trusts only the named authority and the name of the host', async () => {
    const { open, sql } = await testDatabase('CREATE VIEW slow AS SELECT pg_sleep(3600)::text AS n');
    await turnOnTls(sql);
    const isOn = () =>
      open({ parameters: 'sslmode=no-verify' }).then(
        ({ system }) => system,
        () => 'not yet',
      );
    await expect.poll(isOn).toBe('PostgreSQL');
    const named = `sslrootcert=${encodeURIComponent(certificate)}`;
    for (const mode of ['verify-full', 'require', 'verify-ca'])
      await open({ host: 'localhost', parameters: `sslmode=${mode}&${named}` });
    const database = await open({ parameters: `sslmode=verify-ca&${named}` });
    await expectPromptEnd(database, sql);
    const wrongName = await refusal(open({ parameters: `sslmode=verify-full&${named}` }));
    expect(wrongName.message).toContain('the certificate of its host is for another name');
    for (const mode of ['verify-full', 'require', 'verify-ca']) {
      const untrusted = await refusal(open({ host: 'localhost', parameters: `sslmode=${mode}` }));
      expect(untrusted.message).toContain('Cannot trust postgres://localhost:');
      expect(untrusted.hint).toContain('?sslrootcert=ca.pem');
    }
  });
});
