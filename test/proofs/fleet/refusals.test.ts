import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { run, testKey } from '../../cli/in-process.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { exportOf } from '../../fleet/fleet-here.ts';
import { programs, testPostgres } from '../../fleet/postgres.ts';

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
    for (const args of [
      [...submit, '--config', 'chatferry.yaml'],
      ['fleet', 'init'],
      ['fleet', 'status'],
      ['worker', '--leases', '1'],
    ]) {
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
    return await run(args, where);
  }

  it.each([
    ['of a newer version', 'UPDATE ferry.version SET number = 999', 'Update Chatferry'],
    ['made before 0.1', 'UPDATE ferry.version SET number = 4', 'Let workers of that version finish'],
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
    const args = ['submit', 'one.ndjson', '--tenant', 'acme', '--to', 'sandbox', '--config', 'chatferry.yaml'];
    const ended = await after('SELECT 1', ...args);
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toContain('the embedded sandbox is a file of one machine\n  Pass --to with an address');
  });
});
