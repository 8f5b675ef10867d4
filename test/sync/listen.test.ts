import { request } from 'node:http';
import { type AddressInfo, connect, Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenSchema } from '../../src/sync/shared-settings.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { type Health, serveOperators, watchHealth } from '../../src/sync/listen.ts';
import { createMetrics, type Metrics } from '../../src/sync/serve/metrics.ts';
import { manualClock } from '../delivery/manual-clock.ts';
import { jobResult } from './job-result.ts';
import { sampleOf } from './prometheus-text.ts';

async function serve(given: object = {}) {
  const clock = manualClock();
  const parts = { metrics: createMetrics(clock), health: watchHealth(clock), onFault: (): void => {} };
  const server = await serveOperators(listenSchema.parse({ port: '0', ...given }), parts);
  onTestFinished(() => server.close());
  return { ...parts, clock, server, url: server.url };
}

/** `fetch` sets `Host` itself. */
function ask(url: string, path: string, { method = 'GET', host }: { method?: string; host?: string } = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const sent = request(url + path, { method, headers: host === undefined ? {} : { host } }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        body += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, body }));
    });
    sent.on('error', reject).end();
  });
}

const portOf = (server: Server) => String((server.address() as AddressInfo | null)?.port);

const tell = ({ metrics, health }: { metrics: Metrics; health: Health }) => {
  metrics.started!(['support']);
  health.started!(['support']);
};

describe('serveOperators()', () => {
  it('listens on this machine only, unless configured otherwise', async () => {
    expect((await serve()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('serves the metrics in the Prometheus format', async () => {
    const scene = await serve();
    tell(scene);
    scene.metrics.runEnded!(jobResult());
    const { status, headers, body } = await ask(scene.url, '/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(sampleOf(body, 'chatferry_job_messages_total', { name: 'support', outcome: 'imported' })).toBe(10);
  });

  it('outlives connections that cannot be taken', async () => {
    const { url } = await serve();
    const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): unknown[] };
    const server = handles().find((one) => one instanceof Server && portOf(one) === new URL(url).port) as Server;
    // The error that Node emits, once for each connection, while all file descriptors are in use.
    for (const code of ['EMFILE', 'EMFILE']) server.emit('error', Object.assign(new Error(code), { code }));
    expect((await ask(url, '/healthz')).status).toBe(200);
  });

  it('is ready from the start of the jobs until it is asked to stop', async () => {
    const scene = await serve();
    const ready = async () => {
      const { status, body } = await ask(scene.url, '/readyz');
      return [status, JSON.parse(body).status];
    };
    expect(await ready()).toEqual([503, 'starting']);
    tell(scene);
    expect(await ready()).toEqual([200, 'ready']);
    scene.health.stopping!('SIGTERM');
    expect(await ready()).toEqual([503, 'stopping']);
  });

  it('is healthy while the scheduler looks up, and no longer when it has been silent for two minutes', async () => {
    const scene = await serve();
    tell(scene);
    await scene.clock.advance(200_000);
    expect((await ask(scene.url, '/healthz')).status).toBe(200);
    scene.health.beat!(scene.clock.now());
    await scene.clock.advance(119_000);
    expect((await ask(scene.url, '/healthz')).status).toBe(200);
    await scene.clock.advance(31_000);
    const stalled = await ask(scene.url, '/healthz');
    expect([stalled.status, JSON.parse(stalled.body)]).toEqual([503, { status: 'stalled', silentSeconds: 150 }]);
    scene.health.beat!(scene.clock.now());
    expect((await ask(scene.url, '/healthz')).status).toBe(200);
  });

  it('does not report a machine as unhealthy because it slept or its clock was set', async () => {
    const scene = await serve();
    tell(scene);
    scene.health.beat!(scene.clock.now());
    scene.clock.jump(8 * 3_600_000);
    expect((await ask(scene.url, '/healthz')).status).toBe(200);
  });

  it('answers HEAD without a body, other methods with 405, other paths with 404', async () => {
    const { url } = await serve();
    const head = await ask(url, '/healthz', { method: 'HEAD' });
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', '16']);
    const post = await ask(url, '/metrics', { method: 'POST' });
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
    for (const path of ['/', '/metrics/', '/__proto__', '/constructor', '/%2fmetrics']) {
      expect((await ask(url, path)).status, path).toBe(404);
    }
    expect((await ask(url, '/metrics?x=1')).status).toBe(200);
  });

  it.each(['evil.example', 'evil.example:9464', 'localhost.evil.example', 'localhost@evil.example'])(
    'refuses a request over the loopback interface for the host "%s", as a page of a browser could send it',
    async (host) => {
      const { url } = await serve();
      const { status, body } = await ask(url, '/metrics', { host });
      expect(status).toBe(403);
      expect(body).not.toContain('chatferry_');
    },
  );

  it.each(['localhost', 'localhost:9464', '127.0.0.1', '[::1]:80'])('answers to its own name "%s"', async (host) => {
    const { url } = await serve();
    expect((await ask(url, '/metrics', { host })).status).toBe(200);
  });

  it('says what went wrong to the log, and not to the client', async () => {
    const faults: unknown[] = [];
    const metrics = { ...createMetrics(manualClock()), render: () => Promise.reject(new Error('private detail')) };
    const parts = { metrics, health: watchHealth(manualClock()), onFault: (fault: unknown) => faults.push(fault) };
    const server = await serveOperators(listenSchema.parse({ port: 0 }), parts);
    onTestFinished(() => server.close());
    const { status, body } = await ask(server.url, '/metrics');
    expect([status, body]).toEqual([500, 'Something went wrong\n']);
    expect(faults).toHaveLength(1);
  });

  it('names a port that is taken, and the setting', async () => {
    const { url } = await serve();
    const fault = await serve({ port: new URL(url).port }).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(UsageError);
    expect(fault).toMatchObject({
      message: expect.stringContaining('EADDRINUSE'),
      hint: expect.stringContaining('sync.listen.port'),
    });
  });

  it('closes although a client holds its connection open', async () => {
    const { server, url } = await serve();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.on('error', () => {});
    const gone = new Promise((resolve) => socket.once('close', resolve));
    await server.close();
    await gone;
    await expect(ask(url, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  const outside = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  if (outside === undefined) console.warn('SKIPPED: no network but the loopback interface');

  it.skipIf(outside === undefined)('lets other machines in where that is allowed, by any name', async () => {
    const { server } = await serve({ address: '0.0.0.0', allowRemote: 'true' });
    const url = `http://${outside}:${new URL(server.url).port}`;
    expect((await ask(url, '/metrics', { host: 'sync.internal.example' })).status).toBe(200);
    // The loopback interface keeps its rule.
    expect((await ask(url.replace(outside!, '127.0.0.1'), '/metrics', { host: 'evil.example' })).status).toBe(403);
  });
});
