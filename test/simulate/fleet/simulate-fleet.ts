import { compare } from '../../../src/selftest/steps/compare.ts';
import { Dice } from '../dice.ts';
import { type Schedule, scheduleOf } from '../schedule.ts';
import { totalsOf, idsIn, lateIds } from '../store-facts.ts';
import { templateOf } from '../template.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { Bucket } from './bucket.ts';
import { Connection } from './database.ts';
import { accidentsOf, type Accident } from './accidents.ts';
import { FleetModel } from './model.ts';
import { StoppableLife } from './process.ts';
import { FleetUnit } from './unit.ts';
import { type BrokenFleet, SimulatedWorker } from './worker.ts';

export interface FleetLedger {
  readonly seed: number;
  readonly accidents: number;
  /** Leases that a worker lost to another. */
  readonly takeovers: number;
  readonly requests: number;
  /** Totals of all units, compared with the expected messages. */
  readonly lost: number;
  readonly duplicated: number;
  readonly unexpected: number;
  readonly outOfOrder: number;
  /** Requests that were in flight together with another one with messages of the same conversation. */
  readonly sideBySide: number;
  /** Requests beyond the rate, in the worst minute. */
  readonly overQuota: number;
  /** Messages of which a store says otherwise than it is, at the end. */
  readonly misstated: number;
  /** Units that came to no end. */
  readonly unfinished: number;
  readonly problems: readonly string[];
}

export interface FleetOptions {
  /** Decides everything. */
  readonly seed: number;
  readonly broken?: BrokenFleet | undefined;
  /** A hosted service: people, groups and members come before the messages. */
  readonly hasDirectory?: boolean;
  readonly log?: ((line: string) => void) | undefined;
}

/** Three months after the exports' messages. */
const startMs = Date.parse('2024-06-01T12:00:00Z');
const workersCount = 3;
const endMs = 48 * 3_600_000;

/**
 * A fleet of three workers that carry a few exports on a virtual clock, through whatever happens to workers, database and copies. The code
 * that imports and that replays is that of every import; PostgreSQL is a model of it.
 */
export async function simulateFleet(options: FleetOptions): Promise<FleetLedger> {
  const fleet = await Fleet.open(options);
  try {
    await fleet.run();
    return fleet.ledger();
  } finally {
    await fleet.close();
  }
}

interface Place {
  readonly connection: Connection;
  readonly wallAheadMs: number;
  life: StoppableLife;
  isSilent: boolean;
  worker?: SimulatedWorker;
}

class Fleet {
  readonly #seed: number;
  readonly #broken: BrokenFleet | undefined;
  readonly #log: (line: string) => void;
  readonly #dice: Dice;
  readonly #world = new VirtualClock(startMs);
  readonly #units = new Map<string, FleetUnit>();
  readonly #model: FleetModel;
  readonly #bucket: Bucket;
  readonly #perMinute: number;
  readonly #copyEveryMs: number;
  readonly #leaseMs: number;
  readonly #places: Place[] = [];
  readonly #leftAtMs: number[] = [];
  readonly #accidents: readonly Accident[];
  #isDown = false;
  #failure: unknown;

