/** Rows of a server are shown again next to their messages: each is found by its key, however far it is in its table. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { databaseOf, openStoreToRead } from '../../../src/store/open.ts';
import { compareMessage } from '../../../src/rows/shown.ts';
import { planExport } from '../../../src/commands/prepare.ts';
import { findingSample, outcomesUnder } from '../../../src/rows/finding-rows.ts';
import { programs as postgresPrograms } from '../../fleet/postgres.ts';
import { never } from '../../scenes/bench.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { programs as mariadbPrograms, testMariadb } from './mariadb.ts';
import { testDatabase as testPostgres } from './postgres-databases.ts';

const home = temporaryFolder();
/** More than are read from the beginning of a table. */
const count = 21_000;

const tablesOf = (keyType: string, keyOf: (number: string) => string, series: string) => `
  CREATE TABLE people (id varchar(20) PRIMARY KEY, name varchar(50));
  CREATE TABLE msg (id ${keyType}, part int, room varchar(20), who varchar(20), sent bigint, body text, PRIMARY KEY (id, part));
  INSERT INTO people VALUES ('ann', 'Ann');
  INSERT INTO msg SELECT ${keyOf('n')}, 1, 'quay', CASE WHEN n > ${count - 2} THEN 'gone' ELSE 'ann' END, 1750000000000 + n * 1000, 'Text' FROM ${series};`;

const series = `(WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count}) SELECT n FROM s) AS numbers`;

interface Server {
  /** With a user, whose password is `pass`. */
  readonly address: string;
  run(sql: string): Promise<unknown>;
}

async function onPostgres(sql: string): Promise<Server> {
  const { sql: run, shown } = await testPostgres(`${sql} GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;`);
  return { address: shown.replace('://', '://reader@'), run };
}

async function onMariadb(sql: string): Promise<Server> {
  const { run, shown, name } = await testMariadb(`SET SESSION max_recursive_iterations = 100000; ${sql}`);
  await run(`CREATE OR REPLACE USER again@'%' IDENTIFIED BY 'pass'; GRANT SELECT ON ${name}.* TO again@'%'`);
  return { address: shown('127.0.0.1').replace('://', '://again@'), run };
}

const servers = [
  ['PostgreSQL, by a number', onPostgres, tablesOf('bigint', (n) => n, series)],
  ['PostgreSQL, by a uuid', onPostgres, tablesOf('uuid', (n) => `md5(${n}::text)::uuid`, series)],
  ['PostgreSQL, by bytes', onPostgres, tablesOf('bytea', (n) => `decode(md5(${n}::text), 'hex')`, series)],
  ['MariaDB, by a number', onMariadb, tablesOf('bigint', (n) => n, series)],
  ['MariaDB, by a text', onMariadb, tablesOf('varchar(40)', (n) => `md5(${n})`, series)],
  ['MariaDB, by bytes', onMariadb, tablesOf('varbinary(16)', (n) => `unhex(md5(${n}))`, series)],
] as const;

async function planned(address: string) {
  const folder = home.make();
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, 'pass\n', { mode: 0o600 });
  const mapping = JSON.stringify({
    version: 1,
    source: {
      passwordFile,
      tables: { messages: { table: 'msg' }, users: { table: 'people' } },
      users: { id: 'id', name: 'name' },
      messages: {
        id: 'id',
        conversation: 'room',
        author: 'who',
        time: { from: 'sent', format: 'unix-ms' },
        text: 'body',
      },
    },
  });
  const request = await sessionRequest(folder, { from: [address], source: 'database', mapping });
  await planExport(request);
  return { store: request.store, mapping: request.mapping! };
}

const isAbsent = (name: string) => (name.startsWith('MariaDB') ? mariadbPrograms : postgresPrograms) === null;

describe.each(servers)('a message of %s', (name, start, sql) => {
  it.skipIf(isAbsent(name))('is shown with its row, and with what it would become', async () => {
    const { address, run } = await start(sql);
    const { store, mapping } = await planned(address);
    const again = { exports: [address], signal: never };
    const sample = await findingSample(store, 'author-not-described', { max: 3, ...again });
    expect(sample.map(({ row }) => Object.fromEntries(row!))).toEqual([
      expect.objectContaining({ who: 'gone', body: 'Text' }),
      expect.objectContaining({ who: 'gone', body: 'Text' }),
    ]);
    const changes = [{}, { people: { unknownAuthors: 'skip' } }];
    const outcomes = await outcomesUnder(store, sample, { mapping, changes, ...again });
    expect(outcomes.map((of) => of.map((one) => one?.verdict))).toEqual([
      ['planned', 'planned'],
      ['skipped', 'skipped'],
    ]);
    const { row, why } = (await compareMessage(store, sample[0]!.muid!, [address]))!;
    expect([JSON.parse(row!), why]).toEqual([expect.objectContaining({ who: 'gone' }), 'As the server has it now.']);
    await run('DELETE FROM msg');
    expect(await compareMessage(store, sample[0]!.muid!, [address])).toMatchObject({
      row: null,
      why: expect.stringContaining('gone'),
    });
  });
});

const withoutKey = tablesOf('bigint', (n) => n, series).replace(', PRIMARY KEY (id, part)', '');

describe.each([
  ['PostgreSQL', onPostgres],
  ['MariaDB', onMariadb],
] as const)('a message of %s in a table without a key', (name, start) => {
  it.skipIf(isAbsent(name))('is not looked for: nothing says which of the rows it is', async () => {
    const { address } = await start(withoutKey);
    const { store, mapping } = await planned(address);
    const again = { exports: [address], signal: never };
    const sample = await findingSample(store, 'author-not-described', { max: 1, ...again });
    expect(sample).toMatchObject([{ record: null, row: null, why: expect.stringContaining('cannot be asked') }]);
    const changes = [{}, { source: { zone: 'Europe/Berlin' } }];
    expect(await outcomesUnder(store, sample, { mapping, changes, ...again })).toEqual([[null], [null]]);
    expect(await compareMessage(store, sample[0]!.muid!, [address])).toMatchObject({ row: null });
  });
});

it.skipIf(postgresPrograms === null)('a server is asked for no row without its user, and says no secret', async () => {
  const { address } = await onPostgres(tablesOf('bigint', (n) => n, series));
  const { store } = await planned(address);
  const [sample] = await findingSample(store, 'author-not-described', { max: 1, exports: [], signal: never });
  expect(sample).toMatchObject({ row: null, why: expect.stringContaining('which user'), record: null });
  const db = openStoreToRead(store);
  const muid = databaseOf(db).prepare<[], string>('SELECT muid FROM message LIMIT 1').pluck().get()!;
  db.close();
  const wrong = address.replace('reader@', 'nobody@');
  const answer = await compareMessage(store, muid, [wrong]);
  expect(answer).toMatchObject({ row: null });
  expect(JSON.stringify(answer)).not.toMatch(/pass|nobody/);
});
