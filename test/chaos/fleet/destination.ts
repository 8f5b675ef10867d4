import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { appendFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../../src/lib/flow/clock.ts';
import { openSandboxStore } from '../../../src/sandbox/store.ts';
import { FaultySandbox } from '../../../src/sandbox/faults.ts';
import type { FaultPlanInput } from '../../../src/sandbox/fault-plan.ts';
import { send } from '../../../src/sandbox/serve/on-socket.ts';
import type { TransportRequest } from '../../../src/service/transport.ts';

/** An import as the destination saw it. */
export interface SeenImport {
  /** When its head arrived, ms since 1970. */
  readonly atMs: number;
  readonly lanes: readonly string[];
  /** Conversations for which another import was still unanswered. */
  readonly overlapping: readonly string[];
}

export interface DestinationOptions {
  /** Messages as they are stored. */
  readonly data: string;
  /** A line for every import. */
  readonly record: string;
  readonly apiKey: string;
  readonly seed: number;
}

const importsOnly = { operations: ['importMessages' as const] };

/** One import in twenty, and some that take their time: a kill finds them on their way. */
const planOf = (seed: number): FaultPlanInput => ({
  seed,
  rules: [
    { ...importsOnly, answer: 'reset', applied: 'whole', probability: 0.015 },
    { ...importsOnly, answer: 'closed', applied: 'nothing', probability: 0.01 },
    { ...importsOnly, answer: 'error', applied: 'first-part', probability: 0.01 },
    { ...importsOnly, answer: 'keys-missing', probability: 0.005 },
    { ...importsOnly, answer: 'page', status: 504, applied: 'whole', probability: 0.01 },
    { ...importsOnly, answer: 'normal', delayMs: 700, probability: 0.3 },
  ],
  inARowMax: 2,
});

/** A chat service that stores a message again when it is sent again, and writes down what arrives when. */
export async function serveDestination({ data, record, apiKey, seed }: DestinationOptions) {
  const store = openSandboxStore(data, { synchronous: 'NORMAL' });
  const sandbox = new FaultySandbox({ store, apiKey, profile: 'spec', duplicates: 'stored', clock: systemClock });
  sandbox.plan = planOf(seed);
  const open = new Map<string, number>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const atMs = performance.timeOrigin + performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const taken = takenOf(request, Buffer.concat(chunks));
    if (taken.path.startsWith('/v3/data_import/')) {
      const lanes = lanesOf(taken);
      const overlapping = lanes.filter((lane) => open.has(lane));
      for (const lane of lanes) open.set(lane, (open.get(lane) ?? 0) + 1);
      const end = onceOnly(() => {
        for (const lane of lanes) {
          const count = open.get(lane)! - 1;
          if (count === 0) open.delete(lane);
          else open.set(lane, count);
        }
      });
      response.on('finish', end).on('close', end);
      appendFileSync(record, `${JSON.stringify({ atMs, lanes, overlapping } satisfies SeenImport)}\n`);
    }
    await send(response, sandbox.deliver(taken), systemClock);
  };
  const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    // Who is killed while it sends gets no answer.
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await sandbox.close();
    },
  };
}

const takenOf = ({ method, url = '/', headers }: IncomingMessage, body: Buffer): TransportRequest => ({
  method: method as TransportRequest['method'],
  path: url,
  headers: Object.fromEntries(
    Object.entries(headers).filter((one): one is [string, string] => typeof one[1] === 'string'),
  ),
  body,
});

/** Returns the conversations of the messages in an import: the group, or the two people. */
function lanesOf({ body }: TransportRequest): readonly string[] {
  const { messages } = JSON.parse(String(body)) as {
    messages: Record<string, { sender: string; receiver: string; receiverType: string }>;
  };
  const lanes = Object.values(messages).map(({ sender, receiver, receiverType }) =>
    receiverType === 'group' ? `group_${receiver}` : [sender, receiver].sort().join('_user_'),
  );
  return [...new Set(lanes)];
}

const onceOnly = (work: () => void) => {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
};
