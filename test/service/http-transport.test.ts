import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { classifyImport, classifyFault } from '../../src/service/classify.ts';
import { createHttpTransport, type HttpTransportOptions } from '../../src/service/http-transport.ts';
import type { ImportOutcome } from '../../src/service/outcome.ts';
import type { Transport } from '../../src/service/transport.ts';
import { http, rawServer } from './raw-server.ts';

const never = new AbortController().signal;
const good = '{"data":{"m1":{"success":true,"data":{"id":"1"}}}}';
const post = { method: 'POST', path: '/v3/data_import/messages', headers: { apikey: 'k' }, body: '{}' } as const;

function connect(url: URL, options: Partial<HttpTransportOptions> = {}): Transport {
  const transport = createHttpTransport(url, { connections: 1, ...options });
  onTestFinished(() => transport.close());
  return transport;
}

/** Sends an import of `m1` and says what it came to. */
async function send(url: URL, options: Partial<HttpTransportOptions> = {}): Promise<ImportOutcome> {
  const transport = connect(url, options);
  try {
    return classifyImport(['m1'], await transport.send(post, never), Date.now());
  } catch (fault) {
    return classifyFault(fault);
  }
}

/** Returns the result of an import at a server that does this once the request has arrived. */
async function against(onRequest: (socket: Socket) => void, options: Partial<HttpTransportOptions> = {}) {
  const server = await rawServer(onRequest);
  return await send(server.url, options);
}

