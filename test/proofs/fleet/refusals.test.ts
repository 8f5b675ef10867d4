import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { run, testKey } from '../../cli/in-process.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { exportOf } from '../../jobs/fleet/fleet-here.ts';
import { programs, testPostgres } from '../../jobs/fleet/postgres.ts';

const home = temporaryFolder();

/** An unreachable database: nothing listens on the port. */
const nowhere = 'postgres://ferry:pass-that-nobody-sees@127.0.0.1:1/ferry';

/** A folder with an export and a configuration. */
function folderWith(yaml = '{}'): string {
  const folder = home.make();
  exportOf(folder, 'one', 3);
  writeFileSync(join(folder, 'chatferry.yaml'), yaml);
  return folder;
}

describe('refusals of a fleet', () => {
  const submit = ['submit', 'one.ndjson', '--tenant', 'acme', '--to', 'https://chat.example'];
  const files = { CHATFERRY_FLEET_FILES: './files', CHATFERRY_API_KEY: testKey };

  it.each<[string, readonly string[], string, Readonly<Record<string, string>>, string, string]>([
    ['no database', ['fleet', 'status'], '{}', {}, 'no database is named', 'fleet.database'],
    ['no files', ['worker'], '{}', { CHATFERRY_FLEET_DATABASE: nowhere }, 'no place for copies', 'fleet.files'],
    [
      'an address of another database',
      [...submit, '--config', 'chatferry.yaml'],
      'fleet: { database: "mysql://db/x" }',
      files,
      'an address of PostgreSQL',
      'postgres://',
    ],
    [
      'no tenant',
      ['submit', 'one.ndjson', '--to', 'https://chat.example'],
      '{}',
      { ...files, CHATFERRY_FLEET_DATABASE: nowhere },
      'no tenant is set',
      '--tenant acme',
    ],
    [
      'a tenant with a space',
      [...submit, '--tenant', 'Acme Inc'],
      '{}',
      { ...files, CHATFERRY_FLEET_DATABASE: nowhere },
      'Cannot use "Acme Inc" as a tenant',
      '--tenant acme',
    ],
    [
      'nothing to submit',
      ['submit', '--tenant', 'acme'],
      '{}',
      { ...files, CHATFERRY_FLEET_DATABASE: nowhere },
      'neither an export nor',
      'submit --config',
    ],
    [
      'a key that is not there',
      ['fleet', 'status', '--config', 'chatferry.yaml'],
      'fleet:\n  datbase: x\n',
      {},
      'chatferry.yaml:2:3',
      'there is no such key',
    ],
    [
      'a heartbeat that is too short',
      ['worker', '--config', 'chatferry.yaml'],
      'fleet:\n  heartbeat: 1s\n',
      {},
      'chatferry.yaml:2:3',
      'expected 10s or more',
    ],
    ['leases that are no number', ['worker', '--leases', 'many'], '{}', {}, 'Cannot use --leases', ''],
  ])('%s is an error of usage that says what to do', async (_, args, yaml, env, words, hint) => {
    const ended = await run(args, { folder: folderWith(yaml), env });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(words);
    expect(ended.stderr).toContain(hint);
  });

  it('an unreachable database exits with 7, and its password is not printed', async () => {
    const env = { ...files, CHATFERRY_FLEET_DATABASE: nowhere };
    for (const args of [submit, ['fleet', 'init'], ['fleet', 'status'], ['worker', '--leases', '1']]) {
      const ended = await run(args, { folder: folderWith(), env });
      expect(ended, args.join(' ')).toMatchObject({ code: 7 });
      expect(ended.stderr).toContain('Cannot reach the database "ferry on 127.0.0.1:1"');
      expect(ended.stderr).not.toContain('pass-that');
    }
  });
});

