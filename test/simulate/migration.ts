import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openLaneClaims } from '../../src/store/destinations.ts';
import type { Clock } from '../../src/lib/flow/clock.ts';
import { listedWithinMs } from '../../src/service/profiles.ts';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import type { SandboxStore } from '../../src/sandbox/store.ts';
import type { Broken } from './broken.ts';
import { apiKey, type ClientOptions, sendAsClient, type Verified, verifyAsClient } from './client.ts';
import { Dice } from './dice.ts';
import { emptySandbox } from './empty-sandbox.ts';
import { writeForeign } from './foreign.ts';
import { Life } from './life.ts';
import { Machine } from './machine.ts';
import { Network } from './network.ts';
import { hasDeactivations, type LifePlan, type Schedule } from './schedule.ts';
import { type Existing, openArrivals, openDeactivations, writeExisting } from './directory.ts';
import { totalsOf, forgetIntents, lateIds, type StoreTotals } from './store-facts.ts';
import type { Template } from './template.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** A run that comes to no end in this time hangs. The longest wait of a run is some ten minutes. */
const runMaxMs = 24 * 3_600_000;
/** Maximum number of undisturbed runs until nothing is left to do. One may stop early if the service asks for a pause or a new key. */
const runsMax = 40;
/** Time in which a person looks at a run that stopped, and moves to another machine. */
const betweenRunsMs = 10 * 60_000;
/** More than any simulation needs: a client that makes more runs in circles, and gets no more answers. */
const requestsMax = 5000;

export interface MigrationOptions {
  readonly seed: number;
  readonly schedule: Schedule;
  readonly template: Template;
  readonly world: VirtualClock;
  /** Called for each event, with one line. */
  readonly log: (line: string) => void;
  readonly broken?: Broken | undefined;
}

/** One migration: a service, machines, the network between them, and lives of a client, one after the other. */
export class Migration {
  readonly sandboxStore: SandboxStore;
  readonly sandbox: FaultySandbox;
  kills = 0;
  requests = 0;
  /** Errors in the totals, in words. */
  readonly complaints: string[] = [];
  /** Ids, in the export, of messages that any store named as late. */
  readonly late = new Set<string>();
  /** People, groups and members that the service had before. */
  readonly existing: Existing;
  readonly #options: MigrationOptions;
  readonly #machines: readonly [Machine, Machine];
  readonly #network: Network;
  readonly #dice: Dice;
  /** Copies of the first machine, at the end of each life. */
  readonly #copies: Buffer[] = [];
  #wallAheadMs = 0;
  /** Numbers of the machines on which a client lives. */
  readonly #atWork = new Set<number>();
  readonly #claims: string | undefined;

  constructor(options: MigrationOptions) {
    const { schedule, template, world, seed } = options;
    this.#options = options;
    this.#dice = new Dice(seed ^ 0x5eed);
    if (schedule.areTogether) this.#claims = join(mkdtempSync(join(tmpdir(), 'chatferry-claims-')), 'pace.db');
    this.#machines = [new Machine(template.image), new Machine(template.image)];
    this.sandboxStore = emptySandbox();
    this.sandbox = new FaultySandbox({
      store: this.sandboxStore,
      apiKey,
      profile: schedule.sandboxProfile,
      clock: world,
    });
    this.existing = writeExisting(
      this.sandbox,
      this.sandboxStore.db,
      apiKey,
      template.arrivals,
      schedule,
      new Dice(seed ^ 0xd1f),
    );
    this.sandbox.plan = schedule.plan;
    this.#network = new Network({
      sandbox: this.sandbox,
      world,
      latencyMaxMs: schedule.latencyMaxMs,
      answerBytesMax: schedule.answerBytesMax,
      dice: this.#dice.fork(),
      onRequest: ({ method, path }, what) => {
        this.requests++;
        if (this.requests === requestsMax) this.#network.halt();
        if (path.endsWith('/data_import/messages') && openArrivals(this.#machines[0].db) > 0)
          this.complaints.push('A message left before people and groups');
        this.#log(`${method} ${path} ${what}`);
      },
    });
  }

