import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { testKey } from '../cli/in-process.ts';
import type { Running } from '../cli/running.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { exportOf, type FleetHere, fleetHere } from '../fleet/fleet-here.ts';
import { programs } from '../fleet/postgres.ts';

describe.skipIf(programs === null)('the way of a user through a fleet', () => {
  let here: FleetHere;
  let worker: Running;

  beforeAll(async () => {
    here = await fleetHere(temporaryFolder().make());
  });

  const unitsNow = async (): Promise<Record<string, unknown>[]> => (await here.json('fleet', 'status')).units;
  const unitNow = async (name: string) => (await unitsNow()).find((unit) => unit.name === name);

  it('begins with init, which may be run again', async () => {
    expect(await here.run('fleet', 'status')).toMatchObject({ code: 7, stderr: expect.stringContaining('fleet init') });
    expect(await here.run('fleet', 'init')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Ready {5}test_/),
    });
    expect(await here.json('fleet', 'init')).toMatchObject({ command: 'fleet init', exit: 0 });
    expect((await here.run('fleet', 'status')).stdout).toContain('No units yet: chatferry submit');
  });

  it('takes exports and the jobs of a configuration, changes those that changed and pauses those that are gone', async () => {
    const { folder, service } = here;
    const to = ['--tenant', 'acme', '--to', service.url];
    const export_ = exportOf(folder, 'one', 120);
    expect(await here.run('submit', export_, ...to)).toMatchObject({
      code: 0,
      stdout: `acme/one: new, due now, to ${service.url}\nNext      chatferry worker   (none runs), then chatferry fleet status\n`,
    });
    const jobs = (...lines: string[]) =>
      writeFileSync(
        join(folder, 'jobs.yaml'),
        `fleet: { tenant: birch }\nto: ${service.url}\njobs:\n${lines.map((line) => `  - ${line}\n`).join('')}`,
      );
    exportOf(folder, 'two', 30);
    exportOf(folder, 'three', 5);
    jobs('{ name: two, export: ./two.ndjson }', '{ name: three, export: ./three.ndjson }');
    const wereOf = async () =>
      (
        (await here.json('submit', '--config', 'jobs.yaml')) as { submitted: { unit: string; was: string }[] }
      ).submitted.map(({ unit, was }) => `${unit} ${was}`);
    expect(await wereOf()).toEqual(['birch/two new', 'birch/three new']);
    jobs('{ name: two, export: ./two.ndjson, batchItems: 10 }', '{ name: three, export: ./three.ndjson }');
    expect(await wereOf()).toEqual(['birch/two changed', 'birch/three the same']);
    jobs('{ name: two, export: ./two.ndjson, batchItems: 10 }');
    expect(await here.run('submit', '--config', 'jobs.yaml')).toMatchObject({
      stdout: expect.stringContaining('birch/three: paused, its job is gone\n'),
    });
    expect(await unitNow('three')).toMatchObject({ state: 'paused' });
  });

  it('opens and drops nothing that is not there', async () => {
    expect(await here.run('fleet', 'open', 'acme/one', '--store', 'one.db')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no copy of its store yet\n  It has one once it was planned'),
    });
    for (const change of ['pause', 'resume', 'retry', 'drop', 'open']) {
      expect(await here.run('fleet', change, 'acme/nobody'), change).toMatchObject({
        code: 2,
        stderr: 'Cannot find "acme/nobody": there is no such unit or tenant\n  chatferry fleet status shows all\n',
      });
    }
  });

  it('stops a unit whose key is wrong, and continues it after retry', async () => {
    const { folder, service } = here;
    const keyFile = join(folder, 'key');
    writeFileSync(keyFile, 'another-key-than-that', { mode: 0o600 });
    const export_ = exportOf(folder, 'four', 5);
    await here.run('submit', export_, '--tenant', 'cedar', '--to', service.url, '--api-key-file', keyFile);
    worker = here.worker();
    expect(await worker.line('cedar/four: lease failed')).toContain('AUTH_ERR_APIKEY_NOT_FOUND');
    const status = await here.run('fleet', 'status', '--tenant', 'cedar');
    expect(status).toMatchObject({ code: 3 });
    expect(status.stdout).toMatch(/cedar +four +stopped/);
    expect(status.stdout).toContain('needs your decision; then run: chatferry fleet retry cedar/four');
    writeFileSync(keyFile, testKey);
    expect((await here.run('fleet', 'retry', 'cedar/four')).stdout).toBe('cedar/four: waiting\n');
    expect(await worker.line('cedar/four: lease ended')).toContain(', done');
  });

  it('migrates every unit, verified, and reports its status', async () => {
    for (const unit of ['acme/one', 'birch/two']) expect(await worker.line(`${unit}: lease ended`)).toContain(', done');
    const { workers, units, exit } = await here.json('fleet', 'status');
    expect(exit).toBe(0);
    expect(workers).toMatchObject([{ leases: 2 }]);
    expect(units).toMatchObject([
      { tenant: 'acme', name: 'one', state: 'done', planned: 120, imported: 120, remaining: 0, reason: null },
      { tenant: 'birch', name: 'three', state: 'paused', planned: 0 },
      { tenant: 'birch', name: 'two', state: 'done', planned: 30, imported: 30, remaining: 0 },
      { tenant: 'cedar', name: 'four', state: 'done', planned: 5, imported: 5, failures: 0, reason: null },
    ]);
    expect((await here.run('fleet', 'status')).stdout).toMatch(/^1 worker, .*files ok\n\nTENANT +UNIT +STATE/);
  });

  it('opens the store of a unit for every other command', async () => {
    expect(await here.run('fleet', 'open', 'acme/one', '--store', 'one.db')).toMatchObject({ code: 0 });
    expect(await here.json('status', '--store', 'one.db')).toMatchObject({ imported: 120, pending: 0 });
    expect(await here.run('fleet', 'open', 'acme/one', '--store', 'one.db')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is such a file'),
    });
    expect(await here.run('fleet', 'open', 'acme')).toMatchObject({
      code: 2,
      stderr: 'Cannot open "acme": it is a tenant\n  Name one of its units: acme/one\n',
    });
  });

  it('pauses a running unit before it is dropped, and continues it when it is resumed', async () => {
    // 50 messages a minute: its lease takes as long as it may.
    const export_ = exportOf(here.folder, 'five', 200);
    await here.run('submit', export_, '--tenant', 'dune', '--to', here.service.url, '--rate', '1');
    await worker.line('dune/five: lease 1 begins');
    expect(await here.run('fleet', 'drop', 'dune')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^Cannot drop "dune\/five": .* works on it\n {2}Run "chatferry fleet pause dune\/five" first/,
      ),
    });
    expect((await here.run('fleet', 'pause', 'dune')).stdout).toBe(
      'dune/five: paused; its lease ends within half a minute\n',
    );
    expect(await worker.line('dune/five: lease ended')).toContain('paused');
    expect((await here.run('fleet', 'pause', 'dune')).stdout).toBe('dune/five: stays paused\n');
    expect((await here.run('fleet', 'resume', 'dune/five')).stdout).toBe('dune/five: waiting\n');
    await worker.line('dune/five: lease 2 begins');
  });

  it('returns its leases when asked to stop, and exits with 143', async () => {
    worker.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 143 });
    expect(await here.json('fleet', 'status')).toMatchObject({ workers: [] });
    expect(await unitNow('five')).toMatchObject({ state: 'waiting', worker: null, dueInMs: 0, failures: 0 });
    expect(await here.json('fleet', 'drop', 'dune')).toMatchObject({ units: [{ unit: 'dune/five', is: 'dropped' }] });
    const copies = globSync('copies/**/*.zst', { cwd: here.files });
    expect(copies.filter((key) => key.includes('five'))).toEqual([]);
    expect(copies.length).toBeGreaterThan(0);
  });
});
