import { stopServer } from '../lib/stop-server.ts';
import { isLoopback } from '../lib/loopback.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../lib/flow/clock.ts';
import { UsageError } from '../lib/errors.ts';
import { openApiDocument } from '../service/operations.ts';
import type { TransportAnswer, TransportRequest } from '../service/transport.ts';
import { failure, refuse, success } from './answers.ts';
import { bodyBytesMax, bodyTooLarge } from './app.ts';
import { controlPrefix } from './faults/control.ts';
import { type AnySandbox, deliver } from './operations/delivery.ts';
import { send, sendWhole } from './serve/on-socket.ts';
import type { ProfileName } from '../service/profiles.ts';
import type { Applied } from './book.ts';
import type { FaultPlanInput } from './fault-plan.ts';
import { FaultySandbox } from './faults.ts';
import { openSandboxStore } from './store.ts';

/** Prefix of the viewer's paths. Only this machine may request them. */
export const viewerPrefix = '/viewer';

export interface ViewerRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: empty. */
  readonly body?: Uint8Array;
}

/** The page that shows a sandbox, and what it asks for. */
export interface Viewer {
  /** What its paths begin with; `viewerPrefix` by default. */
  readonly prefixes?: readonly string[];
  /** Path that admits one browser: it contains a secret that nothing else on this machine knows. Once it was used, it is replaced. */
  readonly entrance: string;
  /** Returns why a request is refused before its body is read; undefined if it is not. */
  refuse(request: ViewerRequest): TransportAnswer | undefined;
  answer(request: ViewerRequest): Promise<TransportAnswer>;
}

export interface ServeOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** `127.0.0.1` by default: reachable from this machine only. */
  readonly host?: string;
  /** From a connection, or the request before, to the end of headers; and for a whole request, in ms. 10 s and 60 s by default. */
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** Gets what `handle` threw; the client gets status 500. */
  readonly onFault?: (fault: unknown) => void;
  /** For answers that are late or slow. */
  readonly clock?: Clock;
  /** The page that shows what is there; none by default. */
  readonly viewer?: Viewer | undefined;
}

export interface SandboxServer {
  /** `http://127.0.0.1:4310`: what `--to` takes. */
  readonly url: string;
  /** Takes no more requests, waits for those that are being answered, at most `graceMs`. The sandbox stays open. */
  close(graceMs?: number): Promise<void>;
}

/** @throws UsageError if the port is taken. */
export const serveSandbox = (sandbox: AnySandbox, options: ServeOptions = {}): Promise<SandboxServer> =>
  serve(sandbox, options);

/** Serves only the page, without a sandbox: the service is another one. */
export const serveViewer = (viewer: Viewer, options: Omit<ServeOptions, 'viewer'> = {}): Promise<SandboxServer> =>
  serve(undefined, { ...options, viewer });

async function serve(sandbox: AnySandbox | undefined, options: ServeOptions): Promise<SandboxServer> {
  const { port = 0, host = '127.0.0.1', headersTimeoutMs = 10_000, requestTimeoutMs = 60_000 } = options;
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // How soon the two are noticed.
      connectionsCheckingInterval: Math.min(headersTimeoutMs, requestTimeoutMs, 1_000),
      // Above what clients use, so that they are the ones who close.
      keepAliveTimeout: 30_000,
    },
    (request, response) => {
      // While it closes: a connection whose last answer is out would be kept for who asks again.
      response.once('close', () => server.listening || server.closeIdleConnections());
      void respond(sandbox, request, response, { ...options, url: () => serverUrl(server) });
    },
  );
  await listen(server, port, host);
  return { url: serverUrl(server), close: (graceMs = 5_000) => stopServer(server, graceMs) };
}

/**
 * Returns the address at which this machine reaches the server: a server that listens on every address also listens on
 * the loopback one.
 */
