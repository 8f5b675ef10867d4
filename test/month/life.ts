/**
 * One life of `chatferry sync` in a month of virtual time, in a process of its own: the scheduler, the jobs, their stores on disk,
 * and the service behind a network that breaks. Killed by SIGKILL at an instant that its seed decides; what is on disk stays.
 *
 *     node life.ts '{"folder": …, "seed": …, "killAfter": 300}'
 */
import type { Store } from '../../src/store/open.ts';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Job, jobFor } from '../../src/sync/job.ts';
import { loadSyncFile } from '../../src/sync/sync-file.ts';
import { Secret } from '../../src/lib/secret.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { Dice } from '../simulate/dice.ts';
import { faultRules } from '../simulate/fault-rules.ts';
import { Life } from '../simulate/life.ts';
import { Network } from '../simulate/network.ts';
import { VirtualClock } from '../simulate/virtual-clock.ts';
import type { JobResult, SyncListener } from '../../src/sync/job-result.ts';
import { runJob } from '../../src/sync/run-job.ts';
import { runScheduler } from '../../src/sync/scheduler.ts';
import { openJobState } from '../../src/sync/job-state.ts';
import { paceOf, profileOf, type Target, type TargetOptions } from '../../src/delivery/target.ts';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { DeliveryClient } from '../../src/service/delivery-client.ts';
import { Application } from './application.ts';
import { dropArchives } from './archives.ts';
import { type LifeOptions, serviceAddress, serviceKey, worldsOf } from './month.ts';
import { monthEndMs, monthStartMs, outage } from './world.ts';
import { writeExport } from './write-export.ts';

const options = JSON.parse(process.argv[2]!) as LifeOptions;
const { folder, seed, killAfter } = options;
process.chdir(folder);
process.env.CHATFERRY_STATE_DIR = join(folder, 'state');

const hourMs = 3_600_000;
const dice = new Dice(seed);
const clock = new VirtualClock(startMs());
const worlds = worldsOf(options.worldSeed);
let momentsLeft = killAfter ?? Number.POSITIVE_INFINITY;
let runsGoingOn = 0;

/** Returns the end of the last life, plus the time until the next one is started. */
function startMs(): number {
  const path = join(folder, 'now');
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) + options.gapMs : monthStartMs;
}

/** Records an event at once: a killed process can record nothing afterwards. */
function note(line: object): void {
  appendFileSync('journal.ndjson', `${JSON.stringify({ atMs: clock.now(), ...line })}\n`);
  writeFileSync('now', String(clock.now()));
}

/** An instant at which a kill may come: while a job runs. */
function moment(): void {
  if (runsGoingOn === 0) return;
  momentsLeft--;
  if (momentsLeft > 0) return;
  note({ what: 'kill' });
  process.kill(process.pid, 'SIGKILL');
}

const sandbox = new FaultySandbox({
  store: openSandboxStore('service.db'),
  apiKey: serviceKey,
  profile: 'hosted',
  clock,
});
const isStoring = options.worldSeed % 2 === 1;
sandbox.plan = {
  seed,
  // Refusals for the rate are the sandbox's own: there should be none. Nor is a stop of interest: a person would have to come.
  rules: faultRules(dice, { storesDuplicates: isStoring, lateMs: 60_000 }).filter(
    ({ answer }) => answer !== 'rate-limited' && answer !== 'redirect',
  ),
  inARowMax: 2,
  duplicates: isStoring ? 'stored' : 'refused',
};

/** Time passes for sleepers on this clock, and a kill may come each time it does. */
const clockOfLife = {
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  uptime: () => clock.uptime(),
  async sleep(ms: number, signal?: AbortSignal) {
    await clock.sleep(ms, signal);
    moment();
  },
};

const network = new Network({
  sandbox,
  world: clock,
  latencyMaxMs: 1500,
  dice: dice.fork(),
  onRequest: ({ method, path }, what) => {
    note({ what: 'request', method, path: path.split('?', 1)[0], answer: what });
    moment();
  },
});

