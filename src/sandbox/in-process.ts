import { gzipSync } from 'node:zlib';
import { type Clock, systemClock } from '../lib/flow/clock.ts';
import { assertMayStart, type Transport, type TransportAnswer, type TransportRequest } from '../service/transport.ts';
import { type AnySandbox, deliver, type Delivery, type Transfer } from './operations/delivery.ts';

interface Waiting extends PromiseWithResolvers<Delivery> {
  readonly request: TransportRequest;
  readonly signal: AbortSignal;
}

/**
 * Creates a transport that passes requests to a sandbox of this process. Each request waits for a turn of the event
 * loop first, as on a socket: otherwise a long import would keep timers and signals waiting until its end. Those of the
 * same turn are stored together: a commit takes as long as all messages in it.
 *
 * With a faulty sandbox, the result is the same as with the HTTP transport. Closing the transport leaves the sandbox
 * open.
 */
export function createInProcessTransport(sandbox: AnySandbox, clock: Clock = systemClock): Transport {
  const waiting: Waiting[] = [];
  const handle = () => {
    const requests = waiting.splice(0).filter(isStillWanted);
    const deliverAll = () => requests.map(({ request }) => deliver(sandbox, request));
    try {
      const deliveries = 'together' in sandbox ? sandbox.together(deliverAll) : deliverAll();
      for (const [index, { resolve }] of requests.entries()) resolve(deliveries[index]!);
    } catch (error) {
      for (const { reject } of requests) reject(error);
    }
  };
  return {
    async send(request, signal) {
      const one = { request, signal, ...Promise.withResolvers<Delivery>() };
      if (waiting.push(one) === 1) setImmediate(handle);
      return receive(await one.promise, clock, signal);
    },
    async close() {},
  };
}

function isStillWanted({ request, signal, reject }: Waiting): boolean {
  try {
    signal.throwIfAborted();
    assertMayStart(request.mayStart);
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

/** How long the HTTP transport waits for headers, and between two pieces of a body. */
const silenceMs = 60_000;

/** How long it waits for a whole answer. */
const deadlineMs = 90_000;

type Answered = Extract<Delivery, { readonly kind: 'answered' }>;

/** Turns a delivery into the result of the HTTP transport: its answer, or an error with its code (undici 8.12). */
export async function receive(delivery: Delivery, clock: Clock, signal: AbortSignal): Promise<TransportAnswer> {
  if (delivery.delayMs > 0) await clock.sleep(delivery.delayMs, signal);
  if (delivery.kind === 'answered') return receiveAnswer(delivery, clock, signal);
  switch (delivery.how) {
    case 'closed':
      throw closed();
    case 'reset':
      throw buildFault('ECONNRESET', 'read ECONNRESET', { syscall: 'read' });
    case 'silent':
      await clock.sleep(silenceMs, signal);
      throw buildFault('UND_ERR_HEADERS_TIMEOUT', 'Headers Timeout Error');
    case 'garbage':
      throw Object.assign(new Error('Parse Error: Expected HTTP/'), { name: 'HTTPParserError' });
    case 'endless':
      throw buildFault('UND_ERR_RES_EXCEEDED_MAX_SIZE', 'Response content exceeded max size');
  }
}

async function receiveAnswer(
  { answer, transfer }: Answered,
  clock: Clock,
  signal: AbortSignal,
): Promise<TransportAnswer> {
  switch (transfer.way) {
    case 'cut':
      if (transfer.framing !== 'none') throw closed();
      return { ...answer, body: firstPart(answer.body, transfer.share) };
    case 'stalled':
      await clock.sleep(silenceMs, signal);
      throw buildFault('UND_ERR_BODY_TIMEOUT', 'Body Timeout Error');
    case 'slow':
      await trickle(Buffer.byteLength(answer.body), transfer, clock, signal);
      return answer;
    case 'gzip':
      return {
        ...answer,
        headers: { ...answer.headers, 'content-encoding': 'gzip' },
        body: gzipSync(answer.body).toString(),
      };
    case 'hung-up':
    case 'whole':
      return answer;
  }
}

async function trickle(
  byteCount: number,
  { bytesPerSecond }: Extract<Transfer, { readonly way: 'slow' }>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const ms = (byteCount / bytesPerSecond) * 1000;
  await clock.sleep(Math.min(ms, deadlineMs), signal);
  if (ms > deadlineMs) throw buildFault('timeout', `No complete answer within ${deadlineMs} ms`);
}

const firstPart = (body: string, share: number): string => {
  const bytes = Buffer.from(body);
  return bytes.subarray(0, Math.floor(bytes.length * share)).toString();
};

const closed = () => buildFault('UND_ERR_SOCKET', 'other side closed');

const buildFault = (code: string, message: string, more: object = {}): Error =>
  Object.assign(new Error(message), { code, ...more });
