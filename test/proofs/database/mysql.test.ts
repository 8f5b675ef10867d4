import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DatabaseUnreachable } from '../../../src/sources/database/address/unreachable.ts';
import type { DatabaseRow } from '../../../src/sources/database/database.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { conditionCases, conditionRows, foundBy } from '../../sources/database/cell-conditions.ts';
import { certificates, forever, programs, refusal, testMariadb, useCertificate, valuesOf } from './mariadb.ts';

const home = temporaryFolder().path;
const host = '127.0.0.1';
const grant = (name: string) => `GRANT SELECT ON ${name}.* TO reader@'%'`;

describe.skipIf(programs === null)('openMysql(): the catalogue', () => {
  it('has tables and views, types, words of enums, keys and estimates', async () => {
    const { open } = await testMariadb(`
      CREATE TABLE room (a int, b int, PRIMARY KEY (b, a));
      CREATE TABLE message (
        id bigint unsigned PRIMARY KEY, text VARCHAR(40), at timestamp(3), flag tinyint(1), upper int AS (flag + 1),
        mood enum('sad', 'it''s', 'a,b', 'back\\\\slash', 'unsigned') NOT NULL,
        room_b int, room_a int, FOREIGN KEY (room_b, room_a) REFERENCES room (b, a));
      CREATE VIEW recent AS SELECT id, at FROM message;
      CREATE SEQUENCE counter;
      INSERT INTO room VALUES (1, 2);`);
    const { tables, system } = await open();
    expect(system).toBe('MariaDB');
    expect(tables.map(({ name, isView }) => [name, isView])).toEqual([
      ['message', false],
      ['recent', true],
      ['room', false],
    ]);
    expect(tables[0]).toEqual({
      name: 'message',
      columns: [
        { name: 'id', type: 'bigint unsigned' },
        { name: 'text', type: 'varchar' },
        { name: 'at', type: 'timestamp' },
        { name: 'flag', type: 'tinyint' },
        { name: 'upper', type: 'int' },
        { name: 'mood', type: 'enum', words: ['sad', "it's", 'a,b', 'back\\slash', 'unsigned'] },
        { name: 'room_b', type: 'int' },
        { name: 'room_a', type: 'int' },
      ],
      primaryKey: ['id'],
      foreignKeys: [{ columns: ['room_b', 'room_a'], table: 'room', references: ['b', 'a'] }],
      isView: false,
      rowsAbout: 0,
    });
    expect(tables[2]!.primaryKey).toEqual(['b', 'a']);
    expect(tables[1]!.rowsAbout).toBeUndefined();
  });

  it('names a view of a table or a column that is gone, and why it cannot be read', async () => {
    const { open } = await testMariadb(`
      CREATE TABLE t (id int PRIMARY KEY, old int); CREATE TABLE u (id int); CREATE VIEW of_table AS SELECT id FROM u;
      CREATE VIEW of_column AS SELECT old FROM t; DROP TABLE u; ALTER TABLE t DROP COLUMN old`);
    const { tables } = await open();
    expect(tables.map(({ name, columns, fault }) => [name, columns.length, fault !== undefined])).toEqual([
      ['of_column', 0, true],
      ['of_table', 0, true],
      ['t', 1, false],
    ]);
  });

  it('has only what the role may read, and reports nothing if the role has no other rights', async () => {
    const { open, name, run } = await testMariadb(`
      CREATE TABLE shown (id int PRIMARY KEY, secret text, body text); INSERT INTO shown VALUES (1, 'x', 'hello');
      CREATE TABLE hidden (id int);`);
    await run(`GRANT SELECT (body) ON ${name}.shown TO reader@'%'`);
    const database = await open({ user: 'reader', host });
    expect(database.tables.map((table) => [table.name, table.columns, table.primaryKey])).toEqual([
      ['shown', [{ name: 'body', type: 'text' }], []],
    ]);
    expect(database.problems).toEqual([]);
    expect(await valuesOf(database, 'shown', ['body'])).toEqual([['hello']]);
  });

  it('reports excessive rights of a role, with statements for a better one, and tables without a snapshot', async () => {
    const { open, name } = await testMariadb(
      'CREATE TABLE old (id int PRIMARY KEY) ENGINE=MyISAM; INSERT INTO old VALUES (2)',
    );
    const database = await open();
    expect(database.problems.map(({ code }) => code)).toEqual(['database-superuser', 'database-no-snapshot']);
    expect(database.problems[0]!.reason).toContain(
      `GRANT SELECT ON \`${name.replace('_', '\\_')}\`.* TO 'chatferry_reader'`,
    );
    expect(database.problems[1]!.reason).toContain(': old.');
    expect(await valuesOf(database, 'old', ['id'])).toEqual([['2']]);
  });
});