describe.skipIf(programs === null)('a database', () => {
  async function after(statement: string, ...args: readonly string[]) {
    const url = (await testPostgres()).reveal();
    const where = { folder: folderWith(), env: { CHATFERRY_FLEET_DATABASE: url, CHATFERRY_FLEET_FILES: './files' } };
    if (!statement.startsWith('CREATE')) await run(['fleet', 'init'], where);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
    return { ...(await run(args, where)), url };
  }

  it.each([
    ['of a newer version', 'UPDATE ferry.version SET number = 99', 'Update Chatferry'],
    ['whose queues are newer', 'UPDATE pgboss.version SET version = 9999', 'update this one'],
    ['where somebody else has tables', 'CREATE SCHEMA ferry; CREATE TABLE ferry.unit (boats int)', 'another database'],
    ['where somebody else has versions', 'CREATE SCHEMA ferry; CREATE TABLE ferry.version (name text)', 'another data'],
  ])('%s ends with 7, for everybody, and nothing is made in it', async (_, statement, hint) => {
    for (const args of [
      ['fleet', 'init'],
      ['fleet', 'status'],
      ['worker', '--leases', '1'],
    ]) {
      const ended = await after(statement, ...args);
      expect(ended, args.join(' ')).toMatchObject({ code: 7, stdout: '' });
      expect(ended.stderr).toContain(hint);
    }
  });

  it('in which an older version split an export into parts ends with 7, and stays as it was', async () => {
    const asOlder = `ALTER TABLE ferry.unit DROP CONSTRAINT unit_is_whole; UPDATE ferry.version SET number = 1;
      INSERT INTO ferry.unit (id, tenant, config, address, export, part, parts, state, epoch)
        SELECT 'acme/' || name || '#' || part + 1, 'acme', '{}', 'https://chat.example', 'acme/' || name, part, 2, 'waiting', 1
        FROM unnest(ARRAY['huge', 'large']) AS name, generate_series(0, 1) AS part`;
    const updated = await after(asOlder, 'fleet', 'init');
    expect(updated).toMatchObject({ code: 7, stdout: '' });
    expect(updated.stderr).toContain(
      'an older version split "acme/huge" and 1 more into parts, and this version has whole exports only\n  Let workers of that version finish, or drop it',
    );
    for (const args of [
      ['fleet', 'status'],
      ['worker', '--leases', '1'],
    ])
      expect(await after(asOlder, ...args), args.join(' ')).toMatchObject({
        code: 7,
        stderr: expect.stringContaining('Run "chatferry fleet init"'),
      });
  });

  it('of an older version is upgraded if every unit is a whole export', async () => {
    const asOlder = `ALTER TABLE ferry.unit DROP CONSTRAINT unit_is_whole; UPDATE ferry.version SET number = 1;
      ALTER TABLE ferry.unit RENAME COLUMN totals TO books;
      INSERT INTO ferry.unit (id, tenant, config, address, export, state, epoch, books, progress)
        VALUES ('acme/one', 'acme', '{"job":{"late":"refuse","exportKeeps":"recent","grace":"9s","rate":60}}', 'https://chat.example', 'acme/one', 'done', 1,
          '{ "rejected": 1, "present": 2, "refused": 3, "inDoubt": 4, "repeated": 5 }', '{ "sent": { "left": 6 } }')`;
    const updated = await after(asOlder, 'fleet', 'init');
    expect(updated).toMatchObject({ code: 0 });
    const client = new pg.Client({ connectionString: updated.url });
    await client.connect();
    const { rows } = await client.query('SELECT totals, progress, config FROM ferry.unit').finally(() => client.end());
    expect(rows).toEqual([
      {
        totals: { invalid: 1, existing: 2, failed: 3, unconfirmed: 4, duplicates: 5 },
        progress: { sent: { remaining: 6 } },
        config: { job: { outOfOrder: 'reject', exportScope: 'window', gracePeriod: '9s', rate: 60 } },
      },
    ]);
  });

  it('whose user may create nothing in it exits with 7, and lists the rights needed', async () => {
    const url = new URL((await testPostgres()).reveal());
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(`CREATE ROLE weak LOGIN PASSWORD 'weak'`).finally(() => client.end());
    url.username = url.password = 'weak';
    const env = { CHATFERRY_FLEET_DATABASE: url.href, CHATFERRY_FLEET_FILES: './files' };
    const ended = await run(['fleet', 'init'], { folder: folderWith(), env });
    expect(ended).toMatchObject({ code: 7, stderr: expect.stringContaining('GRANT CREATE ON DATABASE') });
  });

  it('takes no job whose destination is a file on one machine', async () => {
    const ended = await after('SELECT 1', 'submit', 'one.ndjson', '--tenant', 'acme', '--to', 'sandbox');
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toContain('the embedded sandbox is a file of one machine\n  Pass --to with an address');
  });
});
