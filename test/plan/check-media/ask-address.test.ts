import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type AddressRule, publicAddresses, refuseAddress } from '../../../src/io/web/address-rule.ts';
import { guardedAgent, type ResolveHost } from '../../../src/io/web/guarded-agent.ts';
import { type AddressAnswer, askAddress, judgeAddressAnswer } from '../../../src/plan/check-media/ask-address.ts';
import { sharedFolder } from '../../requirements.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

interface Listening {
  readonly port: number;
  readonly requests: IncomingMessage[];
}

/** A server of this machine that writes down what it is asked. */
async function serve(answer: RequestListener): Promise<Listening> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, requests };
}

/** Plays the public network: names end in `.test`, `http:` at any port is as good as `https:`; the rest is refused. */
const testAddresses: AddressRule = {
  refuse: ({ protocol, hostname }) =>
    protocol === 'http:' && hostname.endsWith('.test') ? undefined : `${protocol}//${hostname} is not public`,
  isRefusedIp: (ip) => ip !== '127.0.0.1',
};

const toThisMachine: ResolveHost = (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);

interface Asking {
  readonly rule?: AddressRule;
  readonly resolve?: ResolveHost;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

async function ask(address: string, asking: Asking = {}): Promise<AddressAnswer> {
  const { rule = testAddresses, resolve = toThisMachine, deadlineMs = 5000 } = asking;
  const agent = guardedAgent(rule, resolve, { connectMs: deadlineMs });
  onTestFinished(() => agent.destroy());
  return askAddress(address, { agent, rule, deadlineMs, signal: asking.signal ?? new AbortController().signal });
}

const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end();
  };