describe.skipIf(programs === null)('openMysql()', () => {
  it('lists the tables that are wanted, and leaves as the server expects it', async () => {
    const { open, run } = await testMariadb('CREATE TABLE a (id int); CREATE TABLE b (id int) ENGINE=MyISAM');
    const database = await open({ tables: ['a', 'nowhere'] });
    expect(database.tables.map((table) => table.name)).toEqual(['a']);
    expect(database.problems.map(({ code }) => code)).toEqual(['database-superuser']);
    const cutOff = async () => (await run("SHOW GLOBAL STATUS LIKE 'Aborted_clients'"))[0]!.Value;
    const before = await cutOff();
    await database.close();
    expect(await cutOff()).toBe(before);
    await database.close();
  });
});

describe.skipIf(programs === null)('openMysql(): values', () => {
  it('are text, digit by digit; bytes are hexadecimal digits', async () => {
    const { open } = await testMariadb(`
      SET sql_mode = '', time_zone = '+05:00';
      CREATE TABLE v (
        big bigint unsigned, exact decimal(30,10), zero datetime, fine datetime(6), inst timestamp(6) NULL, doc json, raw varbinary(9),
        bits bit(12), old varchar(9) CHARACTER SET latin1, padded int(6) zerofill, empty text, bin blob, year year, at time(3),
        wide varchar(9) CHARACTER SET utf16, uuid uuid);
      INSERT INTO v VALUES (
        18446744073709551615, 12345678901234567890.0123456789, 0, '2026-03-29 02:30:00.123456', '2026-03-29 02:30:00.000001',
        '{"id": 9007199254740993}', X'00FF', b'101010101010', 'é', 42, '', X'', 2026, '-838:59:58.999', '😀', '9E3779B9-7f4a-4c15-a2b2-ae3d27d4eb4f');
      INSERT INTO v (big) VALUES (1);`);
    const database = await open();
    const [full, empty] = await valuesOf(
      database,
      'v',
      database.tables[0]!.columns.map(({ name }) => name),
    );
    expect(full).toEqual([
      ...[
        '18446744073709551615',
        '12345678901234567890.0123456789',
        '0000-00-00 00:00:00',
        '2026-03-29 02:30:00.123456',
      ],
      ...['2026-03-28 21:30:00.000001+00:00', '{"id": 9007199254740993}', '00ff', '2730', 'é', '42', '', '', '2026'],
      ...['-838:59:58.999', '😀', '9e3779b9-7f4a-4c15-a2b2-ae3d27d4eb4f'],
    ]);
    expect(empty!.slice(1).every((value) => value === null)).toBe(true);
  });

  it('come in the requested order, also for names that look like SQL, and no columns still give rows', async () => {
    const { open } = await testMariadb(
      'CREATE TABLE `a``; DROP` (`b"\'``` int, c int); INSERT INTO `a``; DROP` VALUES (1, 2)',
    );
    const database = await open();
    const { name } = database.tables[0]!;
    expect(await valuesOf(database, name, ['c', 'b"\'`', 'c'])).toEqual([['2', '1', '2']]);
    expect(await valuesOf(database, name, [])).toEqual([[]]);
  });
});

