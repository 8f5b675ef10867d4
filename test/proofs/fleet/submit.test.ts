import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { exportOf, type FleetHere, fleetHere } from '../../fleet/fleet-here.ts';
import { programs } from '../../fleet/postgres.ts';

const home = temporaryFolder();

/** There is no worker: a submitted unit stays as submitted. */
describe.skipIf(programs === null)('chatferry submit', () => {
  let here: FleetHere;

  beforeAll(async () => {
    here = await fleetHere(home.make());
    await here.run('fleet', 'init');
  });

  const stateOf = async (name: string): Promise<string | undefined> =>
    (await here.json('fleet', 'status')).units.find((unit: { name: string }) => unit.name === name)?.state;
  const to = (url = here.service.url) => ['--tenant', 'acme', '--to', url];
  const config = (name: string, ...jobs: string[]) => {
    const path = join(here.folder, name);
    writeFileSync(
      path,
      `fleet: { tenant: ${name.split('.')[0]} }\nto: ${here.service.url}\njobs:\n${jobs.map((job) => `  - ${job}\n`).join('')}`,
    );
    return ['submit', '--config', name];
  };

  it('sends a unit to no other destination', async () => {
    const path = exportOf(here.folder, 'moved', 3);
    await here.run('submit', path, ...to());
    expect(await here.run('submit', path, ...to('https://elsewhere.example'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^Cannot submit "acme\/moved" to https:\/\/elsewhere\.example: it goes to http.*\n {2}Pass another --name/,
      ),
    });
  });

  it('takes one export to one destination once, under whatever names', async () => {
    const path = exportOf(here.folder, 'once', 3);
    await here.run('submit', path, ...to());
    const again = [
      ['--name', 'twice'],
      ['--tenant', 'birch'],
    ];
    for (const other of again)
      expect(await here.run('submit', path, ...to(), ...other)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('"acme/once" migrates the same export to the same destination'),
      });
    expect(await here.run('submit', path, ...to('https://another.example'), '--name', 'else')).toMatchObject({
      code: 0,
    });
    // Another choice of its messages is another matter.
    for (const only of ['a', 'b'])
      expect(await here.run('submit', path, ...to(), '--name', `only-${only}`, '--only', `in:${only}`)).toMatchObject({
        code: 0,
      });
  });

  it('takes options from variables and the configuration, as an import does, and reports where it takes none', async () => {
    const path = exportOf(here.folder, 'options', 3);
    const env = { ...here.env, CHATFERRY_TO: here.service.url, CHATFERRY_BATCH_ITEMS: '7' };
    expect(await here.runWith(env, 'submit', path, '--tenant', 'acme')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`acme/options: new, due now, to ${here.service.url}\n`),
    });
    expect(await here.run('submit', path, ...to(), '--batch-items', '7')).toMatchObject({
      stdout: expect.stringContaining('acme/options: the same'),
    });
    expect(await here.runWith(env, ...config('cedar.yaml', `{ name: one, export: ${path} }`))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Cannot use CHATFERRY_TO with --config: workers do not have it'),
    });
  });

  it('continues a job that is in its configuration again, and leaves alone what a user paused', async () => {
    const jobs = ['{ name: a, export: ./a.ndjson }', '{ name: b, export: ./b.ndjson }'];
    for (const name of ['a', 'b']) exportOf(here.folder, name, 3);
    await here.run(...config('dune.yaml', ...jobs));
    expect((await here.run(...config('dune.yaml', jobs[0]!))).stdout).toContain('dune/b: paused, its job is gone');
    expect((await here.run(...config('dune.yaml', ...jobs))).stdout).toContain('dune/b: the same, due now');
    expect(await stateOf('b')).toBe('waiting');
    await here.run('fleet', 'pause', 'dune/a');
    const changed = ['{ name: a, export: ./a.ndjson, batchItems: 9 }', jobs[1]!];
    expect((await here.run(...config('dune.yaml', ...changed))).stdout).toContain('dune/a: changed, and stays paused');
    expect(await stateOf('a')).toBe('paused');
    expect((await here.run('fleet', 'resume', 'dune/a')).stdout).toBe('dune/a: waiting\n');
  });

  it('keeps tokens of addresses out of the database', async () => {
    const job = `{ name: t, export: { url: 'https://files.example/export.zip?token=1f0c' }, schedule: '0 3 * * *' }`;
    const { code, stderr, stdout } = await here.run(...config('elm.yaml', job));
    expect({ code, all: stderr + stdout }).toMatchObject({ code: 2, all: expect.not.stringContaining('1f0c') });
    expect(stderr).toContain('may contain a token');
    expect(stderr).toContain('headersFile');
  });

  it.each([
    [[], 'neither an export nor a configuration is named'],
    [['there.ndjson', '--tenant', 'acme'], 'Cannot submit: no destination is named\n  Pass --to'],
    [
      ['there.ndjson', '--tenant', 'acme', '--to', 'https://x.example', '--name', 'a b'],
      'Cannot use "a b" as --name: expected a name of a-z',
    ],
    [['there.ndjson', '--to', 'https://x.example'], 'no tenant is set'],
  ])('reports what is missing in %j', async (args, words) => {
    expect(await here.run('submit', ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });

  it('says that an export is not here, and takes it: workers may have it', async () => {
    const submitted = await here.run('submit', 'far/away.ndjson', ...to('https://x.example'));
    expect(submitted).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/far\/away\.ndjson" is not on this machine/),
    });
    expect(submitted.stdout).toMatch(/\nNext {6}chatferry worker {3}\(none runs\), then chatferry fleet status\n$/);
  });

  it('takes a database address as it is, and treats it as one export for all users', async () => {
    const submitted = await here.run('submit', 'postgres://reader@db.example/chat', ...to('https://x.example'));
    expect(submitted).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('acme/chat: new') });
    const other = ['submit', 'postgres://other@db.example/chat?sslmode=require', '--name', 'other'];
    expect(await here.run(...other, ...to('https://x.example'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"acme/chat" migrates the same export'),
    });
    const refused = await here.run('submit', 'postgres://reader:s3cret@db.example/chat', ...to('https://y.example'));
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('it holds a password') });
    expect(refused.stderr).not.toContain('s3cret');
  });

  it('retries at once a unit due for a later retry, and drops the rest of a unit', async () => {
    await here.run('submit', exportOf(here.folder, 'later', 3), ...to());
    const { openDatabase } = await import('../../../src/fleet/database/database.ts');
    const { Secret } = await import('../../../src/lib/secret.ts');
    const database = await openDatabase(new Secret(here.url), { max: 1, application: 'test' });
    await database.query(`UPDATE ferry.unit SET failures = 3, due_at = now() + interval '1 h' WHERE id = 'acme/later'`);
    await database.close();
    expect((await here.run('fleet', 'retry', 'acme/later')).stdout).toBe('acme/later: waiting\n');
    expect((await here.run('fleet', 'retry', 'acme/later')).stdout).toBe('acme/later: stays waiting\n');
    expect((await here.run('fleet', 'drop', 'acme/later')).stdout).toBe('acme/later: dropped\n');
    expect((await here.run('fleet', 'drop', 'acme/later')).code).toBe(2);
  });
});
