import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openFetcher } from '../../../src/media/fetcher.ts';
import { fastClock } from '../../scenes/fast-clock.ts';
import { VirtualClock } from '../../scenes/virtual-clock.ts';
import {
  answering,
  assertFetched,
  bytesOf,
  makeFetcher,
  makeFolder,
  never,
  picture,
  pngOf,
  serve,
  unknown,
  usualRules,
} from './scene.ts';

const page = '<!DOCTYPE html><html><title>Log in</title></html>';
const png = pngOf(5000);
/** Large enough to be written to disk. */
const large = pngOf(300_000);

describe('fetch()', () => {
  it('brings a file to this disk, whole and hashed, and leaves nothing of it when it is released', async () => {
    const folder = makeFolder();
    const served = await serve(answering(200, { 'content-type': 'image/png' }, large));
    const fetched = await makeFetcher({ folder }).fetch(served.at('/a%20b?c=d#e'), picture, never);
    assertFetched(fetched);
    expect(fetched.content).toMatchObject({
      sizeBytes: 300_000,
      sha256: createHash('sha256').update(large).digest('hex'),
      foundType: 'image/png',
    });
    expect((await bytesOf(fetched.content)).equals(large)).toBe(true);
    expect(readdirSync(folder)).toHaveLength(1);
    await fetched.release();
    await fetched.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps a small file in memory', async () => {
    const folder = makeFolder();
    const served = await serve(answering(200, { 'content-type': 'image/png' }, png));
    const fetched = await makeFetcher({ folder }).fetch(served.at('/a.png'), picture, never);
    assertFetched(fetched);
    expect(fetched.content.sha256).toBe(createHash('sha256').update(png).digest('hex'));
    expect(await bytesOf(fetched.content)).toEqual(png);
    expect(readdirSync(folder)).toEqual([]);
    await fetched.release();
  });

  it('says nothing about who asks, and takes bytes as they are', async () => {
    const { requests, at } = await serve(answering(200, {}, 'x'));
    await makeFetcher().fetch(at('/x'), unknown, never);
    expect(requests[0]!.headers).toMatchObject({ 'accept-encoding': 'identity', 'user-agent': 'chatferry' });
    expect(Object.keys(requests[0]!.headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  it.each([
    [404, '', { kind: 'missing', why: 'it is gone (answered 404)' }],
    [410, '', { kind: 'missing', why: 'it is gone (answered 410)' }],
    [401, '', { kind: 'missing', why: 'it needs a login (answered 401)' }],
    [403, '', { kind: 'missing', why: 'it needs a login (answered 403)' }],
    [407, '', { kind: 'missing', why: 'it needs a login (answered 407)' }],
    [400, '', { kind: 'missing', why: 'answered 400' }],
    [304, '', { kind: 'missing', why: 'answered 304' }],
    [404, 'This content is no longer available.', { kind: 'missing', why: 'its address has expired (answered 404)' }],
    [
      403,
      '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
      { kind: 'missing', why: 'its address has expired (answered 403)' },
    ],
  ])('accepts %d %j as final, without a retry', async (status, body, expected) => {
    const { requests, at } = await serve(answering(status, {}, status === 304 ? '' : body));
    expect(await makeFetcher().fetch(at('/x.png'), picture, never)).toEqual(expected);
    expect(requests.length).toBe(1);
  });

  it('reports that an address has expired if the address itself shows it', async () => {
    const { at } = await serve(answering(403));
    expect(await makeFetcher().fetch(at('/x.png?ex=65d903de&is=65c68ede&hm=00'), picture, never)).toMatchObject({
      why: 'its address has expired (answered 403)',
    });
  });

  it.each([408, 425, 429, 500, 502, 503, 504])(
    'asks four times where %d comes, longer and longer apart',
    async (status) => {
      const { requests, at } = await serve(answering(status));
      const waits: number[] = [];
      const fetcher = makeFetcher({ onSleep: (ms) => waits.push(ms) });
      expect(await fetcher.fetch(at('/x.png'), picture, never)).toMatchObject({
        kind: 'again',
        why: `answered ${status}`,
      });
      expect([requests.length, waits]).toEqual([4, [250, 500, 1000]]);
    },
  );

  it('retries if a name cannot be looked up or a connection is cut', async () => {
    let lookups = 0;
    const fetcher = makeFetcher({
      resolve: (_, done) => {
        lookups += 1;
        done(Object.assign(new Error('no'), { code: lookups === 1 ? 'EAI_AGAIN' : 'ENOTFOUND' }), []);
      },
    });
    const fetched = await fetcher.fetch('http://nobody.test/', picture, never);
    expect([fetched, lookups]).toEqual([{ kind: 'again', why: 'its host does not exist' }, 4]);
    let cuts = 0;
    const { at } = await serve((request, response) => (cuts++ < 2 ? request.socket.destroy() : response.end(png)));
    assertFetched(await makeFetcher().fetch(at('/x.png'), picture, never));
  });

  it('stops when asked to, and leaves nothing behind', async () => {
    const folder = makeFolder();
    const stop = new AbortController();
    const { at } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '5000' });
      response.write(png.subarray(0, 100), () => stop.abort(new Error('stopped')));
    });
    await expect(makeFetcher({ folder }).fetch(at('/x.png'), picture, stop.signal)).rejects.toThrow('stopped');
  });

  it('keeps no address in the names of its files', async () => {
    const folder = makeFolder();
    const { at } = await serve(answering(200, {}, large));
    await makeFetcher({ folder }).fetch(at('/secret.png?token=secret'), picture, never);
    expect(readdirSync(folder).join()).toMatch(/^[0-9a-f]{64}\.part$/);
  });

  it('says at which limit it gave up, and where', async () => {
    const { at } = await serve(() => {});
    const late = makeFetcher({ rules: { timeout: 50 } });
    expect(await late.fetch(at('/x.png'), picture, never)).toEqual({
      kind: 'again',
      why: 'it took longer than media.timeout allows',
    });
  });

  it('retries if a server stops sending', async () => {
    let isFirst = true;
    const { at, requests } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '5000' });
      if (isFirst) response.write(png.subarray(0, 10));
      else response.end(png);
      isFirst = false;
    });
    assertFetched(await makeFetcher({ idleMs: 10 }).fetch(at('/x.png'), picture, never));
    expect(requests.length).toBe(2);
  });
});

