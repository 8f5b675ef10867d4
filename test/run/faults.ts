import { setImmediate as turn } from 'node:timers/promises';
import type { Sandbox } from '../../src/sandbox/app.ts';
import type { Transport, TransportAnswer, TransportRequest } from '../../src/service/transport.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What becomes of one request on its way. */
export type Fault =
  | 'none'
  /** Surely not applied. */
  | 'refused-connection'
  | 'rate-limited'
  /** Applied, and the answer is lost. */
  | 'applied-reset'
  | 'applied-500'
  | 'applied-504'
  | 'applied-cut'
  | 'keys-missing'
  /** Not applied, and nobody knows. */
  | 'lost-reset'
  | 'lost-504'
  /** The first messages were applied, the others not. */
  | 'half-500'
  /** A gateway gives up, and the service applies the request while the grace runs. */
  | 'late-504'
  /** Only the last message was applied. */
  | 'last-only-reset'
  /** Somebody else imports the same messages a moment earlier. */
  | 'overtaken';

export interface FaultyOptions {
  readonly sandbox: Sandbox;
  readonly clock: VirtualClock;
  /** What happens to the next import request, which holds these muids. */
  readonly importFault: (muids: readonly string[]) => Fault | TransportAnswer;
  readonly readFault?: () => 'none' | 'reset' | 'unavailable' | 'rate-limited';
  readonly random: () => number;
  /** A late request is applied within this, in ms. */
  readonly lateMs: number;
  /** Muids that the service refuses, each with an answer of its own. */
  readonly refused?: ReadonlySet<string>;
  /** Muids that the service neither stores nor mentions. */
  readonly ignored?: ReadonlySet<string>;
}

/** The muids of each import request that left, in order. */
export interface FaultyTransport extends Transport {
  readonly imports: readonly (readonly string[])[];
}

/** Carries requests into a sandbox, through a network that breaks where it is told to. */
export function faultyTransport(options: FaultyOptions): FaultyTransport {
  const { sandbox, clock, random, lateMs, refused = new Set<string>(), ignored = new Set<string>() } = options;
  const imports: string[][] = [];

  function sendImport(request: TransportRequest): TransportAnswer {
    const items = (JSON.parse(String(request.body)) as { messages: Record<string, unknown> }).messages;
    const muids = Object.keys(items);
    imports.push(muids);
    const fault = options.importFault(muids);
    if (typeof fault !== 'string') return fault;
    const applyTo = (some: readonly string[]) => {
      const taken = some.filter((muid) => !refused.has(muid) && !ignored.has(muid));
      const answer = taken.length > 0 ? sandbox.handle({ ...request, body: bodyOf(items, taken) }) : nothingAnswered;
      return withRefusals(
        answer,
        some.filter((muid) => refused.has(muid)),
      );
    };
    const apply = (count = muids.length) => applyTo(muids.slice(0, count));
    switch (fault) {
      case 'none':
        return apply();
      case 'refused-connection':
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
      case 'rate-limited':
        return serviceError(429, 'ERR_TOO_MANY_REQUESTS', { 'retry-after': '3' });
      case 'applied-reset':
        apply();
        throw reset();
      case 'applied-500':
        apply();
        return serviceError(500, 'ERR_EXCEPTION');
      case 'applied-504':
        apply();
        return gatewayPage;
      case 'applied-cut': {
        const answer = apply();
        return { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length * random())) };
      }
      case 'keys-missing':
        return withoutSomeKeys(apply(), random);
      case 'lost-reset':
        throw reset();
      case 'lost-504':
        return gatewayPage;
      case 'half-500':
        apply(Math.max(1, Math.floor(muids.length * random())));
        return serviceError(500, 'ERR_EXCEPTION');
      case 'late-504':
        clock.after(lateMs * random(), () => apply());
        return gatewayPage;
      case 'last-only-reset':
        applyTo(muids.slice(-1));
        throw reset();
      case 'overtaken':
        apply();
        return apply();
    }
  }

  function sendRead(request: TransportRequest): TransportAnswer {
    const fault = options.readFault?.() ?? 'none';
    if (fault === 'reset') throw reset();
    if (fault === 'unavailable') return { status: 503, headers: {}, body: '<html>busy</html>' };
    if (fault === 'rate-limited') return serviceError(429, 'ERR_TOO_MANY_REQUESTS');
    return sandbox.handle(request);
  }

  return {
    imports,
    send: (request, signal) =>
      clock.busy(async () => {
        await turn();
        signal.throwIfAborted();
        return request.method === 'POST' ? sendImport(request) : sendRead(request);
      }),
    async close() {},
  };
}

const bodyOf = (items: Readonly<Record<string, unknown>>, muids: readonly string[]): string =>
  JSON.stringify({ messages: Object.fromEntries(muids.map((muid) => [muid, items[muid]])) });

const reset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });

const gatewayPage: TransportAnswer = {
  status: 504,
  headers: { 'content-type': 'text/html' },
  body: '<html><h1>504 Gateway Time-out</h1></html>',
};

export const serviceError = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): TransportAnswer => ({
  status,
  headers,
  body: JSON.stringify({ error: { code, message: `Something about ${code}` } }),
});

const nothingAnswered: TransportAnswer = { status: 200, headers: {}, body: '{"data":{}}' };

function withRefusals(answer: TransportAnswer, muids: readonly string[]): TransportAnswer {
  if (muids.length === 0) return answer;
  const { data } = JSON.parse(answer.body) as { data: Record<string, unknown> };
  const error = { code: 'ERR_NOT_TODAY', message: 'Not today' };
  const refusals = Object.fromEntries(muids.map((muid) => [muid, { success: false, error }]));
  return { ...answer, body: JSON.stringify({ data: { ...data, ...refusals } }) };
}

function withoutSomeKeys(answer: TransportAnswer, random: () => number): TransportAnswer {
  const { data } = JSON.parse(answer.body) as { data: Record<string, unknown> };
  const kept = Object.entries(data).filter(() => random() < 0.6);
  return { ...answer, body: JSON.stringify({ data: Object.fromEntries(kept) }) };
}