describe.skipIf(programs === null)('openMysql(): rows by key', () => {
  const texts = (type: string) => `k ${type}, id int, PRIMARY KEY (k)`;
  /** Words in both cases, with accents, and with spaces at their ends. */
  const words = `SELECT CONCAT(ELT(1 + seq MOD 4, 'a', 'A', 'ä', 'aß'), seq DIV 16, ELT(1 + seq DIV 4 MOD 4, '', ' ', '  ', 'b')), seq FROM seq_1_to_3000`;
  const times = "SELECT '2026-01-01' + INTERVAL seq * 1001 MICROSECOND, seq FROM seq_1_to_3000";
  it.each([
    ['varchar(40) COLLATE utf8mb4_general_ci', words],
    ['varchar(40) COLLATE utf8mb4_bin', words],
    ['varchar(40) COLLATE utf8mb4_unicode_520_nopad_ci', words],
    ['char(40) COLLATE utf8mb4_nopad_bin', words],
    ['varchar(40) CHARACTER SET latin1 COLLATE latin1_german2_ci', words],
    ['varchar(40) CHARACTER SET utf8mb3 COLLATE utf8mb3_swedish_ci', words],
    ['varbinary(40)', words],
    ['decimal(20,4)', 'SELECT (CAST(seq AS SIGNED) - 1500) * 1.0003, seq FROM seq_1_to_3000'],
    ['bigint unsigned', 'SELECT 18446744073709551615 - seq * 77, seq FROM seq_1_to_3000'],
    ['datetime(6)', times],
    ['timestamp(6)', times],
    ['time(6)', 'SELECT SEC_TO_TIME((CAST(seq AS SIGNED) - 1500) * 1.001), seq FROM seq_1_to_3000'],
    [
      'uuid',
      "SELECT CONCAT(LEFT(MD5(seq), 8), '-', MID(MD5(seq), 9, 4), '-', MID(MD5(seq), 13, 4), '-', MID(MD5(seq), 17, 4), '-', RIGHT(MD5(seq), 12)), seq FROM seq_1_to_3000",
    ],
    ["enum('z','y','x')", 'SELECT seq, seq FROM seq_1_to_3'],
    ['double', 'SELECT seq / 7, seq FROM seq_1_to_3000'],
  ])('of %s come once each', async (type, rows) => {
    const { open, run } = await testMariadb(`CREATE TABLE t (${texts(type)}); INSERT IGNORE INTO t ${rows}`);
    const expected = (await run('SELECT id FROM t')).map(({ id }) => `${id}`);
    const found = (await valuesOf(await open(), 't', ['id'])).map(([id]) => id);
    expect(found.length).toBe(expected.length);
    expect(found.toSorted()).toEqual(expected.toSorted());
    expect(found.length).toBeGreaterThan(2);
  });

  it('of several columns, in either kind of unique key, are looked up in the index', async () => {
    const { open, run } = await testMariadb(`
      CREATE TABLE t (a varchar(9) NOT NULL, b int NOT NULL, c varbinary(9) NOT NULL, id int, UNIQUE KEY u (a, b, c));
      INSERT INTO t SELECT CHAR(97 + seq DIV 10000), seq DIV 10, seq MOD 10, seq FROM seq_1_to_40000`);
    const before = await handlerReads(run);
    const found = await valuesOf(await open(), 't', ['id']);
    expect(new Set(found.map(([id]) => id)).size).toBe(40_000);
    expect((await handlerReads(run)) - before).toBeLessThan(45_000);
  });

  it('are found by conditions on their cells, by the letter', async () => {
    const { open } =
      await testMariadb(`CREATE TABLE t (id bigint PRIMARY KEY, word varchar(40) CHARACTER SET utf8mb4, data binary(4));
      SET NAMES utf8mb4; SET sql_mode = 'NO_BACKSLASH_ESCAPES';${conditionRows((digits) => `x'${digits}'`)}`);
    expect(await foundBy(await open())).toEqual(conditionCases);
  });

  it('that are much wider than earlier rows do not come at once', async () => {
    const { open } = await testMariadb(`
      CREATE TABLE t (id int PRIMARY KEY, body mediumtext);
      INSERT INTO t SELECT seq, IF(seq <= 50, 'x', REPEAT('x', 1000000)) FROM seq_1_to_90`);
    const database = await open();
    const ids: unknown[] = [];
    for await (const rows of database.rows('t', ['id', 'body'], forever)) {
      expect(bytesOf(rows)).toBeLessThan(10_000_000);
      ids.push(...rows.map(({ values }) => Number(values[0])));
    }
    expect(ids).toEqual(Array.from({ length: 90 }, (_, at) => at + 1));
  });

  it('belong to one state, whatever others write, however long it takes, with and without a key', async () => {
    const { open, run } = await testMariadb(`
      CREATE TABLE t (id int PRIMARY KEY) AS SELECT seq id FROM seq_1_to_20000; CREATE TABLE keyless AS SELECT * FROM t; CREATE VIEW v AS SELECT * FROM t`);
    const database = await open();
    await run('DELETE FROM t WHERE id > 10; INSERT INTO t VALUES (30000); DELETE FROM keyless');
    const lists = database.rows('t', ['id'], forever);
    await lists.next();
    await run('DELETE FROM t');
    await lists.return(undefined);
    for (const name of ['t', 'keyless', 'v'])
      expect(new Set((await valuesOf(database, name, ['id'])).map(([id]) => id)).size, name).toBe(20_000);
  });

  it('of several tables can be read alternately, and a reader may stop early', async () => {
    const { open } = await testMariadb(`
      CREATE TABLE a (id int PRIMARY KEY) AS SELECT seq id FROM seq_1_to_20000; CREATE TABLE b AS SELECT REPEAT(id, 40) id FROM a`);
    const database = await open();
    const readers = ['a', 'b', 'a'].map((name) => database.rows(name, ['id'], forever));
    const counts = [0, 0, 0];
    for (let isOver = false; !isOver; ) {
      const answers = await Promise.all(readers.map((reader) => reader.next()));
      for (const [at, { value }] of answers.entries())
        counts[at]! += ((value as DatabaseRow[] | undefined) ?? []).length;
      isOver = answers.every(({ done }) => done);
    }
    expect(counts).toEqual([20_000, 20_000, 20_000]);
    for await (const rows of database.rows('b', ['id'], forever)) if (rows.length > 0) break;
    expect(await valuesOf(database, 'a', ['id'])).toHaveLength(20_000);
  });
});