describe('askAddress()', () => {
  it('asks with HEAD, and says nothing about who asks', async () => {
    const { port, requests } = await serve(answering(200, { 'content-type': 'image/png' }));
    expect(await ask(`http://name:secret@files.test:${port}/a%20b?c=d#e`)).toEqual({
      kind: 'answered',
      status: 200,
      contentType: 'image/png',
    });
    expect(requests.map(({ method, url }) => [method, url])).toEqual([['HEAD', '/a%20b?c=d']]);
    expect(Object.keys(requests[0]!.headers).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
  });

  it.each([400, 403, 404, 405, 501])('asks for one byte where HEAD is answered with %d', async (status) => {
    const { port, requests } = await serve((request, response) =>
      response.writeHead(request.method === 'HEAD' ? status : 206).end(request.method === 'HEAD' ? undefined : 'x'),
    );
    expect(await ask(`http://files.test:${port}/`)).toMatchObject({ status: 206 });
    expect(requests.map(({ method, headers }) => [method, headers.range])).toEqual([
      ['HEAD', undefined],
      ['GET', 'bytes=0-0'],
    ]);
  });

  it('does not ask again who wants to be left in peace', async () => {
    const { port, requests } = await serve(answering(429));
    expect(await ask(`http://files.test:${port}/`)).toMatchObject({ status: 429 });
    expect(requests.length).toBe(1);
  });

  it('cuts off a body without an end', async () => {
    let isClosed: Promise<unknown> | undefined;
    const { port } = await serve((request, response) => {
      if (request.method === 'HEAD') return void response.writeHead(405).end();
      isClosed = new Promise((resolve) => response.on('close', resolve));
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    expect(await ask(`http://files.test:${port}/`)).toMatchObject({ kind: 'answered', status: 200 });
    await isClosed;
  });

  it('gives up at its deadline', async () => {
    const { port } = await serve(() => {});
    expect(await ask(`http://files.test:${port}/`, { deadlineMs: 50 })).toEqual({
      kind: 'unreachable',
      why: 'no answer within 0.05 s',
    });
  });

  it('stops when aborted', async () => {
    const stop = new AbortController();
    const { port } = await serve(() => stop.abort(new Error('stopped')));
    await expect(ask(`http://files.test:${port}/`, { signal: stop.signal })).rejects.toThrow('stopped');
  });

  it('names a host that does not exist, and one that cuts the connection', async () => {
    const nobody: ResolveHost = (_, done) => done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
    expect(await ask('http://nobody.test/', { resolve: nobody })).toMatchObject({ why: 'its host does not exist' });
    const { port } = await serve((request) => request.socket.destroy());
    expect(await ask(`http://files.test:${port}/`)).toMatchObject({ why: 'its host cut the connection' });
  });
});

describe('redirects', () => {
  const location = (to: string) => answering(302, { location: to, 'set-cookie': 'a=b' });

  it('are followed three times, without cookies or a referrer of the last server', async () => {
    const { port, requests } = await serve((request, response) => {
      const step = Number(request.url!.slice(1));
      location(`/${step + 1}`)(request, response);
    });
    expect(await ask(`http://files.test:${port}/0`)).toEqual({
      kind: 'unreachable',
      why: 'redirected more than 3 times',
    });
    expect(requests.map(({ url }) => url)).toEqual(['/0', '/1', '/2', '/3']);
    expect(requests.every(({ headers }) => headers.cookie === undefined && headers.referer === undefined)).toBe(true);
  });

  it.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://0x7f.1/',
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    'https://other.example/',
  ])('to %s are not followed', async (to) => {
    const target = await serve(answering(200));
    const { port, requests } = await serve(location(to.replace('127.0.0.1/', `127.0.0.1:${target.port}/`)));
    const rule = { ...testAddresses, isRefusedIp: () => false };
    expect(await ask(`http://files.test:${port}/`, { rule })).toMatchObject({
      why: expect.stringContaining('redirected to an address that is not requested'),
    });
    expect([requests.length, target.requests.length]).toEqual([1, 0]);
  });
});

describe('the guard of connections', () => {
  it('refuses a name that leads to a private network, whatever else it leads to', async () => {
    const { port, requests } = await serve(answering(200));
    for (const addresses of [['127.0.0.1'], ['203.0.114.7', '127.0.0.1'], ['::ffff:127.0.0.1'], ['fd00::1']]) {
      const resolve: ResolveHost = (_, done) =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      const rule = { ...testAddresses, isRefusedIp: publicAddresses.isRefusedIp };
      expect(await ask(`http://rebind.test:${port}/`, { rule, resolve }), addresses.join()).toEqual({
        kind: 'unreachable',
        why: 'not asked: its name leads to this machine or to a private network',
      });
    }
    expect(requests.length).toBe(0);
  });

  it('looks a name up again for each request: one that changes its mind is refused', async () => {
    const { port, requests } = await serve(answering(404));
    let lookups = 0;
    // The first answer is allowed, as a public address would be; the second is what the name turns to.
    const resolve: ResolveHost = (_, done) =>
      done(null, [{ address: lookups++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
    expect(await ask(`http://rebind.test:${port}/`, { resolve })).toMatchObject({ kind: 'unreachable' });
    expect([lookups, requests.length]).toEqual([2, 1]);
  });

  it('asks for an IP address by the rule: nothing is looked up', async () => {
    const { port, requests } = await serve(answering(200));
    const rule: AddressRule = { refuse: () => undefined, isRefusedIp: publicAddresses.isRefusedIp };
    for (const host of ['127.0.0.1', '[::ffff:7f00:1]', '2130706433', '0x7f.1'])
      expect(await ask(`http://${host}:${port}/`, { rule })).toMatchObject({
        why: expect.stringContaining('not asked'),
      });
    expect(requests.length).toBe(0);
  });
});

const corpora = sharedFolder('corpora/made');

describe('publicAddresses', () => {
  it.skipIf(corpora === null)('refuses all of the known traps that are addresses of the web, by themselves', () => {
    const traps = JSON.parse(readFileSync(`${corpora}/ssrf-urls.json`, 'utf8')) as string[];
    expect(traps.length).toBe(36);
    for (const trap of traps) {
      for (const address of [trap, trap.replace(/^http:/, 'https:')]) {
        if (!URL.canParse(address)) continue;
        const url = new URL(address);
        // These two are harmless by name: what they redirect or resolve to is looked at later.
        const isName = /^(?:redirect-to-metadata|rebind)\.test$/.test(url.hostname) && url.protocol === 'https:';
        if (!isName) expect(refuseAddress(url, publicAddresses), address).toBeTypeOf('string');
      }
    }
  });

  it.each([
    'https://files.example.com/a',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://example.com:443/',
  ])('allows %s', (address) => {
    expect(refuseAddress(new URL(address), publicAddresses)).toBeUndefined();
  });

  it.each(['http://example.com/', 'https://example.com:8443/', 'https://example.com:80/', 'ftp://example.com/'])(
    'refuses %s',
    (address) => {
      expect(refuseAddress(new URL(address), publicAddresses)).toBeTypeOf('string');
    },
  );
});

describe('judgeAnswer()', () => {
  const answered = (status: number, contentType = '') => ({ kind: 'answered', status, contentType }) as const;

  it.each([
    [200, 'image/png', 'image/png', undefined],
    [206, '', 'image/png', undefined],
    [200, 'text/html; charset=utf-8', 'image/png', 'attachment-login-page'],
    [200, 'text/html', 'text/html', undefined],
    [200, 'text/html', 'application/octet-stream', undefined],
    [401, '', 'image/png', 'attachment-login-page'],
    [403, '', 'image/png', 'attachment-login-page'],
    [404, 'text/html', 'image/png', 'attachment-dead'],
    [410, '', 'image/png', 'attachment-dead'],
    [429, '', 'image/png', 'attachment-unreachable'],
    [503, '', 'image/png', 'attachment-unreachable'],
    [304, '', 'image/png', 'attachment-unreachable'],
  ])('%d %j for %j is %j', (status, contentType, announced, code) => {
    expect(judgeAddressAnswer(answered(status, contentType), announced)?.code).toBe(code);
  });
});