describe('a page in place of a file', () => {
  const refused = { kind: 'refused', why: 'a page, as to log in, came back in place of the file' };

  it.each([
    ['by its header', { 'content-type': 'text/html; charset=utf-8' }, page, picture],
    ['by its bytes', { 'content-type': 'image/png' }, page, picture],
    ['by the name of the file alone', { 'content-type': 'text/html' }, page, { ...unknown, name: 'report.pdf' }],
    ['where a text was announced', { 'content-type': 'text/html' }, page, { ...unknown, mimeType: 'text/plain' }],
  ])('is refused: %s', async (_, headers, body, origin) => {
    const { at } = await serve(answering(200, headers, body));
    expect(await makeFetcher().fetch(at('/x'), origin, never)).toEqual(refused);
  });

  it('is refused after a redirect to a login, whatever type was announced', async () => {
    const { at } = await serve((request, response) =>
      request.url === '/file'
        ? answering(302, { location: '/signin?next=file' })(request, response)
        : answering(200, { 'content-type': 'text/html' }, page)(request, response),
    );
    expect(await makeFetcher().fetch(at('/file'), unknown, never)).toEqual(refused);
    expect(await makeFetcher().fetch(at('/signin'), unknown, never)).toMatchObject({ kind: 'fetched' });
  });

  it.each([
    ['a page was announced', { ...unknown, mimeType: 'text/html' }, { 'content-type': 'text/html' }],
    ['its name is one of a page', { ...unknown, name: 'a.html' }, { 'content-type': 'text/html' }],
    ['a text of a page was announced', { ...unknown, mimeType: 'text/plain' }, { 'content-type': 'text/plain' }],
    ['nothing was announced', unknown, { 'content-type': 'text/html' }],
    ['it is a canvas', { ...unknown, mimeType: 'application/vnd.slack-docs' }, { 'content-type': 'text/html' }],
  ])('is a file where %s', async (_, origin, headers) => {
    const { at } = await serve(answering(200, headers, page));
    const fetched = await makeFetcher().fetch(at('/x'), origin, never);
    assertFetched(fetched);
    expect(fetched.content.foundType).toBe('text/html');
  });
});

