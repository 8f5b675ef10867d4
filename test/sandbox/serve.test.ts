import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import { type ServeOptions, serveSandbox } from '../../src/sandbox/serve.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { createHttpTransport } from '../../src/service/http-transport.ts';
import type { TransportRequest } from '../../src/service/transport.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { apiKey, direct, sandboxOf } from './fixture.ts';

const never = new AbortController().signal;
const list: TransportRequest = { method: 'GET', path: '/v3/messages', headers: { apikey: apiKey } };

async function serve(sandbox: Parameters<typeof serveSandbox>[0] = sandboxOf(), options: ServeOptions = {}) {
  const server = await serveSandbox(sandbox, options);
  onTestFinished(() => server.close(0));
  return server;
}

function transportTo(url: string) {
  const transport = createHttpTransport(new URL(url), { connections: 2 });
  onTestFinished(() => transport.close());
  return transport;
}

/** Everything the server says to these bytes until it hangs up. */
async function raw(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(bytes);
  let said = '';
  socket.on('data', (chunk) => {
    said += chunk;
  });
  socket.on('error', ({ message }) => {
    said += message;
  });
  await new Promise((resolve) => socket.on('close', resolve));
  return said;
}

describe('serveSandbox()', () => {
  it('listens on this machine alone, on a free port', async () => {
    const { url } = await serve();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('answers as the sandbox does', async () => {
    const sandbox = sandboxOf();
    const transport = transportTo((await serve(sandbox)).url);
    const body = JSON.stringify({ messages: { m1: direct('m1', { data: { text: 'ä😀' } }) } });
    const headers = { apikey: apiKey, 'content-type': 'application/json' };
    const imported = await transport.send({ method: 'POST', path: '/v3/data_import/messages', headers, body }, never);
    expect(JSON.parse(imported.body).data.m1.data.data.text).toBe('ä😀');
    const listed = await transport.send(list, never);
    expect(listed).toMatchObject({ status: 200, body: sandbox.handle(list).body });
    expect(listed.headers).toMatchObject({ 'content-type': 'application/json', date: expect.any(String) });
  });

  it('answers other methods and a missing key as the service does', async () => {
    const { url } = await serve();
    const patch = await fetch(`${url}/v3/messages`, { method: 'PATCH', headers: { apikey: apiKey } });
    expect(patch.status).toBe(404);
    expect(await (await fetch(`${url}/v3/messages`)).json()).toMatchObject({
      error: { code: 'AUTH_ERR_EMPTY_APIKEY' },
    });
  });

  it('reads a body that is too long to its end and answers 413', async () => {
    const { url } = await serve();
    const body = Buffer.alloc(16 * 1024 * 1024 + 1, ' ');
    const answer = await transportTo(url).send(
      { ...list, method: 'POST', path: '/v3/data_import/messages', body },
      never,
    );
    expect(answer.status).toBe(413);
  });

  it.each([
    ['a body that is too long', 'localhost', '413'],
    ['another host', 'evil.example', '403'],
  ])('refuses the page a request with %s before anything of its body has come', async (_what, host, status) => {
    const { url } = await serve();
    const head = `POST /viewer/x HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 20000000\r\n\r\n`;
    expect(await raw(url, head)).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*connection: close`, 'i'));
  });

  it('answers 500 if the sandbox throws, and passes the fault on', async () => {
    const onFault = vi.fn();
    const fault = new Error('secret detail');
    const broken = {
      handle() {
        throw fault;
      },
    };
    const answer = await transportTo((await serve(broken, { onFault })).url).send(list, never);
    expect(answer).toMatchObject({ status: 500, body: expect.stringContaining('ERR_EXCEPTION') });
    expect(answer.body).not.toContain('secret detail');
    expect(onFault).toHaveBeenCalledWith(fault);
  });

  it('refuses a request that names another host, as a page in a browser could make one', async () => {
    const { url } = await serve();
    const status = (host: string) =>
      new Promise((resolve, reject) => {
        httpRequest(`${url}/v3/messages`, { headers: { host, apikey: apiKey } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', reject)
          .end();
      });
    expect(await status('rebound.example.com')).toBe(403);
    expect(await status('127.0.0.1.example.com')).toBe(403);
    expect(await status('localhost:9')).toBe(200);
  });

  it('closes connections that stay silent, and those whose headers or bodies do not arrive', async () => {
    const { url } = await serve(sandboxOf(), { headersTimeoutMs: 50, requestTimeoutMs: 100 });
    expect(await raw(url, '')).toContain('408');
    // On a busy machine the server may hang up before our bytes arrive: then its answer is lost with the connection.
    const hungUp = /408|ECONNRESET/;
    expect(await raw(url, 'GET /v3/messages HTTP/1.1\r\nHost: localhost\r\nX-Slow')).toMatch(hungUp);
    const head = `POST /v3/data_import/messages HTTP/1.1\r\nHost: localhost\r\napikey: ${apiKey}\r\n`;
    expect(await raw(url, `${head}Content-Length: 100\r\n\r\n{"mess`)).toMatch(hungUp);
  });

  it('says so when the port is taken', async () => {
    const port = Number(new URL((await serve()).url).port);
    const second = serve(sandboxOf(), { port });
    await expect(second).rejects.toThrow(UsageError);
    await expect(second).rejects.toThrow(`127.0.0.1:${port}`);
  });

  it('closes although a client keeps its connection, and refuses what comes later', async () => {
    const server = await serve();
    const transport = transportTo(server.url);
    await transport.send(list, never);
    await server.close();
    await expect(transport.send(list, never)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('finishes requests in flight, and then closes at once', async () => {
    const sandbox = new FaultySandbox({
      store: openSandboxStore(':memory:'),
      apiKey,
      profile: 'spec',
      clock: systemClock,
    });
    onTestFinished(() => sandbox.close());
    sandbox.plan = { rules: [{ answer: 'normal', delayMs: 200 }] };
    const server = await serve(sandbox);
    const answer = transportTo(server.url).send(list, never);
    await vi.waitUntil(() => sandbox.book.summary().operations.listMessages?.requests === 1, { timeout: 60_000 });
    // Far longer than the test may take.
    const closed = server.close(600_000);
    expect((await answer).status).toBe(200);
    await closed;
  });

  it('shows the OpenAPI document to everybody', async () => {
    const document = await (await fetch(`${(await serve()).url}/openapi.json`)).json();
    expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), paths: { '/v3/messages': {} } });
  });

  it('cuts a request off that is not over at the end of the grace', async () => {
    const server = await serve();
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
    socket.write('GET /v3/messages HTTP/1.1\r\nHost: localhost\r\n');
    await server.close(20);
    await closed;
  });
});
