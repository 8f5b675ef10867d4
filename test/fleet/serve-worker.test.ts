import { describe, expect, it, onTestFinished } from 'vitest';
import { listenAt, serveWorker } from '../../src/fleet/serve-worker.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { manualClock } from '../delivery/manual-clock.ts';

async function serve(given = '0') {
  const clock = manualClock();
  const server = await serveWorker(given, {
    clock,
    check: async () => ({ units: [], addresses: [] }),
    onFault: () => {},
  });
  onTestFinished(() => server.close());
  const ask = async (path: string) => {
    const answer = await fetch(server.url + path);
    return [answer.status, await answer.text()] as const;
  };
  return { clock, server, ask };
}

describe('serveWorker()', () => {
  it('serves the metrics of the worker', async () => {
    const { server, ask } = await serve();
    server.leaseBegan('acme/slack', { isTakenOver: false });
    const [status, text] = await ask('/metrics');
    expect(status).toBe(200);
    expect(text).toContain('chatferry_fleet_leases_running 1\n');
  });

  it('is ready while the database answers, until it is asked to stop', async () => {
    const { server, ask } = await serve();
    expect(await ask('/readyz')).toEqual([200, '{"status":"ready"}\n']);
    server.database(false);
    expect(await ask('/readyz')).toEqual([503, '{"status":"without database"}\n']);
    expect((await ask('/healthz'))[0]).toBe(200);
    server.database(true);
    server.stopping();
    expect(await ask('/readyz')).toEqual([503, '{"status":"stopping"}\n']);
  });

  it('is ill once the worker has not looked after its leases for two minutes', async () => {
    const { clock, server, ask } = await serve();
    server.beat();
    await clock.advance(119_000);
    expect((await ask('/healthz'))[0]).toBe(200);
    await clock.advance(2_000);
    expect(await ask('/healthz')).toEqual([503, '{"status":"stalled","silentSeconds":121}\n']);
  });

  it('names the option to change if the port is in use', async () => {
    const { server } = await serve();
    const again = serve(new URL(server.url).host);
    await expect(again).rejects.toThrow(expect.objectContaining({ hint: expect.stringContaining('--listen') }));
  });
});

describe('listenAt()', () => {
  it.each([
    ['9464', '127.0.0.1', 9464],
    [':9464', '0.0.0.0', 9464],
    ['127.0.0.1:0', '127.0.0.1', 0],
    ['[::]:9464', '::', 9464],
  ])('reads %s', (given, address, port) => {
    expect(listenAt(given)).toMatchObject({ address, port });
  });

  it.each(['', 'localhost', ':', ':99999', 'a b:1', ':-1'])('refuses "%s"', (given) => {
    expect(() => listenAt(given)).toThrow(UsageError);
  });
});