function openTarget(store: Store, request: TargetOptions): Promise<Target> {
  const profile = profileOf(request);
  const client = new DeliveryClient({
    transport: network.transport(new Life(Number.POSITIVE_INFINITY)),
    apiKey: new Secret(serviceKey),
    clock: clockOfLife,
  });
  const nowMs = clock.now();
  return Promise.resolve({
    id: store.destinations.use({
      address: serviceAddress,
      name: serviceAddress,
      profile: profile.name,
      nowMs,
    }),
    name: serviceAddress,
    isEmbedded: false,
    profile,
    client,
    openPace: (onWait) => paceOf(serviceAddress, profile, request, onWait),
    async close() {},
  });
}

/**
 * Runs a job in the month. Files are read and written in real time, so the clock stops from the beginning of a run to
 * its end. It continues while the run sends requests to the service, and whenever it sleeps.
 */
function runInMonth(job: Job, context: Parameters<typeof runJob>[1]): ReturnType<typeof runJob> {
  const stillness = stillnesses.get(job.config.name)!;
  const own: Job = {
    config: job.config,
    request: async () => ({
      ...(await job.request()),
      async openTarget(store: Store, request: TargetOptions) {
        const target = await openTarget(store, request);
        stillness.end();
        return { ...target, close: async () => stillness.begin() };
      },
    }),
  };
  const sleep = (ms: number, signal?: AbortSignal) => stillness.without(() => clockOfLife.sleep(ms, signal));
  return runJob(own, { ...context, clock: { ...clockOfLife, sleep } });
}

class Stillness {
  #end: (() => void) | undefined;

  begin(): void {
    if (this.#end) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#end = resolve;
    void clock.busy(() => promise);
  }

  end(): void {
    this.#end?.();
    this.#end = undefined;
  }

  async without<T>(work: () => Promise<T>): Promise<T> {
    const wasStill = this.#end !== undefined;
    this.end();
    try {
      return await work();
    } finally {
      if (wasStill) this.begin();
    }
  }
}

const stillnesses = new Map<string, Stillness>();

const listener: SyncListener = {
  runStarted(job, { number, cause }) {
    runsGoingOn++;
    stillnesses.set(job, new Stillness());
    stillnesses.get(job)!.begin();
    note({ what: 'begin', job, number, cause });
  },
  runEnded({ job, number, exit, added, remaining, stopped, verify }: JobResult) {
    note({ what: 'end', job, number, exit, brought: added, left: remaining, stopped, verify });
    moment();
    runsGoingOn--;
    stillnesses.get(job)!.end();
  },
};

/** The old systems go on: what they say is there at every full hour, and when a life begins. */
async function liveOn(signal: AbortSignal): Promise<void> {
  mkdirSync('dropped', { recursive: true });
  const application = new Application('app.sqlite');
  for (;;) {
    writeExport('export', worlds.old.filesAt(clock.now()));
    dropArchives('dropped', worlds.archived, clock.now());
    application.write(worlds.app, clock.now());
    const nextMs = (Math.floor(clock.now() / hourMs) + 1) * hourMs;
    await clock.sleep(nextMs - clock.now(), signal);
  }
}

async function breakDown(signal: AbortSignal): Promise<void> {
  await clock.sleep(Math.max(0, outage.fromMs - clock.now()), signal);
  if (clock.now() < outage.toMs) await network.restart(outage.toMs - clock.now());
}

const { jobs, sync } = loadSyncFile({ flags: {}, env: {}, configPath: 'chatferry.yaml' });
const stopping = new AbortController();
const beside = [liveOn(stopping.signal), breakDown(stopping.signal)].map((work) => work.catch(() => {}));
void clock.sleep(monthEndMs - clock.now()).then(() => stopping.abort(new Error('the month is over')));
const state = openJobState(sync.state, clock.now());
await runScheduler(
  jobs.map((job) => jobFor({ env: process.env }, job)),
  {
    state,
    clock: clockOfLife,
    random: dice.next,
    progress: silent,
    env: {},
    listener,
    stopping: stopping.signal,
    signal: new AbortController().signal,
    stopExit: () => 143,
    onFault: (error) => note({ what: 'fault', stack: (error as Error).stack }),
    run: runInMonth,
  },
);
await Promise.all(beside);
note({ what: 'over' });
state.close();
clock.stop();
await sandbox.close();
