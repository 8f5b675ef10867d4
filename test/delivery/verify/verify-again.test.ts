import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FaultySandbox } from '../../../src/sandbox/faults.ts';
import { createInProcessTransport } from '../../../src/sandbox/in-process.ts';
import { openSandboxStore } from '../../../src/sandbox/store.ts';
import { apiKey, check, planTemplate, send } from '../../scenes/bench.ts';
import { makeExport, seeded } from '../../scenes/make-export.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { VirtualClock } from '../../scenes/virtual-clock.ts';
import { alter, longest } from './scene.ts';

const home = temporaryFolder();

/** Imports into the sandbox in this process, on a virtual clock. The profile's grace is 120 s. */
async function imported() {
  const folder = home.make();
  const clock = new VirtualClock();
  const made = makeExport(join(folder, 'export'), { seed: 4, messages: 200, channels: 2, directs: 2, groupDirects: 1 });
  const store = join(folder, 'chatferry.db');
  await planTemplate(store, [made.folder], clock);
  const data = join(folder, 'server.db');
  const sandbox = new FaultySandbox({ store: openSandboxStore(data), apiKey, profile: 'spec', clock });
  const sending = { store, transport: createInProcessTransport(sandbox, clock), clock, random: seeded(1) };
  onTestFinished(async () => {
    clock.stop();
    await sandbox.close();
  });
  const verify = async () => {
    const startedMs = clock.monotonic();
    const result = await check(sending);
    return { result, tookMs: clock.monotonic() - startedMs };
  };
  return { sending, sandbox, data, made, verify, clock };
}

const clean = (same: number) => ({ same, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 });

it('verify does not report messages as missing that the destination shows with a delay', async () => {
  const { sending, sandbox, made, verify } = await imported();
  sandbox.plan = { listing: { visibleAfterMs: 60_000 } };
  await send(sending);
  const { result, tookMs } = await verify();
  expect(result).toEqual(clean(made.planned));
  expect(tookMs).toBeGreaterThan(5_000);
  expect(tookMs).toBeLessThan(120_000);
});

it('verify waits for the grace period of recent messages that are not shown, and then reports them as missing', async () => {
  const { sending, data, made, verify } = await imported();
  await send(sending);
  alter(data, (db) => db.exec('DELETE FROM message'));
  const { result, tookMs } = await verify();
  expect(result).toEqual({ ...clean(0), missing: made.planned });
  expect(tookMs).toBeGreaterThan(110_000);
  expect(tookMs).toBeLessThan(121_000);
});

it('verify waits a few seconds only where something newer is shown', async () => {
  const { sending, data, made, verify } = await imported();
  await send(sending);
  alter(data, (db) => db.prepare('DELETE FROM message WHERE id = ?').run(longest(db)[2]!.id));
  const { result, tookMs } = await verify();
  expect(result).toEqual({ ...clean(made.planned - 1), missing: 1 });
  expect(tookMs).toBeGreaterThanOrEqual(5_000);
  expect(tookMs).toBeLessThan(10_000);
});

it('verify a day later waits a few seconds only', async () => {
  const { sending, data, made, verify, clock } = await imported();
  await send(sending);
  await clock.sleep(86_400_000);
  alter(data, (db) => db.exec('DELETE FROM message'));
  const { result, tookMs } = await verify();
  expect(result).toEqual({ ...clean(0), missing: made.planned });
  expect(tookMs).toBeLessThan(10_000);
});