describe('an incomplete file', () => {
  it('is asked for again where nothing came of a file with a size', async () => {
    const { at, requests } = await serve(answering(200));
    expect(await makeFetcher().fetch(at('/x'), { ...picture, sizeBytes: 5 }, never)).toMatchObject({ kind: 'again' });
    expect(requests.length).toBe(4);
    assertFetched(await makeFetcher().fetch(at('/x'), { ...picture, sizeBytes: 0 }, never));
  });

  it('is asked for again where less came than was announced', async () => {
    const { at } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '5000' });
      response.write(png.subarray(0, 4999), () => response.socket?.end());
    });
    expect(await makeFetcher().fetch(at('/x'), picture, never)).toMatchObject({ kind: 'again' });
  });

  it('is not kept on disk if it cannot be resumed', async () => {
    const folder = makeFolder();
    const { at } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000000' });
      response.write(pngOf(600_000), () => response.socket?.end());
    });
    expect(await makeFetcher({ folder }).fetch(at('/x'), picture, never)).toMatchObject({ kind: 'again' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is requested again if only the end of the connection marks its end', async () => {
    const { at } = await serve((request) => {
      request.socket.end(Buffer.concat([Buffer.from('HTTP/1.0 200 OK\r\nconnection: close\r\n\r\n'), png]));
    });
    expect(await makeFetcher().fetch(at('/x'), { ...picture, sizeBytes: 6000 }, never)).toMatchObject({
      kind: 'again',
    });
    expect(await makeFetcher().fetch(at('/x'), { ...picture, sizeBytes: 5000 }, never)).toMatchObject({
      kind: 'fetched',
    });
  });

  it('is not a file of another size than the export says: exports are often wrong', async () => {
    const { at } = await serve(answering(200, {}, png));
    for (const sizeBytes of [1, 4999, 5001])
      assertFetched(await makeFetcher().fetch(at('/x'), { ...picture, sizeBytes }, never));
  });
});

describe('Retry-After', () => {
  it.each([
    ['30', 30_000],
    [new Date(Date.UTC(2026, 10, 23, 16, 0, 40)).toUTCString(), 40_000],
  ])('is waited for: %s', async (value, ms) => {
    let isFirst = true;
    const { at } = await serve((request, response) => {
      const date = new Date(Date.UTC(2026, 10, 23, 16)).toUTCString();
      if (isFirst) answering(429, { 'retry-after': value, date })(request, response);
      else response.end(png);
      isFirst = false;
    });
    const waits: number[] = [];
    assertFetched(await makeFetcher({ onSleep: (wait) => waits.push(wait) }).fetch(at('/x.png'), picture, never));
    expect(waits[0]).toBe(250);
    expect(waits[1]).toBeGreaterThan(ms - 250 - 100);
    expect(waits[1]).toBeLessThanOrEqual(ms);
  });

  it('is waited for an hour at most, and holds all files of the host and no others', async () => {
    const { at, requests } = await serve((request, response) => {
      if (request.headers.host!.startsWith('busy.test')) answering(429, { 'retry-after': '86400' })(request, response);
      else response.end(png);
    });
    const clock = new VirtualClock();
    const began = clock.monotonic();
    const fetcher = makeFetcher({ clock });
    const busy = ['/x', '/y'].map((path) => fetcher.fetch(at(path, 'busy.test'), picture, never));
    assertFetched(await clock.busy(() => fetcher.fetch(at('/x'), picture, never)));
    expect(await Promise.all(busy)).toEqual(
      [1, 2].map(() => ({ kind: 'again', why: 'answered 429', retryAfterMs: 3_600_000 })),
    );
    expect(clock.monotonic() - began).toBeGreaterThanOrEqual(3 * 3_600_000);
    expect(requests.length).toBeLessThanOrEqual(9);
  });

  it('is not waited for after a stop', async () => {
    const stopping = new AbortController();
    const { at, requests } = await serve((request, response) => {
      answering(503, { 'retry-after': '3600' })(request, response);
      stopping.abort();
    });
    const waits: number[] = [];
    const fetcher = makeFetcher({ stopping: stopping.signal, onSleep: (ms) => waits.push(ms) });
    expect(await fetcher.fetch(at('/x'), picture, never)).toMatchObject({ kind: 'again', retryAfterMs: 3_600_000 });
    expect([requests.length, waits]).toEqual([1, []]);
  });
});

