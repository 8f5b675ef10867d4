import { rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { makeFolder } from '../../../src/lib/files/make-folder.ts';
import { type ChatferryProcess, type Ended, startChatferry } from '../../../src/selftest/steps/process.ts';
import { childrenOf, sendSignal } from '../../process-family.ts';
import { program } from '../../program.ts';

/** A worker in a process of its own, with the processes of its leases. */
export interface ChaosWorker {
  readonly name: string;
  /** As the database knows it; nothing before it has said so. */
  id(): string | undefined;
  /** Not killed, not stopped, not ended. */
  isFree(): boolean;
  /** All of its processes at once, with everything on its disk. */
  kill(): Promise<void>;
  /** None of its processes does anything. */
  pause(): void;
  resume(): void;
  /** As a deployment ends it. */
  end(): Promise<Ended>;
  /** Sends that were refused because another has the unit, as it was last asked. */
  fenced(): number;
  /** Asks for its metrics; who does not answer is asked the next time. */
  ask(): Promise<void>;
}

export interface WorkerOptions {
  readonly folder: string;
  readonly name: string;
  readonly apiKey: string;
  /** `fleet:`, but for `work`. */
  readonly fleet: object;
  readonly leases: number;
  /** Called if the worker ended without a request. */
  readonly onEnded: (ended: Ended) => void;
}

export async function startWorker(options: WorkerOptions): Promise<ChaosWorker> {
  const { name, apiKey, fleet, leases } = options;
  const folder = join(options.folder, name);
  makeFolder(folder);
  // JSON is YAML.
  writeFileSync(join(folder, 'chatferry.yaml'), JSON.stringify({ fleet: { ...fleet, work: join(folder, 'work') } }));
  const port = await freePort();
  const child = startChatferry(
    ['worker', '--config', 'chatferry.yaml', '--leases', String(leases), '--listen', `127.0.0.1:${port}`],
    { folder, apiKey, log: `../${name}.log`, mayBeSilent: true, program },
  );
  return new RunningWorker(child, folder, port, options);
}

class RunningWorker implements ChaosWorker {
  readonly name: string;
  readonly #child: ChatferryProcess;
  readonly #folder: string;
  readonly #port: number;
  #id: string | undefined;
  #state: 'free' | 'paused' | 'gone' = 'free';
  #paused: readonly number[] = [];
  #fenced = 0;

  constructor(child: ChatferryProcess, folder: string, port: number, { name, onEnded }: WorkerOptions) {
    this.name = name;
    this.#child = child;
    this.#folder = folder;
    this.#port = port;
    void child.line('at a time').then((line) => (this.#id = /(\S+): \d+ leases? at a time/.exec(line ?? '')?.[1]));
    void child.ended.then((ended) => {
      if (this.#state !== 'gone') onEnded(ended);
      this.#state = 'gone';
    });
  }

  id = () => this.#id;
  isFree = () => this.#state === 'free' && this.#id !== undefined;
  fenced = () => this.#fenced;

  async kill(): Promise<void> {
    this.#state = 'gone';
    for (const pid of this.#family()) sendSignal(pid, 'SIGKILL');
    await this.#child.ended;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  pause(): void {
    this.#state = 'paused';
    this.#paused = this.#family();
    for (const pid of this.#paused) sendSignal(pid, 'SIGSTOP');
  }

  /** Continues the processes of leases first: they have no running worker yet that could notify them. */
  resume(): void {
    for (const pid of this.#paused.toReversed()) sendSignal(pid, 'SIGCONT');
    this.#state = 'free';
  }

  async end(): Promise<Ended> {
    this.#state = 'gone';
    this.#child.stop();
    return await this.#child.ended;
  }

  async ask(): Promise<void> {
    if (!this.isFree()) return;
    const answer = await fetch(`http://127.0.0.1:${this.#port}/metrics`, { signal: AbortSignal.timeout(1_000) })
      .then((response) => response.text())
      .catch(() => '');
    const [, count] = /^chatferry_fleet_fenced_total (\d+)/m.exec(answer) ?? [];
    if (count !== undefined) this.#fenced = Number(count);
  }

  /** The worker, and what it has started. */
  #family(): readonly number[] {
    return [this.#child.pid, ...childrenOf(this.#child.pid)];
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
