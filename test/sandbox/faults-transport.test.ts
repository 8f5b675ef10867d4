import { describe, expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/lib/flow/clock.ts';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import type { FaultPlanInput } from '../../src/sandbox/fault-plan.ts';
import { createInProcessTransport } from '../../src/sandbox/in-process.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { classifyFault } from '../../src/service/classify.ts';
import { createHttpTransport } from '../../src/service/http-transport.ts';
import type { Transport, TransportRequest } from '../../src/service/transport.ts';
import { apiKey, direct } from './fixture.ts';

const never = new AbortController().signal;

const importOne: TransportRequest = {
  method: 'POST',
  path: '/v3/data_import/messages',
  headers: { apikey: apiKey, 'content-type': 'application/json' },
  body: JSON.stringify({ messages: { m1: direct('m1', { data: { text: 'ä😀'.repeat(50) } }) } }),
};

function faulty(plan: FaultPlanInput, clock: Clock = systemClock): FaultySandbox {
  const sandbox = new FaultySandbox({ store: openSandboxStore(':memory:'), apiKey, profile: 'spec', clock });
  onTestFinished(() => sandbox.close());
  sandbox.plan = plan;
  return sandbox;
}

async function overHttp(sandbox: FaultySandbox): Promise<Transport> {
  const server = await serveSandbox(sandbox);
  onTestFinished(() => server.close(0));
  const transport = createHttpTransport(new URL(server.url), { connections: 2, responseBytesMax: 4 * 1024 * 1024 });
  onTestFinished(() => transport.close());
  return transport;
}

/** Status and body, or the code of the fault. */
async function seen(transport: Transport): Promise<unknown> {
  try {
    const { status, headers, body } = await transport.send(importOne, never);
    const shown = { 'content-type': headers['content-type'], 'retry-after': headers['retry-after'] };
    return { status, headers: shown, body: body.replace(/"(?:createdAt|updatedAt)":\d+/g, '"createdAt":0') };
  } catch (fault) {
    return classifyFault(fault).code;
  }
}

const rules: FaultPlanInput['rules'] = [
  { answer: 'normal' },
  { answer: 'normal', delayMs: 20 },
  { answer: 'rate-limited', retryAfter: 3 },
  { answer: 'rate-limited', retryAfter: { text: '' } },
  { answer: 'error', status: 503, retryAfter: -1 },
  { answer: 'page', applied: 'whole' },
  { answer: 'redirect' },
  { answer: 'closed' },
  { answer: 'reset' },
  { answer: 'garbage' },
  { answer: 'endless' },
  { answer: 'cut', share: 0.5 },
  { answer: 'cut', share: 0 },
  { answer: 'cut', share: 0.5, framing: 'chunked' },
  { answer: 'cut', share: 0.31, framing: 'none' },
  { answer: 'slow', bytesPerSecond: 100_000 },
  { answer: 'slow', bytesPerSecond: 100_000, from: 'head' },
  { answer: 'hung-up' },
  { answer: 'invalid-json' },
  { answer: 'no-data' },
  { answer: 'keys-renamed' },
];

describe('a fault', () => {
  it.each(rules.map((rule) => [JSON.stringify(rule), rule] as const))(
    'looks the same in this process and over HTTP: %s',
    async (_, rule) => {
      const inProcess = await seen(createInProcessTransport(faulty({ rules: [rule] })));
      expect(await seen(await overHttp(faulty({ rules: [rule] })))).toEqual(inProcess);
    },
  );

  it('sends compressed bytes that were not requested', async () => {
    for (const open of [overHttp, createInProcessTransport]) {
      const transport = await open(faulty({ rules: [{ answer: 'gzip' }] }));
      const { headers, body } = await transport.send(importOne, never);
      expect(headers['content-encoding']).toBe('gzip');
      expect(body.startsWith('\u001f\ufffd')).toBe(true);
    }
  });

  it.each(['silent', 'stalled'] as const)('leaves the client waiting if it is "%s"', async (answer) => {
    for (const open of [overHttp, createInProcessTransport]) {
      const transport = await open(faulty({ rules: [{ answer }] }));
      await expect(transport.send(importOne, AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'TimeoutError' });
    }
  });

  it.each([
    [{ answer: 'silent' }, 'UND_ERR_HEADERS_TIMEOUT'],
    [{ answer: 'stalled' }, 'UND_ERR_BODY_TIMEOUT'],
    [{ answer: 'slow', bytesPerSecond: 1 }, 'timeout'],
  ] as const)('ends by the time limits of the client: %j', async (rule, code) => {
    const slept: number[] = [];
    const clock: Clock = { ...systemClock, sleep: async (ms) => void slept.push(ms) };
    expect(await seen(createInProcessTransport(faulty({ rules: [rule] }, clock), clock))).toBe(code);
    expect(slept).toEqual([code === 'timeout' ? 90_000 : 60_000]);
  });

  it('of a connection does not affect the next request', async () => {
    const sandbox = faulty({
      rules: [
        { answer: 'hung-up', times: 1 },
        { answer: 'reset', times: 1 },
      ],
    });
    const transport = await overHttp(sandbox);
    const answers: unknown[] = [];
    for (let n = 0; n < 4; n++) answers.push(await seen(transport));
    expect(answers.at(-1)).toMatchObject({ status: 200 });
    expect(sandbox.book.applied('m1').times).toBe(1);
  });
});