describe('createHttpTransport()', () => {
  it('brings an answer back whole', async () => {
    const { url } = await rawServer((socket) => socket.write(http(200, '"ä€😀"', { 'X-Request-Id': 'r-1' })));
    const answer = await connect(url).send(post, never);
    expect(answer).toMatchObject({ status: 200, body: '"ä€😀"', headers: { 'x-request-id': 'r-1' } });
  });

  it('sends method, path, headers and the bytes of the body, and asks for no compression', async () => {
    const server = await rawServer((socket) => socket.write(http(200, good)));
    const transport = connect(new URL('prefix/v3/', server.url));
    await transport.send({ ...post, path: '/v3/messages?limit=1', body: '{"t":"ä€😀"}' }, never);
    await transport.send({ ...post, body: Buffer.from('{"t":"ä€😀"}') }, never);
    const [first = '', second = ''] = server.received;
    expect(first).toContain('POST /prefix/v3/messages?limit=1 HTTP/1.1\r\n');
    expect(first).toContain('apikey: k\r\n');
    expect(first).not.toMatch(/accept-encoding/i);
    expect(first.endsWith('\r\n\r\n{"t":"ä€😀"}')).toBe(true);
    expect(second.endsWith('\r\n\r\n{"t":"ä€😀"}')).toBe(true);
  });

  it('leaves a connection that the server is about to close alone', async () => {
    // The margin uses up both of the two seconds that it announces: a request could reach the connection as it closes.
    const server = await rawServer((socket) => socket.write(http(200, good, { 'keep-alive': 'timeout=2' })));
    const transport = connect(server.url);
    await transport.send(post, never);
    await transport.send(post, never);
    expect(server.connectionCount).toBe(2);
  });

  it('uses a connection again', async () => {
    const server = await rawServer((socket) => socket.write(http(200, good)));
    const transport = connect(server.url);
    await transport.send(post, never);
    await transport.send(post, never);
    expect(server.connectionCount).toBe(1);
  });

  describe('with a request that must not be sent late', () => {
    const deleting = { method: 'DELETE', path: '/v3/groups/g', headers: { apikey: 'k' } } as const;

    it.each([post, deleting])('asks before the first byte of a $method, and holds it back', async (request) => {
      const server = await rawServer((socket) => socket.write(http(200, good)));
      const transport = connect(server.url);
      const late = transport.send({ ...request, mayStart: () => false }, never);
      const fault: unknown = await late.catch((error: unknown) => error);
      expect(classifyFault(fault)).toMatchObject({ kind: 'not-applied', why: 'unreachable', code: 'held_back' });
      expect(server.received).toEqual([]);
      // On the same connection: it holds no byte of the other request.
      expect((await transport.send(post, never)).status).toBe(200);
      expect([server.received.length, server.connectionCount]).toEqual([1, 1]);
    });

    it('asks only once the connection is open and no other request uses it', async () => {
      const asked: string[] = [];
      const sockets: Socket[] = [];
      const server = await rawServer((socket) => sockets.push(socket));
      const transport = connect(server.url);
      const first = transport.send({ ...post, mayStart: () => asked.push('first') > 0 }, never);
      const second = transport.send({ ...post, mayStart: () => asked.push('second') > 2 }, never);
      expect(asked).toEqual([]);
      await vi.waitFor(() => expect(sockets).toHaveLength(1), { timeout: 60_000 });
      expect(asked).toEqual(['first']);
      sockets[0]!.write(http(200, good));
      expect((await first).status).toBe(200);
      await expect(second).rejects.toThrow('not ready to leave');
      expect([asked, server.received.length]).toEqual([['first', 'second'], 1]);
    });

    it('asks behind a TLS handshake that takes its time', async () => {
      const accepted = Promise.withResolvers<Socket>();
      const server = createServer((socket) => {
        socket.on('error', () => {});
        accepted.resolve(socket);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      let asked = 0;
      const transport = connect(new URL(`https://127.0.0.1:${port}`));
      const sending = transport.send({ ...post, mayStart: () => ++asked > 0 }, never).catch(() => {});
      // It has accepted, and says nothing: the request waits for the handshake.
      const socket = await accepted.promise;
      await once(socket, 'data');
      expect(asked).toBe(0);
      socket.destroy();
      await sending;
      expect(asked).toBe(0);
    });
  });

  it.each(['http://chat.example.com', 'https://u:p@chat.example.com', 'ftp://localhost'])('refuses %s', (url) => {
    expect(() => createHttpTransport(new URL(url), { connections: 1 })).toThrow(UsageError);
  });

  it('refuses to work while certificates are not verified', () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(() => createHttpTransport(new URL('https://localhost'), { connections: 1 })).toThrow(
      'NODE_TLS_REJECT_UNAUTHORIZED',
    );
  });
});

describe('a request that is called off', () => {
  it('ends with the reason, and leaves no listener on the signal', async () => {
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const { url } = await rawServer(() => controller.abort(new Error('enough')));
    await expect(connect(url).send(post, controller.signal)).rejects.toThrow('enough');
    expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
  });

  it('is not sent at all when the signal came first', async () => {
    const server = await rawServer(() => {});
    await expect(connect(server.url).send(post, AbortSignal.abort(new Error('early')))).rejects.toThrow('early');
    expect(server.connectionCount).toBe(0);
  });
});

describe('an import', () => {
  it('is answered by a service that is well', async () => {
    expect(await against((socket) => socket.write(http(200, good)))).toMatchObject({ kind: 'answered', missing: [] });
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['the connection is reset before the answer', (socket) => socket.resetAndDestroy(), 'ECONNRESET'],
    ['the connection ends before the answer', (socket) => socket.end(), 'UND_ERR_SOCKET'],
    ['the answer is garbage', (socket) => socket.end('\u0000\u0001garbage\r\n\r\n'), 'HTTPParserError'],
    ['the answer is cut short', (socket) => socket.end(http(200, good).slice(0, -9)), 'UND_ERR_SOCKET'],
    [
      'a chunked answer is cut short',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n6\r\n{"data'),
      'UND_ERR_SOCKET',
    ],
    [
      'the connection is reset inside the answer',
      (socket) => socket.write(http(200, good).slice(0, -9), () => socket.resetAndDestroy()),
      'ECONNRESET',
    ],
  ])('is unknown when %s', async (_, onRequest, code) => {
    expect(await against(onRequest)).toMatchObject({ kind: 'unknown', byService: false, code });
  });

  it('is unknown when an answer that ends with its connection is cut short: it looks whole', async () => {
    const outcome = await against((socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${good.slice(0, 20)}`));
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'bad_answer', status: 200 });
  });

  it('is unknown at the deadline when nothing comes', async () => {
    expect(await against(() => {}, { requestTimeoutMs: 50 })).toMatchObject({ kind: 'unknown', code: 'timeout' });
  });

  it('is unknown at the deadline when the body stalls, or comes byte by byte', async () => {
    const stall = (socket: Socket) => socket.write(http(200, good).slice(0, -9));
    expect(await against(stall, { requestTimeoutMs: 50 })).toMatchObject({ kind: 'unknown', code: 'timeout' });
    const trickle = (socket: Socket) => {
      socket.write(http(200, '', { 'content-length': '1000000' }));
      const timer = setInterval(() => socket.write(' '), 5);
      socket.on('close', () => clearInterval(timer));
    };
    expect(await against(trickle, { requestTimeoutMs: 100 })).toMatchObject({ kind: 'unknown', code: 'timeout' });
  });

  it('is unknown if the answer is too large, announced or not', async () => {
    const code = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
    const told = (socket: Socket) => socket.write(http(200, ' '.repeat(5_000)));
    expect(await against(told, { responseBytesMax: 1_000 })).toMatchObject({ kind: 'unknown', code });
    const endless = (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const chunk = `3e8\r\n${' '.repeat(1_000)}\r\n`;
      const pour = () => !socket.destroyed && socket.write(chunk, () => setImmediate(pour));
      pour();
    };
    expect(await against(endless, { responseBytesMax: 100_000 })).toMatchObject({ kind: 'unknown', code });
  });

  it('is unknown when the headers of the answer are too large', async () => {
    const large = (socket: Socket) => socket.write(http(200, good, { 'x-padding': 'x'.repeat(17_000) }));
    expect(await against(large)).toMatchObject({ kind: 'unknown', code: 'UND_ERR_HEADERS_OVERFLOW' });
  });

  it('is unknown when the answer is nested beyond all reason', async () => {
    const deep = `{"data":{"m1":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    const outcome = await against((socket) => socket.write(http(200, deep)));
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'bad_answer' });
  });

  it('stops at a redirect, and the other address gets nothing', async () => {
    const other = await rawServer((socket) => socket.write(http(200, good)));
    const location = `${other.url.origin}/v3/data_import/messages`;
    const outcome = await against((socket) => socket.write(http(307, '', { location })));
    expect(outcome).toMatchObject({
      kind: 'not-applied',
      why: 'stop',
      hint: expect.stringContaining(other.url.origin),
    });
    expect(other.connectionCount).toBe(0);
  });

  it('is unknown when a gateway answers 502 with a page', async () => {
    const page = '<html><body><h1>502 Bad Gateway</h1></body></html>';
    const outcome = await against((socket) => socket.write(http(502, page, { 'content-type': 'text/html' })));
    expect(outcome).toMatchObject({ kind: 'unknown', byService: false, code: 'http_502' });
  });

  it.each([
    ['in seconds', { 'retry-after': '2' }, '', 2_000],
    ['as a date', { 'retry-after': 'Sat, 21 Nov 2026 12:00:09 GMT', date: 'Sat, 21 Nov 2026 12:00:00 GMT' }, '', 9_000],
    ['in its text', {}, '{"error":{"code":"ERR_TOO_MANY_REQUESTS","message":"retry after 4 seconds"}}', 4_000],
  ])('is not applied at a 429 with the wait %s', async (_, headers, body, retryAfterMs) => {
    const outcome = await against((socket) => socket.write(http(429, body, headers)));
    expect(outcome).toMatchObject({ kind: 'not-applied', why: 'rate-limited', retryAfterMs });
  });

  it('is not applied at a 413, even one that comes before the body was read', async () => {
    expect(await against((socket) => socket.end(http(413, '')))).toMatchObject({
      kind: 'not-applied',
      why: 'too-large',
    });
  });

  it('is not applied at a 413 that cuts the request off in the middle', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write(http(413, ''), () => setImmediate(() => socket.destroy())));
    });
    const url = new URL(`http://127.0.0.1:${await listen(server)}`);
    const answer = connect(url).send({ ...post, body: Buffer.alloc(8 * 1024 * 1024, ' ') }, never);
    expect(classifyImport(['m1'], await answer, Date.now())).toMatchObject({ kind: 'not-applied', why: 'too-large' });
  });

  it('is not applied if no server listens', async () => {
    const gone = createServer();
    const port = await listen(gone);
    gone.close();
    await once(gone, 'close');
    const outcome = await send(new URL(`http://127.0.0.1:${port}`));
    expect(outcome).toMatchObject({ kind: 'not-applied', why: 'unreachable', code: 'ECONNREFUSED' });
  });
});

describe('TLS', () => {
  const pem = readFileSync(new URL('./fixtures/self-signed.pem', import.meta.url));

  it('stops at an untrusted certificate, before a byte of the request is sent', async () => {
    const onRequest = vi.fn();
    const port = await listen(createTlsServer({ key: pem, cert: pem }, onRequest));
    const outcome = await send(new URL(`https://localhost:${port}`));
    expect(outcome).toMatchObject({ kind: 'not-applied', why: 'stop', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(outcome).toMatchObject({ detail: expect.stringMatching(/is self-signed/) });
    expect(outcome).toMatchObject({ hint: expect.stringContaining('NODE_EXTRA_CA_CERTS=cert.pem') });
    expect(onRequest).not.toHaveBeenCalled();
  });

  it('takes a server that speaks no TLS for unreachable', async () => {
    const port = await listen(createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad\r\n\r\n')));
    const outcome = await send(new URL(`https://127.0.0.1:${port}`));
    expect(outcome).toMatchObject({ kind: 'not-applied', why: 'unreachable', code: 'ERR_SSL_WRONG_VERSION_NUMBER' });
    expect(outcome).toMatchObject({ detail: expect.stringMatching(/this port speaks http/) });
  });
});

/** The port; the server is closed with the test. */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
