import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Database as OpenDatabase } from '../../../src/sources/database/database.ts';
import { openSqlite } from '../../../src/sources/database/sqlite/open-sqlite.ts';
import { never } from '../../scenes/bench.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { conditionCases, conditionRows, foundBy } from './cell-conditions.ts';

const home = temporaryFolder();

/** A file made by these statements. @returns Its path. */
function made(sql: string, folder = home.make()): string {
  const path = join(folder, 'app.sqlite');
  const db = new Database(path);
  db.exec(sql);
  db.close();
  return path;
}

const open = (path: string): Promise<OpenDatabase> =>
  openSqlite(path, readFileSync(path).subarray(0, 100), 'app.sqlite');

async function rowsOf(database: OpenDatabase, table: string, columns: readonly string[]) {
  const lists = await Array.fromAsync(database.rows(table, columns, never));
  return lists.flat().map(({ values }) => values);
}

function patch(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, at, at + 10);
  writeFileSync(path, bytes);
}

/** Everything in a folder, byte by byte. */
const contents = (folder: string) =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));

describe('a SQLite file', () => {
  it('finds rows by conditions on their cells, by the letter and at most so many', async () => {
    const sql = `CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT, data BLOB);${conditionRows((digits) => `x'${digits}'`)}`;
    const database = await open(made(sql));
    expect(await foundBy(database)).toEqual(conditionCases);
    const [first] = await Array.fromAsync(
      database.rowsWhere!('t', ['id'], { anyOf: [{ column: 'id', values: [], isOneOf: false }], max: 2 }),
    );
    expect(first).toHaveLength(2);
    await database.close();
  });

  it('gives values as texts, digit by digit', async () => {
    const path = made(`CREATE TABLE t (a, b);
      INSERT INTO t VALUES (9223372036854775807, -1), (0.1, 1e300), ('0012', ''), (NULL, x'00ffAB'), ('a' || char(0) || 'b', 7.0)`);
    const database = await open(path);
    expect(await rowsOf(database, 't', ['a', 'b'])).toEqual([
      ['9223372036854775807', '-1'],
      ['0.1', '1e+300'],
      ['0012', ''],
      [null, '00ffab'],
      ['a\0b', '7'],
    ]);
    await database.close();
  });

  it('declares columns, keys and views, whatever they are called', async () => {
    const path = made(`CREATE TABLE "a "" b; DROP" (id INTEGER PRIMARY KEY, name VARCHAR(80));
      CREATE TABLE child (x BIGINT  UNSIGNED(20) REFERENCES "a "" b; DROP", y, made AS (y || '!'), PRIMARY KEY (y, x));
      CREATE VIEW v AS SELECT 1 AS one`);
    const database = await open(path);
    expect(database.tables).toEqual([
      {
        name: 'a " b; DROP',
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'name', type: 'varchar' },
        ],
        primaryKey: ['id'],
        foreignKeys: [],
        isView: false,
      },
      {
        name: 'child',
        columns: [
          { name: 'x', type: 'bigint unsigned' },
          { name: 'y', type: '' },
          { name: 'made', type: '' },
        ],
        primaryKey: ['y', 'x'],
        foreignKeys: [{ columns: ['x'], table: 'a " b; DROP', references: [] }],
        isView: false,
      },
      {
        name: 'v',
        columns: [{ name: 'one', type: '' }],
        primaryKey: [],
        foreignKeys: [],
        isView: true,
      },
    ]);
    await database.close();
  });

  it('is read with the rows of its log, as one state, while an application keeps writing', async () => {
    const folder = home.make();
    const path = made('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)', folder);
    const application = new Database(path);
    application.exec('INSERT INTO t VALUES (2)');
    const database = await open(path);
    expect(await rowsOf(database, 't', ['x'])).toEqual([['1'], ['2']]);
    application.exec('INSERT INTO t VALUES (3)');
    expect(await rowsOf(database, 't', ['x'])).toEqual([['1'], ['2']]);
    await database.close();
    application.close();
  });

  it('that was copied with its log has the rows of it, and nothing changes in its folder', async () => {
    const application = new Database(made('PRAGMA journal_mode = WAL; CREATE TABLE t (x)'));
    application.exec('INSERT INTO t VALUES (1), (2)');
    const folder = home.make();
    for (const end of ['', '-wal']) cpSync(`${application.name}${end}`, join(folder, `app.sqlite${end}`));
    application.close();
    const before = contents(folder);
    const database = await open(join(folder, 'app.sqlite'));
    expect(database.problems).toEqual([]);
    expect(await rowsOf(database, 't', ['x'])).toEqual([['1'], ['2']]);
    await database.close();
    expect(contents(folder)).toEqual(before);
  });

  it('with an empty log is read as it is, and nothing changes in its folder', async () => {
    const folder = home.make();
    const path = made('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)', folder);
    writeFileSync(`${path}-wal`, '');
    const before = contents(folder);
    const database = await open(path);
    expect(database.problems).toEqual([]);
    expect(await rowsOf(database, 't', ['x'])).toEqual([['1']]);
    await database.close();
    expect(contents(folder)).toEqual(before);
  });

  it('with rows of megabytes gives short lists', async () => {
    const database = await open(
      made(`CREATE TABLE t (x); INSERT INTO t VALUES (printf('%.*c', 3000000, 'a')), ('b'), ('c')`),
    );
    const lists = await Array.fromAsync(database.rows('t', ['x'], never));
    expect(lists.map(({ length }) => length)).toEqual([1, 2]);
    await database.close();
  });

  it('that says it has a log, and has none, says so, and nothing changes in its folder', async () => {
    const folder = join(home.make(), 'a #folder? 100%');
    mkdirSync(folder);
    const path = made('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)', folder);
    const before = contents(folder);
    const database = await open(path);
    expect(database.problems.map(({ code }) => code)).toEqual(['database-without-log']);
    expect(await rowsOf(database, 't', ['x'])).toEqual([['1']]);
    await database.close();
    expect(contents(folder)).toEqual(before);
    expect([...before.keys()]).toEqual(['app.sqlite']);
  });

  it.each([
    ['a stale index and no log', '-shm', Buffer.alloc(32_768)],
    ['a log that is none', '-wal', Buffer.alloc(4096, 0xa7)],
    ['a log that begins as one', '-wal', Buffer.from(`377f0682${'00'.repeat(4096)}`, 'hex')],
  ])('with %s says that rows may be missing, and nothing changes in its folder', async (_what, end, bytes) => {
    const path = made('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)');
    writeFileSync(`${path}${end}`, bytes);
    const before = contents(dirname(path));
    const database = await open(path);
    expect(database.problems.map(({ code }) => code)).toEqual(['database-without-log']);
    expect(await rowsOf(database, 't', ['x'])).toEqual([['1']]);
    await database.close();
    expect(contents(dirname(path))).toEqual(before);
  });

  it.each([
    ['whole', () => {}, 12, []],
    ['cut off in a frame', (log: string) => truncateSync(log, statSync(log).size - 100), 11, ['database-without-log']],
    ['damaged in a frame', (log: string) => patch(log, 32 + 4 * (24 + 4096) + 1000), 2, ['database-without-log']],
  ] as const)('with a log that is %s says so if rows are missing', async (_what, damage, rows, codes) => {
    const folder = home.make();
    const db = new Database(join(folder, 'running.sqlite'));
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE t (x)');
    for (let row = 1; row <= 12; row++) db.exec(`INSERT INTO t VALUES (${row})`);
    const path = join(folder, 'app.sqlite');
    for (const end of ['', '-wal']) copyFileSync(`${db.name}${end}`, path + end);
    db.close();
    damage(`${path}-wal`);
    const database = await open(path);
    expect((await rowsOf(database, 't', ['x'])).length).toBe(rows);
    expect(database.problems.map(({ code }) => code)).toEqual(codes);
    await database.close();
  });

  it('has a whole log behind whose end is what was rolled back', async () => {
    const folder = home.make();
    const db = new Database(join(folder, 'running.sqlite'));
    db.exec('PRAGMA journal_mode = WAL; PRAGMA cache_size = 1; CREATE TABLE t (x); BEGIN');
    for (let row = 1; row <= 50; row++) db.exec('INSERT INTO t VALUES (hex(randomblob(3000)))');
    db.exec(`ROLLBACK; INSERT INTO t VALUES ('kept')`);
    const path = join(folder, 'app.sqlite');
    for (const end of ['', '-wal']) copyFileSync(`${db.name}${end}`, path + end);
    db.close();
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(100_000);
    const database = await open(path);
    expect([await rowsOf(database, 't', ['x']), database.problems]).toEqual([[['kept']], []]);
    await database.close();
  });

  it.each(['UTF-8', 'UTF-16le', 'UTF-16be'])('names rows whose bytes are not text in %s', async (encoding) => {
    const wrong = encoding === 'UTF-8' ? '41ff42' : encoding === 'UTF-16le' ? '00d84100' : 'd8000041';
    const database = await open(
      made(`PRAGMA encoding = '${encoding}'; CREATE TABLE t (id INTEGER PRIMARY KEY, x);
      INSERT INTO t (x) VALUES ('one'), ('\ufffd'), (CAST(x'${wrong}' AS TEXT)), (x'ff'), ('🎉')`),
    );
    const lists = await Array.fromAsync(database.rows('t', ['id', 'x'], never));
    expect(lists.flat().map(({ values, fault }) => [values[0], fault?.code ?? values[1]])).toEqual([
      ['1', 'one'],
      ['2', '\ufffd'],
      ['3', 'cell-encoding'],
      ['4', 'ff'],
      ['5', '🎉'],
    ]);
    expect(['id', 'x'].map((column) => database.holdsBytes!('t', column))).toEqual([false, true]);
    await database.close();
  });

  it('has virtual tables beside views: rows of one, or why there is none', async () => {
    const db = new Database(join(home.make(), 'app.sqlite'));
    db.unsafeMode(true);
    db.exec(`CREATE VIRTUAL TABLE found USING fts5(body); INSERT INTO found VALUES ('one'); PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 0, 'CREATE VIRTUAL TABLE x USING app_module(a)')`);
    db.close();
    const database = await open(db.name);
    expect(database.tables.map(({ name, isView, fault }) => [name, isView, fault])).toEqual([
      ['found', true, undefined],
      ['x', true, 'no such module: app_module'],
    ]);
    expect(await rowsOf(database, 'found', ['body'])).toEqual([['one']]);
    await database.close();
  });

  it('says of a view why it cannot be evaluated, in the words of SQLite', async () => {
    const database = await open(
      made(`CREATE TABLE t (x); CREATE VIEW v AS SELECT app_decrypt(x) AS x FROM t;
      CREATE VIEW w AS SELECT x FROM t; ALTER TABLE t RENAME TO u; DROP VIEW w; CREATE VIEW gone AS SELECT x FROM t`),
    );
    expect(database.tables.map(({ name, fault }) => [name, fault])).toEqual([
      ['gone', 'no such table: main.t'],
      ['u', undefined],
      ['v', 'no such function: app_decrypt'],
    ]);
    await database.close();
  });

  it('names rows with a cell that is too large, made of a few bytes or stored, and reads the others', async () => {
    const database = await open(
      made(`CREATE TABLE t (id INTEGER PRIMARY KEY, x, y AS (printf('%.*c', x, 'a')));
      INSERT INTO t (x) VALUES (1), (300000000), (2), (300000000), (printf('%.*c', 17000000, '3')), (3)`),
    );
    const lists = await Array.fromAsync(database.rows('t', ['id', 'y'], never));
    expect(lists.flat().map(({ values, fault }) => fault?.code ?? values[1])).toEqual([
      'a',
      'cell-too-large',
      'aa',
      'cell-too-large',
      'cell-too-large',
      'aaa',
    ]);
    expect(lists.flat().map(({ values }) => values[0])).toEqual(['1', '2', '3', '4', '5', '6']);
    await database.close();
  });

  it('that is damaged gives the rows before the damage, and what to do', async () => {
    const path =
      made(`CREATE TABLE t (x); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t SELECT i || ' ' || hex(randomblob(40)) FROM n`);
    const bytes = readFileSync(path);
    // Pages in the middle are gone; the schema, at the beginning, is not.
    bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 8192);
    writeFileSync(path, bytes);
    const database = await open(path);
    const found: string[] = [];
    const reading = (async () => {
      for await (const rows of database.rows('t', ['x'], never)) found.push(...rows.map(({ values }) => values[0]!));
    })();
    await expect(reading).rejects.toMatchObject({
      message: 'Cannot read the database: the file is damaged (app.sqlite)',
      hint: expect.stringContaining('.recover'),
    });
    expect(found.length).toBeGreaterThan(500);
    await database.close();
  });

  it('that is encrypted behind its first bytes is refused with what to do', async () => {
    const path = join(home.make(), 'app.sqlite');
    writeFileSync(path, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4096, 0xa7)]));
    await expect(open(path)).rejects.toMatchObject({
      message: expect.stringContaining('encrypted'),
      hint: expect.anything(),
    });
  });

  it('runs nothing that it holds when its tables are read', async () => {
    const path = made(`CREATE TABLE t (x); INSERT INTO t VALUES (1);
      CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT load_extension('evil'); END;
      CREATE VIEW endless AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`);
    const database = await open(path);
    expect(database.tables.map(({ name, isView }) => [name, isView])).toEqual([
      ['endless', true],
      ['t', false],
    ]);
    for await (const rows of database.rows('endless', ['i'], never)) {
      expect(rows).toHaveLength(500);
      break;
    }
    await database.close();
  });
});
