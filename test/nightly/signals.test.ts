import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { gatedSandbox } from '../cli/gated-sandbox.ts';
import { runJson, start, testKey } from '../cli/in-process.ts';
import { run as runProcess, start as startProcess } from '../cli/process.ts';
import { everyFeature, smallExport } from '../cli/samples.ts';
import { gatedServer } from '../cli/slow-server.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

/** Why each import request ended without an answer. After 60 s without a stop it would be a timeout. */
function requestEnds(store: string): unknown[] {
  const db = new Database(store, { readonly: true });
  const details = db.prepare('SELECT detail FROM attempt ORDER BY batch, number').pluck().all();
  db.close();
  return details;
}

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s to a process whose request has no answer: it exits with %i before the request times out, and the same command completes',
  async (name, code) => {
    const folder = home.make();
    const { sandbox, gate, service } = await gatedSandbox(folder);
    const args = ['import', smallExport(folder), '--to', service.url, '--yes', '--grace-period', '1s'];
    const { kill, ended } = startProcess(args, { folder, env });
    await gate.held.promise;
    kill(name);
    const first = await ended;
    expect({ code: first.code, signal: first.signal }).toEqual({ code, signal: null });
    expect(requestEnds(join(folder, 'chatferry.db'))).toEqual([`stopped by ${name}`]);
    expect(first.stdout).not.toBe('');
    expect(first.stderr).toContain('Stopping: requests in flight may finish');
    const between = await runJson(['status'], { folder });
    expect(between.json).toMatchObject({ planned: 3, imported: 0, exit: 0 });

    gate.isOpen = true;
    const second = await runJson(args, { folder, env });
    expect(second).toMatchObject({
      code: 0,
      json: { imported: 3, unconfirmed: 0, verify: { same: 3, duplicated: 0 } },
    });
    await sandbox.stop();
  },
);

it('a second SIGINT does not wait', async () => {
  const folder = home.make();
  const { sandbox, gate, service } = await gatedSandbox(folder);
  const args = ['import', smallExport(folder), '--to', service.url, '--yes'];
  const { kill, ended, line } = startProcess(args, { folder, env });
  await gate.held.promise;
  kill('SIGINT');
  await line('Stopping');
  kill('SIGINT');
  // The first one alone would end with a summary.
  expect(await ended).toMatchObject({ code: 130, stdout: '' });
  await sandbox.stop();
});

it('a second process reports which process holds the store, and status still works', async () => {
  const folder = home.make();
  const { sandbox, gate, service } = await gatedSandbox(folder);
  const args = ['import', smallExport(folder), '--to', service.url, '--yes'];
  const { child, ended } = startProcess(args, { folder, env });
  await gate.held.promise;
  const second = await runProcess(args, { folder, env });
  expect(second.code).toBe(7);
  expect(second.stderr).toContain(`held by "chatferry import", process ${child.pid} on `);
  const { code, json } = await runJson(['status'], { folder });
  expect(code).toBe(0);
  expect(json).toMatchObject({ destination: service.url, planned: 3, imported: 0 });
  child.kill('SIGKILL');
  await ended;
  await sandbox.stop();
});

it('status --watch ends when the import is killed', async () => {
  const folder = home.make();
  const server = await gatedServer(join(folder, 'server.db'), testKey);
  const importing = startProcess(['import', smallExport(folder), '--to', server.url, '--yes', '--quiet'], {
    folder,
    env,
  });
  await server.held();
  const watching = start(['status', '--watch', '--interval', '50ms'], { folder });
  await watching.line('unconfirmed');
  importing.kill('SIGKILL');
  const { code, stdout } = await watching.ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/unconfirmed +3/);
});

it('a reader that goes away early does not end an import', async () => {
  const folder = home.make();
  const { child, ended } = startProcess(['import', everyFeature], { folder });
  child.stdout!.destroy();
  child.stderr!.destroy();
  expect(await ended).toMatchObject({ code: 0, signal: null });
  const { json } = await runJson(['status'], { folder });
  expect(json).toMatchObject({ imported: 33, pending: 0 });
});