const bytesOf = (rows: readonly DatabaseRow[]) => rows.reduce((sum, { values }) => sum + (values[1]?.length ?? 0), 0);

async function handlerReads(run: (sql: string) => Promise<readonly Record<string, unknown>[]>): Promise<number> {
  const counts = await run("SHOW GLOBAL STATUS WHERE Variable_name IN ('Handler_read_next', 'Handler_read_rnd_next')");
  return counts.reduce((sum, { Value }) => sum + Number(Value), 0);
}

describe.skipIf(programs === null)('openMysql(): what goes wrong', () => {
  it('is said for a server that is not there, a wrong password, a wrong name and a number too many', async () => {
    const { open, shown, name, run } = await testMariadb();
    const refused = (error: Error & { hint?: string }) => [error.message, error.hint];
    expect(await refusal(open({ user: 'reader', host, port: 1 }))).toBeInstanceOf(DatabaseUnreachable);
    expect(refused(await refusal(open({ user: 'reader', host, env: { MYSQL_PWD: 'p4ss' } })))).toEqual([
      `Cannot read ${shown(host)}: the server refused user and password`,
      'The password came from MYSQL_PWD. Does it belong to this user, and may the user connect from this machine?',
    ]);
    expect((await refusal(open({ user: 'reader', host, env: {} }))).hint).toContain(
      'No password was found in MYSQL_PWD and',
    );
    expect((await refusal(open({ user: 'reader', host }))).message).toContain('may not use the database');
    expect((await refusal(open({ database: 'nowhere' }))).message).toContain('there is no such database');
    await run(
      `${grant(name)}; CREATE USER few@'%' IDENTIFIED BY 'pass' WITH MAX_USER_CONNECTIONS 1; ${grant(name).replace('reader', 'few')}`,
    );
    await open({ user: 'few', host });
    const full = await refusal(open({ user: 'few', host }));
    expect(full).toBeInstanceOf(DatabaseUnreachable);
    expect(full.message).toContain('has reached its limits');
  });

  it('is said for a server that has no connection left', async () => {
    const { open, run, name } = await testMariadb();
    await run(`${grant(name)}; SET GLOBAL max_connections = 10`);
    onTestFinished(async () => void (await run('SET GLOBAL max_connections = 151')));
    const attempts = await Promise.all(Array.from({ length: 12 }, () => refusal(open({ user: 'reader', host }))));
    const full = attempts.filter((error) => error instanceof DatabaseUnreachable);
    expect(new Set(full.map(({ message }) => message.replace(/.*: /, '')))).toEqual(
      new Set(['it has no connection left']),
    );
  });

  it('ends the run when the server goes away, in the middle of pages and between them', async () => {
    const { open, run } = await testMariadb(
      'CREATE TABLE t (id int PRIMARY KEY, body text) AS SELECT seq id, REPEAT(seq, 200) body FROM seq_1_to_20000',
    );
    const database = await open();
    const lists = database.rows('t', ['id', 'body'], forever);
    await lists.next();
    const [{ id } = {}] = await run(
      'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
    );
    await run(`KILL ${id}`);
    const error = await refusal(valuesOf({ ...database, rows: () => lists }, 't', []));
    expect(error).toBeInstanceOf(DatabaseUnreachable);
    expect(error.message).toMatch(/^Lost the connection to .*, at the table "t"$/);
    expect(await refusal(valuesOf(database, 't', ['id']))).toBeInstanceOf(DatabaseUnreachable);
  });

  it('is a table locked by another session; other tables still work', async () => {
    const { open, beside } = await testMariadb(
      'CREATE TABLE t (id int); CREATE TABLE free (id int); INSERT INTO free VALUES (1)',
    );
    const database = await open();
    await (await beside()).query('LOCK TABLES t WRITE');
    const error = await refusal(valuesOf(database, 't', ['id']));
    expect(error.message).toContain('another session has locked the table, at the table "t"');
    expect(await valuesOf(database, 'free', ['id'])).toEqual([['1']]);
  });

  it('is a view that fails, and others go on with the same rows', async () => {
    const { open, run } = await testMariadb(`
      CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1);
      CREATE VIEW broken AS SELECT (SELECT 1 UNION SELECT 2 FROM t) AS n FROM t`);
    const database = await open();
    await run('DELETE FROM t');
    const error = await refusal(valuesOf(database, 'broken', ['n']));
    expect(error.message).toContain('the server refused it with error 1242, at the table "broken"');
    expect(await valuesOf(database, 't', ['id'])).toEqual([['1']]);
  });

  it('is an abort: it ends at once, even during a statement that waits', async () => {
    const { open, beside } = await testMariadb('CREATE TABLE t (id int)');
    const database = await open();
    await (await beside()).query('LOCK TABLES t WRITE');
    const controller = new AbortController();
    const reading = refusal(valuesOf(database, 't', ['id'], controller.signal));
    controller.abort(new Error('enough'));
    expect((await reading).message).toBe('enough');
    expect((await refusal(valuesOf(database, 't', ['id']))).message).toBe('enough');
    expect((await refusal(open({ signal: AbortSignal.abort(new Error('before')) }))).message).toBe('before');
  });

  it('is a port with another program, or with none', async () => {
    const { open } = await testMariadb();
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, host);
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    expect(await refusal(open({ user: 'reader', host, port }))).toBeInstanceOf(DatabaseUnreachable);
  });
});