describe('hosts and streams side by side', () => {
  it('each host gets a limited number of requests at a time, in parallel with others', async () => {
    const waiting = new Map<string, ServerResponse[]>();
    let most = 0;
    const { at } = await serve(async ({ headers }, response) => {
      const open = [...(waiting.get(headers.host!) ?? []), response];
      waiting.set(headers.host!, open);
      most = Math.max(most, open.length);
      if (open.length < 2) return;
      // A third one would come now.
      for (let turns = 0; turns < 10; turns++) await turn();
      for (const one of waiting.get(headers.host!) ?? []) one.end('x');
      waiting.delete(headers.host!);
    });
    const fetcher = makeFetcher({ rules: { perHost: 2 } });
    const names = Array.from({ length: 12 }, (_, index) => `/${index}`);
    const all = ['a.test', 'b.test'].flatMap((host) =>
      names.map((name) => fetcher.fetch(at(name, host), unknown, never)),
    );
    expect((await Promise.all(all)).every(({ kind }) => kind === 'fetched')).toBe(true);
    expect(most).toBe(2);
  });

  it('two concurrent requests for one address share a file, which stays until both release it', async () => {
    const folder = makeFolder();
    const { at, requests } = await serve(answering(200, {}, large));
    const fetcher = makeFetcher({ folder });
    const both = await Promise.all([1, 2].map((part) => fetcher.fetch(at(`/x.png#${part}`), picture, never)));
    expect(requests.length).toBe(1);
    const [first, second] = both;
    assertFetched(first!);
    assertFetched(second!);
    await first.release();
    expect((await bytesOf(second.content)).equals(large)).toBe(true);
    await second.release();
    expect(readdirSync(folder)).toEqual([]);
    assertFetched(await fetcher.fetch(at('/x.png'), picture, never));
    expect(requests.length).toBe(2);
  });

  it('one who stops does not stop the other', async () => {
    const stop = new AbortController();
    const { at } = await serve((_, response) => {
      stop.abort(new Error('stopped'));
      setImmediate(() => response.end(png));
    });
    const fetcher = makeFetcher();
    const [first, second] = await Promise.allSettled([
      fetcher.fetch(at('/x.png'), picture, stop.signal),
      fetcher.fetch(at('/x.png'), picture, never),
    ]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  });

  it('a host that never answers gets no more requests after some minutes, and its files are returned immediately', async () => {
    let lookups = 0;
    const waits: number[] = [];
    const fetcher = makeFetcher({
      onSleep: (ms) => waits.push(ms),
      resolve: (_, done) => {
        lookups += 1;
        done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
      },
    });
    const all = [];
    for (let count = 0; count < 100; count++)
      all.push(await fetcher.fetch(`http://nobody.test/${count}`, picture, never));
    expect(all.map(({ kind }) => kind)).toEqual(all.map(() => 'again'));
    expect(all.at(-1)).toMatchObject({ why: 'its host does not answer' });
    expect(lookups).toBe(7);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(200_000);
  });
});

describe('close()', () => {
  it('drops unreleased files, and files of a killed run that cannot be resumed', async () => {
    const folder = makeFolder();
    const name = 'a'.repeat(64);
    writeFileSync(join(folder, `${name}.part`), 'half');
    writeFileSync(join(folder, 'somebody-elses.txt'), 'stays');
    const { at } = await serve(answering(200, {}, large));
    const fetcher = openFetcher({
      folder,
      sources: [],
      rules: usualRules,
      clock: fastClock(),
      rule: { refuse: () => undefined, isRefusedIp: () => false },
      resolve: (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    assertFetched(await fetcher.fetch(at('/x.png'), picture, never));
    expect(readdirSync(folder)).toHaveLength(2);
    await fetcher.close();
    expect(readdirSync(folder)).toEqual(['somebody-elses.txt']);
    await expect(fetcher.fetch(at('/x.png'), picture, never)).rejects.toThrow('closed');
  });
});