  /** @returns Whether it came to an end. */
  async run(): Promise<boolean> {
    const { lives, areTogether, poisonShare } = this.#options.schedule;
    if (areTogether) {
      const ends = await Promise.all(lives.map((plan) => this.#live(plan)));
      this.#log(`lives end: ${ends.join(', ')}`);
      if (ends.includes('hung')) return false;
    } else
      for (const [number, plan] of lives.entries()) {
        await this.#prepare(plan);
        const end = await this.#live(plan);
        if (lives.some(({ copyOf }) => copyOf === number)) this.#copies[number] = this.#machines[0].image();
        this.#log(`life ${number} ends: ${end}`);
        if (end === 'hung') return false;
      }
    let left = Infinity;
    for (let runs = 0; runs < runsMax; runs++) {
      await this.#options.world.sleep(betweenRunsMs);
      const { pending: before } = this.totals();
      // A person who knows that the service is well, and sees that a run changed nothing, decides.
      const oneByOne = poisonShare > 0 && before === left;
      const end = await this.#live(undisturbed, oneByOne);
      this.#log(`run ends: ${end}${oneByOne ? ', one by one' : ''}`);
      if (end === 'hung') return false;
      const { pending, unconfirmed } = this.totals();
      const { db } = this.#machines[0];
      const isSent = pending + unconfirmed + openArrivals(db) === 0;
      if (isSent && (!hasDeactivations(this.#options.schedule) || openDeactivations(db) === 0)) return true;
      left = pending;
    }
    return false;
  }

  /** Returns the totals of the machine that finishes. */
  totals(): StoreTotals {
    return totalsOf(this.#machines[0].db);
  }

  get store(): Machine {
    return this.#machines[0];
  }

  /** Nothing is broken any more, and whatever was still on its way has arrived and can be seen. */
  async settle(): Promise<void> {
    const { world, schedule } = this.#options;
    this.sandbox.plan = { ...schedule.plan, rules: [] };
    await world.sleep(600_000);
  }

  /** Returns the result of reading everything back. */
  async verify(): Promise<Verified> {
    const life = new Life(Infinity);
    const { broken: _, ...client } = this.#client(life, this.#machines[0]);
    return await verifyAsClient(client);
  }

  async close(): Promise<void> {
    this.#options.world.stop();
    for (const machine of this.#machines) machine.close();
    if (this.#claims) rmSync(dirname(this.#claims), { recursive: true });
    await this.sandbox.close();
  }

  async #prepare({ gapMs, jumpMs, copyOf, outageMs, foreignCount }: LifePlan): Promise<void> {
    const { world, template } = this.#options;
    await world.sleep(gapMs);
    this.#wallAheadMs += jumpMs;
    if (copyOf !== undefined) {
      this.#machines[0].restore(this.#copies[copyOf] ?? template.image);
      this.#log(`the store as it was at the end of life ${copyOf} is put back`);
    }
    if (foreignCount > 0) writeForeign(this.sandbox, apiKey, this.#dice, foreignCount);
    if (outageMs > 0) void this.#network.restart(outageMs);
  }

  /** One run of the client, until it ends or dies; then its books are looked at. */
  async #live(
    { moments, ending, machine, jumpInsideMs }: Ending,
    oneByOne = false,
  ): Promise<'finished' | 'stopped' | 'died' | 'hung'> {
    const { world, broken } = this.#options;
    const stopping = new AbortController();
    const cutting = new AbortController();
    let passed = 0;
    const life = new Life(ending === 'kill' ? moments : Infinity, () => {
      world.touch();
      passed++;
      if (passed === Math.floor(moments / 2)) this.#wallAheadMs += jumpInsideMs;
      if (passed !== moments || ending === 'kill') return;
      stopping.abort(new Error('stopped'));
      if (ending === 'cut') cutting.abort(new Error('cut'));
    });
    const hung = new AbortController();
    const isHung = () => 'hung' as const;
    const client = this.#client(life, this.#machines[machine]);
    this.#atWork.add(machine);
    const end = await Promise.race([
      this.#send(client, { stopping: stopping.signal, signal: cutting.signal }, oneByOne),
      life.death,
      world.sleep(runMaxMs, hung.signal).then(isHung, isHung),
    ]);
    hung.abort();
    this.#atWork.delete(machine);
    const { db } = this.#machines[machine];
    if (life.isOver) {
      this.kills++;
      if (broken === 'no-intent') forgetIntents(db);
    }
    for (const id of lateIds(db)) this.late.add(id);
    const { complaint } = totalsOf(db);
    if (complaint) this.complaints.push(complaint);
    return end;
  }

  async #send(
    client: ClientOptions,
    signals: Parameters<typeof sendAsClient>[1],
    oneByOne: boolean,
  ): Promise<'finished' | 'stopped'> {
    const { stopped } = await sendAsClient(client, signals, { oneByOne });
    if (stopped) this.#log(`stopped: ${stopped.message}`);
    return stopped ? 'stopped' : 'finished';
  }

  #client(life: Life, machine: Machine): ClientOptions {
    const { world, schedule, broken } = this.#options;
    const clock = life.clock(world, () => this.#wallAheadMs);
    return {
      schedule,
      broken,
      store: machine.store(life),
      transport: this.#network.transport(life),
      clock,
      ...(this.#claims && { openClaims: this.#claimsOf(this.#claims, machine, clock) }),
      random: this.#dice.fork().next,
    };
  }

  /** Two machines here are two processes of one user. */
  #claimsOf(path: string, machine: Machine, clock: Clock): NonNullable<ClientOptions['openClaims']> {
    const owner = String(this.#machines.indexOf(machine));
    const isAtWork = (other: string) => this.#atWork.has(Number(other));
    return (grace) => {
      const graces = { ...grace, graceShortMs: listedWithinMs(grace) };
      return openLaneClaims({ path, address: 'simulated', owner, isAtWork, clock, ...graces });
    };
  }

  #log(line: string): void {
    this.#options.log(`${this.#options.world.now()} ${line}`);
  }
}

type Ending = Pick<LifePlan, 'moments' | 'ending' | 'machine' | 'jumpInsideMs'>;

const undisturbed: Ending = { moments: Infinity, ending: 'kill', machine: 0, jumpInsideMs: 0 };
