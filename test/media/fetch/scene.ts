import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Fetched, FetchedContent, MediaOrigin } from '../../../src/media/fetch/fetched.ts';
import { type Fetcher, type FetcherOptions, openFetcher } from '../../../src/media/fetcher.ts';
import { fastClock } from '../../scenes/fast-clock.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { testAddresses, toThisMachine } from '../../scenes/test-addresses.ts';

const home = temporaryFolderInMemory();
export const makeFolder = (): string => home.make();

export interface Served {
  readonly port: number;
  readonly requests: IncomingMessage[];
  /** An address of it, by a name that only the resolver of these tests knows. */
  at(path: string, host?: string): string;
}

/** A server of this machine that writes down what it is asked. */
export async function serve(answer: RequestListener): Promise<Served> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, requests, at: (path, host = 'files.test') => `http://${host}:${port}${path}` };
}

export { testAddresses, toThisMachine };

export const usualRules: FetcherOptions['rules'] = {
  token: undefined,
  tokenHosts: undefined,
  perHost: 4,
  bandwidth: undefined,
  maxBytes: 1024 ** 2,
  timeout: 60_000,
};

type Made = Omit<Partial<FetcherOptions>, 'rules'> & {
  readonly rules?: Partial<FetcherOptions['rules']>;
  /** Called for every wait between tries. */
  readonly onSleep?: (ms: number) => void;
};

/** A fetcher that does not really wait, closed with its test. */
export function makeFetcher({ rules, onSleep, ...options }: Made = {}): Fetcher {
  const fetcher = openFetcher({
    folder: makeFolder(),
    sources: ['slack'],
    rule: testAddresses,
    resolve: toThisMachine,
    clock: fastClock(onSleep),
    random: () => 0.5,
    ...options,
    rules: { ...usualRules, ...rules },
  });
  onTestFinished(() => fetcher.close());
  return fetcher;
}

export const never: AbortSignal = new AbortController().signal;

export const picture: MediaOrigin = { name: 'cat.png', mimeType: 'image/png', sizeBytes: undefined };
export const unknown: MediaOrigin = { name: 'file', mimeType: '', sizeBytes: undefined };

const pngStart = Buffer.from('89504e470d0a1a0a', 'hex');
/** Begins as a picture does; the rest is the same for the same size. */
export function pngOf(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  for (let at = 0; at < sizeBytes; at++) bytes[at] = (at * 31 + (at >> 8)) & 255;
  pngStart.copy(bytes);
  return bytes;
}

export async function bytesOf(content: Pick<FetchedContent, 'open'>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content.open()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export function assertFetched(fetched: Fetched): asserts fetched is Extract<Fetched, { kind: 'fetched' }> {
  if (fetched.kind !== 'fetched') throw new Error(`Expected a file, found: ${JSON.stringify(fetched)}`);
}

export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}, body: string | Uint8Array = ''): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

/** Sends so many bytes of a body, and cuts the connection when they are on their way. */
export function sendAndCut(response: ServerResponse, bytes: Uint8Array): void {
  if (bytes.length === 0) response.flushHeaders();
  response.write(bytes, () => response.socket?.end());
}