function serverUrl(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  if (address === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (address === '::') return `http://[::1]:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const message = `Cannot listen on ${host}:${port}: ${cause.message}`;
      reject(new UsageError(message, { hint: listenHints[cause.code ?? ''] ?? otherHost, cause }));
    });
    server.listen(port, host, () => resolve());
  });
}

const otherHost = 'Pass --host with an address of this machine';

const listenHints: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Pass --port with another number; 0 takes a free one',
  EACCES: 'Pass --port with a number above 1023; 0 takes a free one',
};

async function respond(
  sandbox: AnySandbox | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  { onFault, clock = systemClock, url, viewer }: ServeOptions & { readonly url: () => string },
): Promise<void> {
  try {
    const isPage = isForPage(request, viewer);
    const refusal = refuseRequest(request, isPage) ?? (isPage ? viewer?.refuse(viewed(request)) : undefined);
    if (isPage && (refusal !== undefined || announcesTooMuch(request))) {
      response.setHeader('connection', 'close');
      return sendWhole(response, refusal ?? bodyTooLarge());
    }
    const body = await readBody(request);
    if (!body) sendWhole(response, bodyTooLarge());
    else if (refusal) sendWhole(response, refusal);
    else if (viewer && isPage) sendWhole(response, await viewer.answer({ ...viewed(request), body }));
    else if (!sandbox) sendWhole(response, refuse('ERR_API_NOT_FOUND', 'Here is the viewer alone: /viewer'));
    else if (request.url === '/openapi.json') sendWhole(response, success(openApi(request, url())));
    else await send(response, deliver(sandbox, toTransportRequest(request, body)), clock);
  } catch (fault) {
    if (request.destroyed && !request.complete) return;
    onFault?.(fault);
    sendWhole(response, failure(500, { code: 'ERR_EXCEPTION', message: 'Something went wrong' }));
  }
}

/** Names the address by which it was asked for. */
function openApi({ headers: { host = '' } }: IncomingMessage, url: string): string {
  const isHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host);
  return JSON.stringify(openApiDocument(isHost ? `http://${host}` : url));
}

/** A page in a browser is answered before its body is read. */
const announcesTooMuch = ({ headers }: IncomingMessage): boolean => Number(headers['content-length']) > bodyBytesMax;

/** Nothing if the body is too long. It is read to its end all the same: who is still sending does not look for an answer. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= bodyBytesMax) chunks.push(chunk);
  }
  return size <= bodyBytesMax ? Buffer.concat(chunks) : undefined;
}

/** Why a request is not even looked at. */
function refuseRequest(request: IncomingMessage, isPage: boolean): TransportAnswer | undefined {
  if (isForOtherHost(request)) return noAccess('The sandbox answers to localhost only');
  const isInside = request.url?.startsWith(controlPrefix) || isPage;
  if (isInside && !isLoopback(request.socket.remoteAddress ?? '')) {
    return noAccess('This answers to this machine only');
  }
  return undefined;
}

/** Without a viewer, paths of one are refused to other machines all the same. */
const isForPage = ({ url = '' }: IncomingMessage, viewer: Viewer | undefined): boolean =>
  (viewer?.prefixes ?? [viewerPrefix]).some(
    (prefix) => url.startsWith(prefix) && /^(?:$|[/?])/.test(url.slice(prefix.length)),
  );

const viewed = ({ method = '', url = '', headers }: IncomingMessage): ViewerRequest => ({
  method,
  path: url,
  headers: singleValues(headers),
});

/**
 * Returns whether a request came over the loopback interface and names another host. A page in a browser can do that by
 * letting its own name point at this machine; nothing else has a reason to.
 */
function isForOtherHost({ socket, headers }: IncomingMessage): boolean {
  const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
  return isLoopback(socket.localAddress ?? '') && !loopback.test(headers.host ?? '');
}

const noAccess = (message: string): TransportAnswer => failure(403, { code: 'AUTH_ERR_NO_ACCESS', message });

function toTransportRequest(request: IncomingMessage, body: Buffer): TransportRequest {
  return {
    // A method that the service does not have finds no operation.
    method: request.method as TransportRequest['method'],
    path: request.url ?? '/',
    headers: singleValues(request.headers),
    body,
  };
}

function singleValues(headers: IncomingMessage['headers']): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') values[name] = value;
  }
  return values;
}

/** `docs/guides/sandbox.md` says more of every field. */
export interface SandboxRequest {
  /** Any visible ASCII. */
  readonly apiKey: string;
  /** Path of the data file. Default: none, and everything is gone when it is closed. */
  readonly data?: string | undefined;
  /** Whose limits and pace it rehearses. Default: `spec`. */
  readonly profile?: ProfileName | undefined;
  /** Result for a muid that is there already. Default: refused. */
  readonly duplicates?: 'refused' | 'stored' | undefined;
  /** Made-up people and messages. Default: none. */
  readonly seed?: 'demo' | undefined;
  readonly faults?: SandboxFaults | undefined;
  /** Default: a free one. */
  readonly port?: number | undefined;
}

/** Requests that are broken on purpose. */
export interface SandboxFaults {
  /** The same seed breaks the same requests. */
  readonly seed?: number;
  /** If several match a request, the first one applies. Fields depend on `answer`: `reset`, `rate-limited`, `error`, `items-refused` … */
  readonly rules?: readonly { readonly answer: string; readonly [field: string]: unknown }[];
  readonly [field: string]: unknown;
}

/** A chat service that listens on this machine. */
export interface OpenSandbox {
  /** `http://127.0.0.1:4310`: what `to` takes. */
  readonly url: string;
  /** From the next request on. @throws ZodError that names what is wrong. */
  breakBy(faults: SandboxFaults): void;
  /** Each time a message with this muid was stored, in whatever way the request was answered. */
  applied(muid: string): Applied;
  /** Answers what it has received, at most for 5 s. */
  close(): Promise<void>;
}

/**
 * Serves the whole chat service on this machine, to rehearse an import or to test against.
 *
 * @throws UsageError if the port is taken or the key cannot be used; StoreError if the data file cannot.
 */
export async function openSandbox({
  data,
  profile = 'spec',
  faults,
  port,
  ...given
}: SandboxRequest): Promise<OpenSandbox> {
  const store = openSandboxStore(data ?? ':memory:');
  const sandbox = new FaultySandbox({ ...given, store, profile, clock: systemClock });
  const breakBy = (plan: SandboxFaults) => {
    sandbox.plan = plan as FaultPlanInput;
  };
  try {
    breakBy(faults ?? {});
    const server = await serveSandbox(sandbox, { port: port ?? 0 });
    return {
      url: server.url,
      breakBy,
      applied: (muid) => sandbox.book.applied(muid),
      async close() {
        await server.close();
        await sandbox.close();
      },
    };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}
