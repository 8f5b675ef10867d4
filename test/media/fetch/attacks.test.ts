import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { publicAddresses } from '../../../src/io/web/address-rule.ts';
import type { ResolveHost } from '../../../src/io/web/guarded-agent.ts';
import type { Fetched } from '../../../src/media/fetch/fetched.ts';
import type { FetcherOptions } from '../../../src/media/fetcher.ts';
import { sharedFolder } from '../../requirements.ts';
import {
  answering,
  makeFetcher,
  makeFolder,
  never,
  picture,
  pngOf,
  type Served,
  serve,
  testAddresses,
  toThisMachine,
  unknown,
} from './scene.ts';

/** Starts a server that must be unreachable from outside: any request that arrives got through. */
const serveInner = (): Promise<Served> => serve(answering(200, { 'content-type': 'image/png' }, pngOf(100)));

/** The rule used in production, except for scheme and port: these alone would refuse the servers of these tests. */
const productionButForPorts: FetcherOptions['rule'] = {
  refuse(url) {
    const asPublic = new URL(url);
    if (asPublic.protocol === 'http:') asPublic.protocol = 'https:';
    asPublic.port = '';
    if (asPublic.hostname.endsWith('.test')) return undefined;
    return publicAddresses.refuse(asPublic);
  },
  isRefusedIp: publicAddresses.isRefusedIp,
};

/** Everything that leads to this machine or to the metadata of a cloud, at the port of the inner server. */
const spellings = (port: number): readonly string[] =>
  [
    ...[
      '127.0.0.1',
      '127.1',
      '127.0.1',
      '0x7f.1',
      '0x7f000001',
      '2130706433',
      '017700000001',
      '0177.0.0.1',
      '0',
      '0.0.0.0',
    ],
    ...[
      '[::1]',
      '[::]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
    ],
    ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', '①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1'],
    ...['169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '[::ffff:a9fe:a9fe]', '[fd00:ec2::254]'],
    ...[
      'metadata.google.internal',
      '100.100.100.200',
      '10.0.0.1',
      '192.168.0.1',
      '172.16.0.1',
      '[fe80::1]',
      '[fc00::1]',
    ],
  ].map((host) => `http://${host}:${port}/`);

const traps = sharedFolder('corpora/made');

describe('an address in an export', () => {
  it('that leads to this machine or into a network of its own is refused, however it is spelled', async () => {
    const inner = await serveInner();
    const fetcher = makeFetcher({ rule: productionButForPorts });
    for (const address of spellings(inner.port)) {
      const fetched = await fetcher.fetch(address, picture, never);
      expect([address, fetched.kind]).toEqual([address, 'refused']);
    }
    expect(inner.requests.length).toBe(0);
  });

  it.each([
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'gopher://127.0.0.1:6379/_x',
    'ftp://files.example.com/a.png',
    'blob:https://example.com/a',
    'javascript:1',
    'http://files.example.com/a.png',
    'https://files.example.com:8443/a.png',
    'https://name:secret@files.example.com/a.png',
    'https://secret@files.example.com/a.png',
    '//files.example.com/a.png',
    '/etc/passwd',
    '',
    'https://',
  ])('that is none of the public web is refused: %s', async (address) => {
    let lookups = 0;
    const resolve: ResolveHost = (_, done) => {
      lookups += 1;
      done(null, []);
    };
    const fetched = await makeFetcher({ rule: publicAddresses, resolve }).fetch(address, picture, never);
    expect(fetched.kind).toBe('refused');
    expect(JSON.stringify(fetched)).not.toMatch(/secret|passwd|example/);
    expect(lookups).toBe(0);
  });

  it.skipIf(traps === null)('that is a known trap gets nowhere', async () => {
    const addresses = JSON.parse(readFileSync(`${traps}/ssrf-urls.json`, 'utf8')) as string[];
    const inner = await serveInner();
    const outer = await serve(answering(302, { location: `http://169.254.169.254:${inner.port}/` }));
    const resolve: ResolveHost = (name, done) =>
      done(null, [{ address: name.startsWith('redirect') ? '127.0.0.2' : '127.0.0.1', family: 4 }]);
    const rule = { ...productionButForPorts, isRefusedIp: (ip: string) => ip !== '127.0.0.2' };
    expect(addresses.length).toBe(36);
    for (const trap of addresses) {
      const address =
        URL.canParse(trap) && new URL(trap).hostname.startsWith('redirect') ? outer.at('/', 'redirect.test') : trap;
      const fetched = await makeFetcher({ rule, resolve }).fetch(address, picture, never);
      expect([trap, fetched.kind === 'refused' || fetched.kind === 'again']).toEqual([trap, true]);
    }
    expect(inner.requests.length).toBe(0);
  });
});

describe('an IP address', () => {
  it('is checked even if the address rule allows it: it is never looked up', async () => {
    const inner = await serveInner();
    const rule = { refuse: () => undefined, isRefusedIp: publicAddresses.isRefusedIp };
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:7f00:1]', '[::1]'])
      expect((await makeFetcher({ rule }).fetch(`http://${host}:${inner.port}/`, picture, never)).kind).toBe('refused');
    expect(inner.requests.length).toBe(0);
  });
});

