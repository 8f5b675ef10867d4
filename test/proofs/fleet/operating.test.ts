import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/fleet/database/database.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { run, start, type Ended } from '../../cli/in-process.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { exportOf } from '../../fleet/fleet-here.ts';
import { programs, testPostgres } from '../../fleet/postgres.ts';

const home = temporaryFolder();

const linesOf = ({ stdout }: Ended) => stdout.trimEnd().split('\n');

describe.skipIf(programs === null)('who operates a fleet', () => {
  let url: string;
  let folder: string;
  const where = () => ({
    folder,
    env: { CHATFERRY_FLEET_DATABASE: url, CHATFERRY_FLEET_FILES: './files', CHATFERRY_API_KEY: 'key-of-nobody' },
  });

  beforeAll(async () => {
    folder = home.make();
    url = (await testPostgres()).reveal();
    await run(['fleet', 'init'], where());
    const to = ['--tenant', 'acme', '--to', 'https://chat.example'];
    await run(['submit', exportOf(folder, 'one', 3), ...to], where());
  });

  it.each(['foo:bar', '999999'])(
    'gets the error of --listen %s at once, before anything is opened',
    async (address) => {
      const nowhere = {
        folder,
        env: { ...where().env, CHATFERRY_FLEET_DATABASE: 'postgres://ferry@127.0.0.1:1/ferry' },
      };
      const ended = await run(['worker', '--listen', address], nowhere);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain(`Cannot use --listen ${address}`);
    },
  );

  it('has a worker exit at once if its port is taken, and leave nothing open', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const ended = await run(['worker', '--listen', `${(other.address() as AddressInfo).port}`], where());
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('Pass --listen with another port');
    const database = await openDatabase(new Secret(url), { max: 1, application: 'test' });
    onTestFinished(() => database.close());
    const open = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'chatferry%'`;
    await expect.poll(() => database.query(open)).toEqual([]);
  });

  it('is informed that no worker runs, and which tenants exist', async () => {
    const { stdout } = await run(['fleet', 'status'], where());
    expect(stdout).toMatch(/acme +one +waits: no worker runs +– +– +–/);
    expect(stdout).toContain('No worker runs: start one with chatferry worker\n');
    expect(await run(['fleet', 'status', '--tenant', 'nobody'], where())).toMatchObject({
      code: 2,
      stderr: 'Cannot show "nobody": there is no such tenant\n  Tenants: acme\n',
    });
  });

  it('ends --watch by Ctrl-C, which says nothing of requests', async () => {
    const watching = start(['fleet', 'status', '--watch', '--json'], where());
    await watching.line('"fleet status"');
    watching.kill('SIGINT');
    const ended = await watching.ended;
    expect(ended).toMatchObject({ code: 130, stderr: '' });
    for (const line of linesOf(ended)) expect(JSON.parse(line)).toMatchObject({ command: 'fleet status' });
  });

  it('pauses a unit of a silent worker without the promise that its lease ends', async () => {
    const database = await openDatabase(new Secret(url), { max: 1, application: 'test' });
    onTestFinished(() => database.close());
    await database.query(
      `INSERT INTO ferry.worker (id, host, version, leases, seen) VALUES ('w', 'h', '1', 2, '2020-01-01')`,
    );
    await database.query(`UPDATE ferry.unit SET state = 'running', worker = 'w'`);
    const { stdout } = await run(['fleet', 'pause', 'acme/one'], where());
    expect(stdout).toBe('acme/one: paused; its worker is silent: nothing of it is sent any more\n');
    await database.query(`UPDATE ferry.unit SET worker = NULL`);
  });

  it('sees when a worker did what, in lines or in objects', async () => {
    const lines = start(['worker', '--leases', '1'], where());
    const first = await lines.line('1 lease at a time');
    expect(first).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \S+: 1 lease at a time, /);
    lines.kill('SIGTERM');
    const ended = await lines.ended;
    expect(ended).toMatchObject({ code: 143, stderr: '' });
    expect(linesOf(ended).at(-1)).toMatch(/^\S{19}Z Stopping: /);
    const objects = start(['worker', '--leases', '1', '--json'], where());
    await objects.line('"started"');
    objects.kill('SIGTERM');
    expect(linesOf(await objects.ended).map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ at: expect.stringMatching(/Z$/), event: 'started', leases: 1, metrics: null }),
      expect.objectContaining({ event: 'stopping' }),
    ]);
  });

  it('gives a worker no options that it would ignore', async () => {
    expect(await run(['worker', '--progress', 'plain'], where())).toMatchObject({ code: 2 });
  });
});