  static async open({ seed, broken, hasDirectory = false, log = () => {} }: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(seed, broken, log);
    for (const name of fleet.#names) await fleet.#addUnit(name, hasDirectory);
    return fleet;
  }

  private constructor(seed: number, broken: BrokenFleet | undefined, log: (line: string) => void) {
    this.#seed = seed;
    this.#broken = broken;
    this.#log = (line) => log(`${((this.#world.monotonic() - startMs) / 1000).toFixed(3)} ${line}`);
    this.#dice = new Dice(seed ^ 0xf1ee7);
    this.#perMinute = this.#dice.pick([6, 12, 30, 60]);
    this.#copyEveryMs = this.#dice.pick([5000, 20_000, 60_000]);
    this.#leaseMs = this.#dice.pick([20_000, 120_000, 600_000]);
    this.#bucket = new Bucket(this.#world, this.#dice.fork());
    this.#accidents = accidentsOf(this.#dice.fork(), workersCount);
    this.#model = new FleetModel(this.#names, () => this.#world.monotonic(), {
      isBlind: broken === 'no-loss',
      mayFailOver: this.#accidents.some(({ kind }) => kind === 'failover'),
    });
  }

  get #names(): readonly string[] {
    return ['a', 'b'];
  }

  async #addUnit(name: string, hasDirectory: boolean): Promise<void> {
    const scenario = hasDirectory ? 'people' : 'faults';
    const planned = inAFleet(scheduleOf((this.#seed * 2 + this.#units.size) % 2 ** 31, scenario), this.#dice.fork());
    // Imports of people wait for their slots together: several would have more of them than the shortest lease lasts.
    const schedule = hasDirectory ? { ...planned, concurrency: 1 } : planned;
    const template = await templateOf(schedule, this.#world);
    this.#log(`unit ${name}: ${JSON.stringify(schedule)}`);
    const onImport = () => void this.#leftAtMs.push(this.#world.monotonic());
    const dice = this.#dice.fork();
    const world = this.#world;
    this.#units.set(name, new FleetUnit({ name, schedule, template, world, dice, onImport, log: this.#log }));
  }

  async run(): Promise<void> {
    for (let number = 0; number < workersCount; number++) this.#addPlace();
    for (const accident of this.#accidents) void this.#after(accident.atMs, () => this.#happens(accident));
    const lastMs = this.#world.monotonic() + Math.max(0, ...this.#accidents.map(({ atMs }) => atMs));
    const untilMs = lastMs + endMs;
    const goesOn = () => !this.#model.isDone || this.#world.monotonic() <= lastMs;
    while (goesOn() && this.#world.monotonic() < untilMs && !this.#failure) await this.#world.sleep(5000);
    if (this.#failure) throw this.#failure;
    // Whatever was still on its way has arrived.
    await this.#world.sleep(600_000);
  }

  ledger(): FleetLedger {
    const sum = { requests: 0, lost: 0, duplicated: 0, unexpected: 0, outOfOrder: 0, sideBySide: 0 };
    const problems: string[] = [];
    let misstated = 0;
    let unfinished = 0;
    for (const unit of this.#units.values()) {
      const store = unit.latest ?? unit.open(undefined);
      // Who left in commits that are lost knew why something is late.
      const isLost = this.#accidents.some(({ kind }) => kind === 'failover');
      const late = isLost ? unit.lateAnywhere() : new Set(lateIds(store.db));
      const found = compare(unit.template.expected, unit.arrived(), late);
      for (const kind of ['lost', 'duplicated', 'unexpected', 'outOfOrder'] as const) sum[kind] += found[kind];
      sum.requests += unit.requests;
      sum.sideBySide += unit.sideBySide;
      const { pending, unconfirmed, complaint } = totalsOf(store.db);
      const good = idsIn(store.db, 'imported', 'existing').length;
      const misstatedArrivals = isLost ? [] : unit.misstated(store);
      problems.push(...misstatedArrivals.map((problem) => `${unit.name}: ${problem}`));
      const wrong =
        unit.template.expected.length - good + unconfirmed + pending + (complaint ? 1 : 0) + misstatedArrivals.length;
      if (wrong > 0)
        problems.push(`${unit.name}: ${good} of ${unit.template.expected.length} good, ${complaint ?? ''}`);
      misstated += wrong;
      problems.push(...found.examples.map((example) => `${unit.name}: ${example}`));
    }
    if (!this.#model.isDone) {
      unfinished++;
      problems.push('came to no end');
    }
    const overQuota = Math.max(0, mostInAMinute(this.#leftAtMs) - this.#perMinute);
    if (overQuota > 0) problems.push(`${overQuota} requests too many in a minute`);
    const accidents = this.#accidents.length;
    const { takeovers } = this.#model;
    return { seed: this.#seed, accidents, takeovers, ...sum, overQuota, misstated, unfinished, problems };
  }

  async close(): Promise<void> {
    this.#world.stop();
    for (const unit of this.#units.values()) await unit.close();
  }

  async #after(ms: number, act: () => void): Promise<void> {
    await this.#world.sleep(ms);
    act();
  }

  #addPlace(): void {
    const { dice, world, model } = { dice: this.#dice.fork(), world: this.#world, model: this.#model };
    const connection = new Connection({ model, world, dice, isDown: () => this.#isDown });
    const wallAheadMs = this.#dice.pick([0, 0, -7_200_000, 86_400_000]);
    const place: Place = { connection, wallAheadMs, life: new StoppableLife(Infinity), isSilent: false };
    this.#places.push(place);
    this.#start(place);
  }

  #start(place: Place): void {
    place.life = new StoppableLife(Infinity, () => this.#world.touch());
    const worker = new SimulatedWorker({
      ...{ number: this.#places.indexOf(place), world: this.#world, bucket: this.#bucket, units: this.#units },
      ...{ life: place.life, connection: place.connection, wallAheadMs: place.wallAheadMs, dice: this.#dice.fork() },
      ...{ perMinute: this.#perMinute, leaseMs: this.#leaseMs, copyEveryMs: this.#copyEveryMs },
      ...{ broken: this.#broken, log: this.#log, isSilent: () => place.isSilent },
    });
    place.worker = worker;
    worker.run().catch((error: unknown) => (this.#failure ??= error));
  }

  #happens({ kind, worker, forMs, unit }: Accident): void {
    // Most accidents hit a worker that has something to lose.
    const place = this.#places.find((one) => one.worker?.unit === this.#names[unit]) ?? this.#places[worker]!;
    this.#log(`${kind}, worker ${this.#places.indexOf(place)}, ${forMs} ms`);
    switch (kind) {
      case 'killed':
        place.life.kill();
        return void this.#after(forMs, () => this.#start(place));
      case 'stopped':
        place.life.stop();
        return void this.#after(forMs, () => place.life.goOn());
      case 'silent':
        place.isSilent = true;
        return void this.#after(forMs, () => (place.isSilent = false));
      case 'cut-off':
        place.connection.isCut = true;
        return void this.#after(forMs, () => (place.connection.isCut = false));
      case 'database-down':
        this.#isDown = true;
        return void this.#after(forMs, () => (this.#isDown = false));
      case 'failover':
        this.#log(`commits of ${this.#model.failOver(forMs)} ms are lost`);
        return;
      case 'copy-lost':
      case 'copy-damaged':
        this.#bucket.break(this.#model.copies(this.#names[unit]!), kind === 'copy-lost' ? 'lost' : 'damaged');
    }
  }
}

/**
 * Makes small requests, so that some are always in flight, to a service that stores duplicates. The service never asks
 * for a pause of more than an hour, because a fleet looks for work all that time.
 */
const inAFleet = (schedule: Schedule, dice: Dice): Schedule => ({
  ...schedule,
  profile: { ...schedule.profile, batchItemsMax: dice.between(1, 5) },
  // A request that takes longer than a takeover arrives after the new worker's first look.
  latencyMaxMs: dice.pick([100, 1500, 20_000, 85_000]),
  plan: {
    ...schedule.plan,
    listing: { ...schedule.plan.listing, visibleAfterMs: dice.pick([0, 0, 3000, 9000]) },
    duplicates: 'stored',
    // Faults of a service that refuses duplicates may be applied later than any grace.
    rules:
      schedule.plan.duplicates === 'refused' ? [] : (schedule.plan.rules ?? []).filter((rule) => !asksForDays(rule)),
  },
});

const asksForDays = (rule: object): boolean =>
  'retryAfter' in rule && !(typeof rule.retryAfter === 'number' && rule.retryAfter <= 3600);

/** @param atMs in order. */
function mostInAMinute(atMs: readonly number[]): number {
  let most = 0;
  for (let from = 0, to = 0; to < atMs.length; to++) {
    while (atMs[to]! - atMs[from]! >= 60_000) from++;
    most = Math.max(most, to - from + 1);
  }
  return most;
}
