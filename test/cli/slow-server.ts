import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { createSandbox } from '../../src/sandbox/app.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import type { TransportRequest } from '../../src/service/transport.ts';

export interface TestServer {
  readonly url: string;
  /** Method and path of every request, in the order of arrival. */
  readonly requests: readonly string[];
  /** Headers of every request. */
  readonly headers: readonly IncomingMessage['headers'][];
  /** Resolves when so many requests of this method have arrived. */
  arrived(method: string, count: number): Promise<void>;
}

/** A server of the test's process, gone with the test. */
export async function listen(
  answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void | Promise<void>,
): Promise<TestServer> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void answer(request, response, Buffer.concat(chunks));
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const countOf = (method: string) => requests.filter((line) => line.startsWith(`${method} `)).length;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    headers,
    arrived: (method, count) =>
      new Promise((resolve) => {
        const look = () => {
          if (countOf(method) < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

export interface GatedServer extends TestServer {
  /** Answers what was held, and everything from now on. */
  open(): void;
  shut(): void;
  /** Resolves when an import is waiting for its answer. */
  held(): Promise<void>;
}

/** A chat service that stores imports at once and answers them only while its gate is open; shut to begin with. */
export async function gatedServer(data: string, apiKey: string): Promise<GatedServer> {
  const sandbox = createSandbox({ store: openSandboxStore(data), apiKey, profile: 'spec', clock: systemClock });
  onTestFinished(() => sandbox.close());
  let isOpen = false;
  const answers: (() => void)[] = [];
  let onHeld = () => {};
  const server = await listen((request, response, body) => {
    const { method, url = '/' } = request;
    const answer = sandbox.handle({
      method: method as TransportRequest['method'],
      path: url,
      headers: request.headers as Record<string, string>,
      body,
    });
    const write = () => response.writeHead(answer.status, { ...answer.headers }).end(answer.body);
    if (isOpen || method === 'GET') write();
    else {
      answers.push(write);
      onHeld();
    }
  });
  return {
    ...server,
    open() {
      isOpen = true;
      for (const write of answers.splice(0)) write();
    },
    shut() {
      isOpen = false;
    },
    held: () =>
      new Promise((resolve) => {
        onHeld = resolve;
        if (answers.length > 0) resolve();
      }),
  };
}