describe.skipIf(programs === null)('openMysql(): encryption', () => {
  it('is checked for the name of the host', async () => {
    const { open, server, name, run } = await testMariadb();
    await run(grant(name));
    const authority = certificates.localhost;
    const strayKey = join(home, 'key.pem');
    writeFileSync(strayKey, 'no key', { mode: 0o600 });
    const reader = { user: 'reader', host: 'localhost' };
    const full = `ssl-mode=VERIFY_IDENTITY&ssl-ca=${authority}`;
    expect((await open({ ...reader, parameters: full })).problems).toEqual([]);
    const unknown = await refusal(open({ ...reader, parameters: 'ssl-mode=VERIFY_IDENTITY' }));
    expect(unknown.message).toContain('Cannot trust mysql://localhost');
    expect(unknown.hint).toContain('?ssl-ca=ca.pem');
    const number = await refusal(open({ ...reader, host, parameters: full }));
    expect(number.message).toContain('it has a name to be checked, and this is a number');
    useCertificate(server.folder, 'other.example.org');
    onTestFinished(async () => {
      useCertificate(server.folder, 'localhost');
      await run('FLUSH SSL');
    });
    await run('FLUSH SSL');
    expect(
      (await refusal(open({ ...reader, parameters: full.replace(authority, certificates['other.example.org']) })))
        .message,
    ).toContain('is for another name');
    const other = certificates['other.example.org'];
    for (const mode of ['VERIFY_CA', 'REQUIRED', 'DISABLED'])
      await open({ ...reader, parameters: `ssl-mode=${mode}&ssl-ca=${other}` });
    const unusable = await refusal(
      open({ ...reader, parameters: `${full}&ssl-cert=${authority}&ssl-key=${strayKey}` }),
    );
    expect(unusable.message).toContain('Cannot use the certificates');
    expect((await refusal(open({ ...reader, parameters: 'ssl-mode=VERIFY_CAA' }))).message).toBe(
      'Cannot use "VERIFY_CAA" as ssl-mode',
    );
  });

  it('takes user, password and CA certificate from ~/.my.cnf, which others may not read', async () => {
    const { open, name, run } = await testMariadb();
    await run(grant(name));
    const path = join(home, '.my.cnf');
    writeFileSync(
      path,
      `[client]\nuser=reader\npassword="pass" # of the tests\nssl-ca=${certificates.localhost}\nssl_mode=VERIFY_CA\n`,
      { mode: 0o600 },
    );
    await open({ user: 'reader', host, home, env: {} });
    chmodSync(path, 0o644);
    expect((await refusal(open({ user: 'reader', host, home, env: {} }))).message).toContain('others may read');
  });
});
