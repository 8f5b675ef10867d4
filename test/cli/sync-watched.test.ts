import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../sync/prometheus-text.ts';
import { openReceiver } from '../sync/receiver.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { start, testKey } from './in-process.ts';

const home = temporaryFolder();
const secret = 'a secret of the webhook';

describe('chatferry sync, watched', () => {
  it('is visible in log, metrics, health and webhook, none of which shows a key, and stops on request', async () => {
    const folder = home.make();
    const receiver = await openReceiver();
    writeFileSync(join(folder, 'webhook-secret'), secret, { mode: 0o600 });
    writeFileSync(
      join(folder, 'chatferry.yaml'),
      `sync:
  log: { level: debug, file: ./sync.log }
  listen: { port: 0 }
  webhook: { url: '${receiver.url}', secretFile: ./webhook-secret }
jobs:
  - { name: gone, export: ./nowhere, to: sandbox, schedule: '* * * * * *' }
`,
    );
    const { kill, ended } = start(['sync', '--config', 'chatferry.yaml'], {
      folder,
      env: { CHATFERRY_API_KEY: testKey },
    });
    await receiver.until(2);
    const logged = () => readFileSync(join(folder, 'sync.log'), 'utf8');
    const lines = () =>
      logged()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    const { url } = lines().find(({ msg }) => msg === 'listening');
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(sampleOf(metrics, 'chatferry_job_failures_in_a_row', { name: 'gone' })).toBeGreaterThanOrEqual(2);
    expect(sampleOf(metrics, 'chatferry_job_runs_total', { name: 'gone', exit: '4' })).toBeGreaterThanOrEqual(2);
    const health = await Promise.all(['healthz', 'readyz'].map((page) => fetch(`${url}/${page}`)));
    expect(health.map(({ status }) => status)).toEqual([200, 200]);
    const [{ body, headers }] = receiver.received as [(typeof receiver.received)[number]];
    const digest = createHmac('sha256', secret).update(body).digest('hex');
    expect(headers['x-chatferry-signature']).toBe(`sha256=${digest}`);
    expect(JSON.parse(body)).toMatchObject({ job: 'gone', run: 'gone-1', reasons: ['failure'], exit: 4 });
    kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(143);
    expect(lines().some(({ msg }) => msg === 'stopping')).toBe(true);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    for (const text of [logged(), metrics, body, stdout, stderr]) {
      for (const hidden of [testKey, secret, 'team=7']) expect(text).not.toContain(hidden);
    }
  });
});
