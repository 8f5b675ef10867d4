import type { Dispatcher, Pool } from 'undici';
import { UsageError } from '../lib/errors.ts';
import { normaliseBaseUrl, usualRequestTimeoutMs } from './profiles.ts';
import { assertMayStart, type Transport, type TransportAnswer, type TransportRequest } from './transport.ts';
import type { Clock } from '../lib/flow/clock.ts';
import { reportingSlow, slowAfterMs } from '../lib/flow/slow-request.ts';

export interface HttpTransportOptions {
  /** Sockets, and so requests in flight, at most. A request beyond it waits inside its deadline. */
  readonly connections: number;
  /** From the call to the last byte of the answer, in ms. 90 s by default: an import of 50 messages takes well under one. */
  readonly requestTimeoutMs?: number;
  /** A longer answer is a fault. 32 MiB by default: 1,000 messages of 10 KB are 10. */
  readonly responseBytesMax?: number;
}

/** 16 KiB: what Node's own servers and clients take. */
const headerBytesMax = 16 * 1024;

/** The code of the error with which a request ends at its deadline. */
const timeoutCode = 'timeout';

/**
 * HTTP/1.1 to one origin. Redirects are answered, not followed: the key goes nowhere else. Nothing is sent again by itself.
 *
 * @throws UsageError if the address cannot be used, or TLS verification is switched off for this process.
 */
export function createHttpTransport(baseUrl: URL, options: HttpTransportOptions): Transport {
  const { requestTimeoutMs = usualRequestTimeoutMs } = options;
  const address = new URL(normaliseBaseUrl(baseUrl.href));
  refuseUnverifiedTls();
  let opened: Promise<Pool> | undefined;
  const pool = () => (opened ??= createPool(address.origin, options));
  const prefix = address.pathname.replace(/\/$/, '');
  return {
    send: (request, signal) =>
      withDeadline(requestTimeoutMs, signal, async (deadline) => exchange(await pool(), prefix, request, deadline)),
    close: async () => (await opened)?.close(),
  };
}

/** Loaded with the first request: 15 MB, and some 40 ms that a run with nothing to do does without. */
async function createPool(
  origin: string,
  { connections, responseBytesMax = 32 * 1024 * 1024 }: HttpTransportOptions,
): Promise<Pool> {
  const { Pool } = await import('undici');
  return new Pool(origin, {
    connections,
    allowH2: false,
    maxResponseSize: responseBytesMax,
    // All header lines of an answer together.
    maxHeaderSize: headerBytesMax,
    connectTimeout: 10_000,
    headersTimeout: 60_000,
    // Between two pieces of a body; a body that trickles is ended by the deadline.
    bodyTimeout: 60_000,
    // Below what servers use, and below what they announce: a socket closed by the server while we send is an unknown outcome.
    keepAliveTimeout: 4_000,
    keepAliveTimeoutThreshold: 2_000,
    keepAliveMaxTimeout: 60_000,
    connect: { rejectUnauthorized: true },
  });
}

async function exchange(
  pool: Pool,
  prefix: string,
  { method, path, headers, body, mayStart }: TransportRequest,
  signal: AbortSignal,
): Promise<TransportAnswer> {
  const answer = await (mayStart ? pool.compose(heldBackUnless(mayStart)) : pool).request({
    method,
    path: prefix + path,
    headers: { ...headers },
    // Bytes: undici takes twice as long over a string with characters beyond Latin-1.
    body: typeof body === 'string' ? Buffer.from(body) : (body ?? null),
    signal,
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: singleValues(answer.headers), body: text };
}

/**
 * Looks once more when a request is about to be written: connected, with the socket to itself. In the same turn, undici then
 * writes the head (8.12: `writeH1`); what is thrown instead ends the request, and the connection stays as it is.
 */
const heldBackUnless =
  (mayStart: () => boolean): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    // The handler belongs to this request alone: it was made for it.
    const start = handler.onRequestStart?.bind(handler);
    const onRequestStart: typeof handler.onRequestStart = (...given) => {
      assertMayStart(mayStart);
      start?.(...given);
    };
    return dispatch(options, Object.assign(handler, { onRequestStart }));
  };

const singleValues = (headers: Readonly<Record<string, string | string[] | undefined>>): TransportAnswer['headers'] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );

/** Ends the call with an error of code `timeout` after `ms`, or with the caller's reason. Leaves no timer and no listener behind. */
async function withDeadline<T>(ms: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal.reason);
  const timer = setTimeout(() => {
    controller.abort(Object.assign(new Error(`No complete answer within ${ms} ms`), { code: timeoutCode }));
  }, ms);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await call(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** @throws UsageError where certificates would not be looked at. */
export function refuseUnverifiedTls(): void {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return;
  throw new UsageError('Cannot connect: NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of certificates', {
    hint: 'Unset it; NODE_EXTRA_CA_CERTS adds a certificate authority of your own',
  });
}

export interface SlowReport {
  readonly clock: Pick<Clock, 'alarm'>;
  /** Deadline of a request, in ms: that of the transport. 90 s by default. */
  readonly requestTimeoutMs?: number;
  /** Called when a request has taken 10 s, with the time after which it is given up, in ms. */
  readonly onSlow: (leftMs: number) => void;
}

/** The same transport; a request that is slow is reported. For commands without progress. */
export const withSlowReport = (
  inner: Transport,
  { clock, requestTimeoutMs = usualRequestTimeoutMs, onSlow }: SlowReport,
): Transport => ({
  send: (request, signal) =>
    reportingSlow(() => inner.send(request, signal), { clock, onSlow: () => onSlow(requestTimeoutMs - slowAfterMs) }),
  close: () => inner.close(),
});
