import { stopServer } from '../lib/stop-server.ts';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../lib/flow/clock.ts';
import { UsageError } from '../lib/errors.ts';
import { isLoopback } from '../lib/loopback.ts';
import type { ListenOptions } from './shared-settings.ts';
import type { SyncListener } from './job-result.ts';
import type { Metrics } from './serve/metrics.ts';

export interface OperatorServer {
  /** `http://127.0.0.1:9464` */
  readonly url: string;
  /** Takes no more requests, waits for those that are being answered, at most 2 s. */
  close(): Promise<void>;
}

interface Parts {
  readonly metrics: Pick<Metrics, 'contentType' | 'render'>;
  readonly health: Pick<Health, 'stalledMs'> & {
    /** `ready`, or why not. */
    readiness(): string;
  };
  /** Gets what a page threw, for which the client gets status 500 and nothing else, and why a connection was not taken. */
  readonly onFault: (fault: unknown) => void;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Requests are a line and some headers, answers some kilobytes: a client slower than this has gone, or is hostile. */
const requestTimeoutMs = 5_000;
const connectionsMax = 64;
const closeMs = 2_000;

/** `/metrics`, `/healthz` and `/readyz`, for reading only. @throws UsageError if the port is taken. */
export async function serveOperators({ port, address }: ListenOptions, parts: Parts): Promise<OperatorServer> {
  const server = createServer(
    { headersTimeout: requestTimeoutMs, requestTimeout: requestTimeoutMs, connectionsCheckingInterval: 1_000 },
    respondWith(parts),
  );
  server.maxConnections = connectionsMax;
  await listenOn(server, port, address);
  // A connection that cannot be taken, because all file descriptors are in use: Prometheus comes again.
  server.on('error', parts.onFault);
  const bound = server.address() as AddressInfo;
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return { url: `http://${host}:${bound.port}`, close: () => stopServer(server, closeMs) };
}

const listenOn = (server: Server, port: number, address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const message = `Cannot listen on ${address}:${port}: ${cause.code}`;
      reject(new UsageError(message, { hint: 'Set sync.listen.port to a free port, or sync.listen.address', cause }));
    });
    server.listen(port, address, () => resolve());
  });

const respondWith =
  (parts: Parts): RequestListener =>
  (request, response) => {
    // A body is not wanted, and not waited for.
    request.resume();
    void answerTo(request, parts)
      .catch((fault: unknown) => {
        parts.onFault(fault);
        return text(500, 'Something went wrong');
      })
      .then((answer) => send(request, response, answer));
  };

async function answerTo(request: IncomingMessage, { metrics, health }: Parts): Promise<Answer> {
  if (isForOtherHost(request)) return text(403, 'Only for requests to this machine by its own name');
  const path = (request.url ?? '/').split('?')[0]!;
  if (!Object.hasOwn(pages, path)) return text(404, 'There are /metrics, /healthz and /readyz');
  if (request.method !== 'GET' && request.method !== 'HEAD') return text(405, 'Only GET and HEAD');
  return pages[path]!(metrics, health);
}

const pages: Readonly<
  Record<string, (metrics: Parts['metrics'], health: Parts['health']) => Promise<Answer> | Answer>
> = {
  '/metrics': async (metrics) => ({ status: 200, type: metrics.contentType, body: await metrics.render() }),
  '/healthz': (_, health) => {
    const stalledMs = health.stalledMs();
    if (stalledMs === undefined) return json(200, { status: 'ok' });
    return json(503, { status: 'stalled', silentSeconds: Math.round(stalledMs / 1000) });
  },
  '/readyz': (_, health) => {
    const status = health.readiness();
    return json(status === 'ready' ? 200 : 503, { status });
  },
};

/**
 * Returns whether the request came over the loopback interface and names another host. A page in a browser can do that
 * by pointing its own name at this machine; no other client has a reason to.
 */
const isForOtherHost = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopback(parseHostname(socket.localAddress ?? '')) && !isLoopback(parseHostname(headers.host ?? ''));

/** Returns the host name of an address or a `Host` header, as `URL` spells it. IPv4 may come as IPv6: `::ffff:127.0.0.1`. */
function parseHostname(host: string): string {
  const plain = host.replace(/^::ffff:/i, '');
  const url = `http://${plain === '::1' ? '[::1]' : plain}`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}

const text = (status: number, body: string): Answer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${body}\n`,
});
const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json',
  body: `${JSON.stringify(body)}\n`,
});

function send(request: IncomingMessage, response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 405 && { allow: 'GET, HEAD' }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** The scheduler looks up every 30 s at most; four times that without a sign is no longer a busy moment. */
const silenceMaxMs = 120_000;

/** Whether the process is well, and whether it does its work. One that has no scheduler (`--once`) never stalls. */
export interface Health extends SyncListener {
  /** Returns how long the loop has not moved, in ms; undefined if it moved lately. */
  stalledMs(): number | undefined;
  /** `ready` once configuration and state were read, until it is asked to stop. */
  readiness(): 'starting' | 'ready' | 'stopping';
}

/** Goes by time that never jumps: a machine that slept is not ill when it wakes. */
export function watchHealth(clock: Pick<Clock, 'monotonic'>): Health {
  let lastBeatMs: number | undefined;
  let readiness: ReturnType<Health['readiness']> = 'starting';
  return {
    started() {
      if (readiness === 'starting') readiness = 'ready';
    },
    beat() {
      lastBeatMs = clock.monotonic();
    },
    stopping() {
      readiness = 'stopping';
    },
    stalledMs() {
      const silenceMs = clock.monotonic() - (lastBeatMs ?? clock.monotonic());
      return silenceMs > silenceMaxMs ? silenceMs : undefined;
    },
    readiness: () => readiness,
  };
}
