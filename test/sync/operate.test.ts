import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenSchema, logSchema } from '../../src/sync/shared-settings.ts';
import { webhookSchema } from '../../src/sync/config/webhook.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { Secret } from '../../src/lib/secret.ts';
import type { SyncListener } from '../../src/sync/job-result.ts';
import { openOperators, type OperatorsConfig, notifyAll } from '../../src/sync/operate.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { failedResult } from './job-result.ts';
import { sampleOf } from './prometheus-text.ts';
import { openReceiver } from './receiver.ts';

const temporary = temporaryFolder();

async function open(config: OperatorsConfig) {
  const operators = await openOperators(config, {
    clock: systemClock,
    random: () => 0,
    env: { CHATFERRY_WEBHOOK_SECRET: 'a secret of the webhook' },
    past: [],
    secrets: [new Secret('k3y-of-the-app')],
  });
  onTestFinished(() => operators.listener.close!());
  return operators;
}

const read = async (url: string) => (await fetch(url)).text();

describe('openOperators()', () => {
  it('opens nothing that is not asked for', async () => {
    const { listener, url } = await open({});
    listener.started!(['support']);
    listener.runEnded!(failedResult());
    await listener.close!();
    expect(url).toBeUndefined();
  });

  it('lets log, metrics and webhook see the same run, and each other', async () => {
    const receiver = await openReceiver();
    const file = join(temporary.make(), 'sync.log');
    const { listener, url } = await open({
      log: logSchema.parse({ file }),
      listen: listenSchema.parse({ port: '0' }),
      webhook: webhookSchema.parse({ url: receiver.url }),
    });
    listener.started!(['support']);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    listener.runEnded!(failedResult());
    await receiver.until(1);
    const text = await read(`${url}/metrics`);
    expect(sampleOf(text, 'chatferry_job_failures_in_a_row', { name: 'support' })).toBe(1);
    listener.stopping!('SIGTERM');
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    await listener.close!();
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const phrases = lines.map(({ msg }) => msg);
    const delivered = 'webhook: notice delivered';
    expect(phrases.filter((phrase) => phrase !== delivered)).toEqual([
      ...['listening', 'sync started', 'run ended', 'stopping'],
    ]);
    expect(phrases).toContain(delivered);
    expect(new Set(lines.map(({ sync }) => sync)).size).toBe(1);
  });

  it('warns where other machines are let in', async () => {
    const file = join(temporary.make(), 'sync.log');
    await open({
      log: logSchema.parse({ file }),
      listen: listenSchema.parse({ port: '0', address: '0.0.0.0', allowRemote: 'true' }),
    });
    expect(readFileSync(file, 'utf8')).toContain('"level":"warn"');
  });

  it('leaves no port open if the rest cannot be opened', async () => {
    const free = await freePort();
    const config = { listen: listenSchema.parse({ port: free }), webhook: webhookSchema.parse({}) };
    await expect(open(config)).rejects.toThrow('no address is given');
    await expect(fetch(`http://127.0.0.1:${free}/healthz`)).rejects.toThrow();
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('notifyAll()', () => {
  it('passes every event to every listener in order, and closes them one after the other', async () => {
    const told: string[] = [];
    const names = ['started', 'scheduled', 'runStarted', 'runProgress', 'runEnded', 'beat', 'stopping'] as const;
    const listenerOf = (name: string): SyncListener => ({
      ...Object.fromEntries(names.map((event) => [event, () => told.push(`${name} ${event}`)])),
      async close() {
        await Promise.resolve();
        told.push(`${name} closed`);
      },
    });
    const all = notifyAll([listenerOf('a'), {}, listenerOf('b')]) as Required<SyncListener>;
    for (const event of names) (all[event] as () => void)();
    await all.close();
    expect(told).toEqual([...names.flatMap((event) => [`a ${event}`, `b ${event}`]), 'a closed', 'b closed']);
  });
});
