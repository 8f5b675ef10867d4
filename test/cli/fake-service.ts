import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atFileEnd } from '../file-end.ts';

/** A service that does what a test says, and remembers what it was asked. */
export interface FakeService {
  readonly url: string;
  /** Method and path of every request. */
  readonly asked: readonly string[];
}

/** Serves on a free port until the test file is over. */
export async function fakeService(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<FakeService> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atFileEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Hands a request on to another service, and its answer back. */
export async function handOn(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
  const { status, answer } = await handedOn(request, url);
  response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
}

/**
 * Returns another service's answer to a request.
 * @param apikey Used instead of the one in the request.
 */
export async function handedOn(
  request: IncomingMessage,
  url: string,
  apikey = String(request.headers.apikey),
): Promise<{ readonly status: number; readonly answer: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const answer = await fetch(url + request.url, {
    method: request.method!,
    headers: { apikey, 'content-type': 'application/json' },
    ...(body.length > 0 && { body }),
  });
  return { status: answer.status, answer: await answer.text() };
}

export const isImport = ({ method }: IncomingMessage): boolean => method !== 'GET';

/** Returns an address of this machine at which no server listens. */
export async function refusingAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}
