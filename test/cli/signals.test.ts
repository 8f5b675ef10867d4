import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/lib/flow/clock.ts';
import { makeExport } from '../scenes/make-export.ts';
import { fastClock } from '../scenes/fast-clock.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { fakeService, handOn } from './fake-service.ts';
import { gatedSandbox } from './gated-sandbox.ts';
import { runJson, serveSandbox, start, testKey } from './in-process.ts';
import { smallExport } from './samples.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

/** No sleep is ever over: a run that does not cut its sleeps short when it is asked to stop never ends. */
const clockWithoutEnd: Clock = {
  ...systemClock,
  sleep: (_ms, signal) =>
    new Promise((_, reject) => {
      if (signal?.aborted) reject(signal.reason);
      else signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
};

describe('a process that is asked to stop', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s during a request without an answer ends with %i, and the same command completes',
    async (name, code) => {
      const folder = home.make();
      const { sandbox, gate, service } = await gatedSandbox(folder);
      const args = ['import', smallExport(folder), '--to', service.url, '--yes', '--grace-period', '1s'];
      const { kill, ended } = start(args, { folder, env, clock: fastClock() });
      await gate.held.promise;
      kill(name);
      const first = await ended;
      expect(first.code).toBe(code);
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

  it('ends immediately while it reads an export, and while it waits for its turn', async () => {
    const folder = home.make();
    makeExport(join(folder, 'large'), { seed: 1, messages: 6_000, channels: 30, days: 10 });
    const { sandbox, gate, service } = await gatedSandbox(folder);
    gate.isOpen = true;
    const slow = ['--to', service.url, '--yes', '--rate', '1', '--batch-items', '1', '--store', 'slow.db'];
    const stopped = async (args: readonly string[], words: string) => {
      const { kill, ended, line } = start([...args, '--progress', 'json'], { folder, env, clock: clockWithoutEnd });
      expect(await line(words)).toBeDefined();
      kill('SIGTERM');
      return await ended;
    };
    const plan = await stopped(['plan', 'large'], '"stage":"Reading"');
    expect(plan.code).toBe(143);
    expect(plan.stderr).not.toContain('"done":6000');
    expect((await stopped(['import', smallExport(folder), ...slow], '"waiting":{')).code).toBe(143);
    // Nothing is half done: the same commands go on.
    expect((await runJson(['plan', 'large'], { folder })).json).toMatchObject({ read: 6_000, exit: 0 });
    expect((await runJson(['status', '--store', 'slow.db'], { folder })).json).toMatchObject({
      imported: 1,
      unconfirmed: 0,
    });
    await sandbox.stop();
  });

  it('ends while it verifies, and verifies the next time', async () => {
    const folder = home.make();
    const sandbox = await serveSandbox(folder);
    const isHeld = { value: false };
    const held = Promise.withResolvers<void>();
    const service = await fakeService((request, response) => {
      if (isHeld.value) held.resolve();
      else void handOn(request, response, sandbox.url);
    });
    const args = ['--to', service.url];
    const imported = await runJson(['import', smallExport(folder), ...args, '--yes', '--no-verify'], { folder, env });
    expect(imported.json).toMatchObject({ imported: 3, verify: null });
    isHeld.value = true;
    const { kill, ended } = start(['verify', ...args], { folder, env, clock: fastClock() });
    await held.promise;
    kill('SIGINT');
    expect((await ended).code).toBe(130);
    isHeld.value = false;
    expect((await runJson(['verify', ...args], { folder, env })).json).toMatchObject({ exit: 0, verify: { same: 3 } });
    await sandbox.stop();
  });
});