describe('a name', () => {
  it('that leads to this machine is refused, whatever else it leads to', async () => {
    const inner = await serveInner();
    const rule = { ...testAddresses, isRefusedIp: publicAddresses.isRefusedIp };
    for (const addresses of [
      ['127.0.0.1'],
      ['93.184.216.34', '127.0.0.1'],
      ['::ffff:127.0.0.1'],
      ['169.254.169.254'],
      ['fd00::1'],
    ]) {
      const resolve: ResolveHost = (_, done) =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      expect(await makeFetcher({ rule, resolve }).fetch(inner.at('/'), picture, never)).toEqual({
        kind: 'refused',
        why: 'its name leads to this machine or to a private network',
      });
    }
    expect(inner.requests.length).toBe(0);
  });

  it('that is public first and leads inside then is refused then', async () => {
    const outer = await serve((_, response) => {
      response.writeHead(503, { connection: 'close' }).end();
    });
    let lookups = 0;
    // The first answer stands for a public address; the second is what the name turns to.
    const resolve: ResolveHost = (_, done) =>
      done(null, [{ address: lookups++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
    const fetched = await makeFetcher({ resolve }).fetch(outer.at('/', 'rebind.test'), picture, never);
    expect(fetched.kind).toBe('refused');
    expect([lookups, outer.requests.length]).toEqual([2, 1]);
  });

  it('is looked up once per connection: the checked address is the one used', async () => {
    const outer = await serve(answering(200, {}, pngOf(100)));
    let lookups = 0;
    const resolve: ResolveHost = (_, done) => {
      lookups += 1;
      toThisMachine('', done);
    };
    expect((await makeFetcher({ resolve }).fetch(outer.at('/'), picture, never)).kind).toBe('fetched');
    expect(lookups).toBe(1);
  });
});

describe('a redirect', () => {
  const redirect = async (to: (port: number) => string, rule: FetcherOptions['rule'] = productionButForPorts) => {
    const inner = await serveInner();
    const outer = await serve(answering(302, { location: to(inner.port), 'set-cookie': 'a=b' }));
    // The outer server stands for a public one; the guard of literal addresses is the production's.
    const resolve: ResolveHost = (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
    const guarded = {
      ...rule,
      isRefusedIp: (ip: string, host: string) => ip !== '127.0.0.1' && publicAddresses.isRefusedIp(ip, host),
    };
    return {
      inner,
      outer,
      fetched: await makeFetcher({ rule: guarded, resolve }).fetch(outer.at('/'), picture, never),
    };
  };

  it('to this machine, a private network or another scheme is not followed', async () => {
    const targets = [
      ...spellings(0).map(
        (address) => (port: number) =>
          encodeURI(address).replace('%5B', '[').replace('%5D', ']').replace(/:0\/$/, `:${port}/`),
      ),
      ...['file:///etc/passwd', 'data:image/png;base64,AAAA', 'gopher://127.0.0.1:6379/_x'].map((to) => () => to),
      () => 'http://name:secret@other.test/',
      () => 'http://[',
    ];
    for (const to of targets) {
      const { inner, outer, fetched } = await redirect(to);
      expect([to(1), fetched.kind, fetched.kind === 'refused' && fetched.why.startsWith('it redirects to')]).toEqual([
        to(1),
        'refused',
        true,
      ]);
      expect([outer.requests.length, inner.requests.length]).toEqual([1, 0]);
      expect(JSON.stringify(fetched)).not.toContain('secret');
    }
  });

  it('in a loop is followed three times, without the cookies of the servers', async () => {
    const { at, requests } = await serve((request, response) => {
      const step = Number(request.url!.slice(1));
      answering(302, { location: `/${step + 1}`, 'set-cookie': 'a=b' })(request, response);
    });
    expect(await makeFetcher().fetch(at('/0'), picture, never)).toEqual({
      kind: 'refused',
      why: 'it redirects more than 3 times',
    });
    expect(requests.map(({ url }) => url)).toEqual(['/0', '/1', '/2', '/3']);
    expect(requests.every(({ headers }) => headers.cookie === undefined && headers.referer === undefined)).toBe(true);
  });
});

describe('the token', () => {
  const value = 'xoxp-1234567890-abcdefghij';
  const rules = ({ port }: Served): Partial<FetcherOptions['rules']> => {
    const token = join(makeFolder(), 'token');
    writeFileSync(token, `${value}\n`, { mode: 0o600 });
    return { token, tokenHosts: [`http://files.test:${port}`, `http://*.kept.test:${port}`] };
  };
  const shown = ({ requests }: Served) =>
    requests.map(({ headers }) => [headers.host!.split(':')[0], headers.authorization]);

  it('goes to its hosts alone', async () => {
    const served = await serve(answering(200, {}, pngOf(100)));
    const fetcher = makeFetcher({ rules: rules(served) });
    const hosts = [
      'files.test',
      'a.kept.test',
      'kept.test',
      'xfiles.test',
      'files.test.evil.test',
      'a.files.test',
      'evilkept.test',
    ];
    for (const host of hosts) await fetcher.fetch(served.at('/', host), picture, never);
    expect(shown(served)).toEqual(
      hosts.map((host) => [host, host === 'files.test' || host === 'a.kept.test' ? `Bearer ${value}` : undefined]),
    );
  });

  it('is not migrated to another origin, not even to one that would get it, and not back', async () => {
    const served = await serve((request, response) => {
      const [host, port] = request.headers.host!.split(':');
      if (host === 'files.test' && request.url === '/0') answering(302, { location: '/1' })(request, response);
      else if (host === 'files.test') answering(307, { location: `http://a.kept.test:${port}/2` })(request, response);
      else if (request.url === '/2') answering(302, { location: `http://evil.test:${port}/3` })(request, response);
      else response.end(pngOf(100));
    });
    await makeFetcher({ rules: rules(served) }).fetch(served.at('/0'), picture, never);
    expect(shown(served)).toEqual([
      ['files.test', `Bearer ${value}`],
      ['files.test', `Bearer ${value}`],
      ['a.kept.test', undefined],
      ['evil.test', undefined],
    ]);
  });

  it('is in no result and no file name', async () => {
    const folder = makeFolder();
    const said: unknown[] = [];
    for (const status of [200, 401, 403, 404, 500]) {
      const served = await serve((request, response) =>
        answering(status, { etag: `"${value}"` }, request.headers.authorization)(request, response),
      );
      said.push(await makeFetcher({ folder, rules: rules(served) }).fetch(served.at('/a.bin'), unknown, never));
    }
    expect(JSON.stringify(said) + readdirSync(folder).join()).not.toContain(value);
    expect(said[1]).toEqual({ kind: 'missing', why: 'the token does not open it (answered 401)' });
  });
});

describe('a hostile server', () => {
  const rules = { maxBytes: 10_000 };
  const tooLarge: Fetched = { kind: 'refused', why: 'it is larger than 10,000 bytes (media.maxBytes)' };

  /** Bytes without end, as fast as they are taken. */
  const endless: Parameters<typeof serve>[0] = (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };

  it('that announces too much is not read', async () => {
    const folder = makeFolder();
    const { at } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '10001' });
      response.flushHeaders();
    });
    expect(await makeFetcher({ folder, rules }).fetch(at('/'), picture, never)).toEqual(tooLarge);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that does not end is cut off at the limit, and nothing is left of it', async () => {
    const folder = makeFolder();
    let isClosed: Promise<unknown> = Promise.resolve();
    const { at, requests } = await serve((request, response) => {
      isClosed = new Promise((resolve) => response.on('close', resolve));
      endless(request, response);
    });
    expect(await makeFetcher({ folder, rules }).fetch(at('/'), picture, never)).toEqual(tooLarge);
    await isClosed;
    expect([readdirSync(folder), requests.length]).toEqual([[], 1]);
  });

  it('that answers a refusal or a redirect without end is cut off', async () => {
    for (const head of [{ status: 404 }, { status: 500 }, { status: 302, location: '/elsewhere' }]) {
      const { at } = await serve((request, response) => {
        if (request.url === '/elsewhere') return void response.writeHead(404).end();
        response.writeHead(head.status, head.location === undefined ? {} : { location: head.location });
        endless(request, response);
      });
      expect((await makeFetcher({ rules }).fetch(at('/'), picture, never)).kind).toMatch(/missing|again/);
    }
  });

  it('that sends a byte now and then is left when its time is over', async () => {
    const { at } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '9000' });
      const more = () => {
        if (!response.destroyed) response.write('x', () => setImmediate(more));
      };
      more();
    });
    const fetched = await makeFetcher({ rules: { maxBytes: 1e9, timeout: 30 } }).fetch(at('/'), unknown, never);
    expect(fetched).toMatchObject({ kind: 'again' });
  });

  it('that sends compressed data without a request for it is refused: nothing is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 ** 2));
    for (const encoding of ['gzip', 'br', 'deflate', 'x-anything']) {
      const { at } = await serve(answering(200, { 'content-encoding': encoding }, bomb));
      expect(await makeFetcher({ rules: { maxBytes: 1e9 } }).fetch(at('/'), picture, never)).toEqual({
        kind: 'refused',
        why: 'it comes packed, which was not asked for',
      });
    }
  });

  /** Starts a server that sends only the given text instead of HTTP. */
  async function serveRaw(text: string): Promise<string> {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(text));
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://files.test:${(server.address() as AddressInfo).port}/`;
  }

  it.each([
    ['a flood of headers', `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(100_000)}\r\n`],
    ['a header without an end', `HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(1_000_000)}`],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\nabcde'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nabc'],
    ['no HTTP', '220 mail.example.com ESMTP\r\n'],
    ['nothing', ''],
  ])('that sends %s brings nothing', async (_, text) => {
    const folder = makeFolder();
    const fetched = await makeFetcher({ folder }).fetch(await serveRaw(text), picture, never);
    expect(fetched).toMatchObject({ kind: 'again' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that puts words into its answer is not quoted', async () => {
    const words = 'AKIA-SECRET-WORDS';
    const { at } = await serve((_, response) => {
      response.writeHead(404, words, { 'x-words': words, 'content-type': words }).end(words);
    });
    expect(JSON.stringify(await makeFetcher().fetch(at(`/${words}?${words}`), picture, never))).not.toContain(words);
  });
});
