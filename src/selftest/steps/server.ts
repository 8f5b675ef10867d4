import { setTimeout as wait } from 'node:timers/promises';
import type { FaultPlanInput } from '../../sandbox/fault-plan.ts';
import { type ChatferryProcess, type ProcessOptions, startChatferry } from './process.ts';

export interface ServerOptions extends Pick<ProcessOptions, 'program'> {
  readonly folder: string;
  readonly apiKey: string;
  /** Its data file, inside the folder. */
  readonly data: string;
  readonly duplicates: 'refused' | 'stored';
  readonly plan: FaultPlanInput;
}

/** `chatferry sandbox` in a process of its own, which can be killed and comes back at the same address with the same data. */
export interface Server {
  readonly url: string;
  /** Kills it with SIGKILL, and starts another one after `pauseMs`. Faults are drawn again. */
  restart(pauseMs: number): Promise<void>;
  /** Requests of all its lives, as its own book has them. */
  requests(): Promise<number>;
  close(): Promise<void>;
}

/** Attempts to start: another program may take the port while nothing listens there. */
const startsMax = 5;

/** @throws Error if it does not start. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const seed = options.plan.seed ?? 1;
  let lives = 0;
  let earlier = 0;
  let live = await start(options, '0', seed);
  const port = new URL(live.url).port;

  const counted = async () => {
    // A server that is about to be killed, or that was, need not answer.
    const answer = await fetch(`${live.url}/sandbox/book`, {
      headers: { apikey: options.apiKey },
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined);
    return answer?.ok ? sumRequests(((await answer.json()) as Book).data) : 0;
  };

  return {
    url: live.url,
    async restart(pauseMs) {
      earlier += await counted();
      live.process.kill();
      await live.process.ended;
      await wait(pauseMs);
      lives++;
      live = await start(options, port, (seed + lives) >>> 0);
    },
    requests: async () => earlier + (await counted()),
    async close() {
      live.process.stop();
      await live.process.ended;
    },
  };
}

/** The part of `GET /sandbox/book` that is read here. */
interface Book {
  readonly data: { readonly operations: Readonly<Record<string, { readonly requests: number }>> };
}

const sumRequests = ({ operations }: Book['data']): number =>
  Object.values(operations).reduce((sum, { requests }) => sum + requests, 0);

async function start(
  { folder, apiKey, data, duplicates, plan, program }: ServerOptions,
  port: string,
  seed: number,
): Promise<{ process: ChatferryProcess; url: string }> {
  const faults = JSON.stringify({ ...plan, seed });
  const args = ['sandbox', '--port', port, '--data', data, '--duplicates', duplicates, '--faults', faults];
  for (let starts = 1; ; starts++) {
    const process = startChatferry(args, { folder, apiKey, log: 'sandbox.log', mayBeSilent: true, program });
    const line = await process.line('Sandbox at ');
    const url = /http:\/\/[^,\s]+/.exec(line ?? '')?.[0];
    if (url !== undefined) return { process, url };
    const { lastWords } = await process.ended;
    if (starts === startsMax) throw new Error(`Cannot start the sandbox: ${lastWords.join(' ') || 'it said nothing'}`);
    await wait(200);
  }
}
