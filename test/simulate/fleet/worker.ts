import { useDestination } from '../../../src/checkpoint/base/destinations.ts';
import { ageOpenAttempts, replayIntents, stampAges } from '../../../src/checkpoint/delivery/replay-intents.ts';
import { sendAndVerify } from '../../../src/commands/import.ts';
import type { Session } from '../../../src/commands/session.ts';
import { silent } from '../../../src/lib/flow/progress.ts';
import { Secret } from '../../../src/lib/secret.ts';
import type { Clock } from '../../../src/lib/flow/clock.ts';
import { collectReport } from '../../../src/report/collect/collect-report.ts';
import { DeliveryClient } from '../../../src/service/client/delivery-client.ts';
import type { Target } from '../../../src/upload/target.ts';
import { apiKey } from '../client.ts';
import { openImage } from '../database-image.ts';
import type { Dice } from '../dice.ts';
import type { Machine } from '../machine.ts';
import { booksOf } from '../store-facts.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Bucket } from './bucket.ts';
import { type Connection, DatabaseDown } from './database.ts';
import { fleetGate, fleetPace } from './gate.ts';
import { type BegunTurn, type Claim, type CopyRow, type FleetModel, heartbeatMs } from './model.ts';
import type { StoppableLife } from './process.ts';
import type { FleetUnit } from './unit.ts';

/**
 * Protocols of a fleet with a piece missing. `no-fence`: a request leaves whatever the database says. `no-first-copy`: requests leave
 * before there is a copy of the store. `no-replay`: what left since the copy is not put into it. `no-loss`: nobody notices that the
 * database lost commits.
 */
export type BrokenFleet = 'no-fence' | 'no-first-copy' | 'no-replay' | 'no-loss';

export interface WorkerOptions {
  readonly number: number;
  readonly world: VirtualClock;
  readonly life: StoppableLife;
  readonly connection: Connection;
  readonly bucket: Bucket;
  readonly units: ReadonlyMap<string, FleetUnit>;
  readonly dice: Dice;
  readonly perMinute: number;
  readonly turnMs: number;
  readonly copyEveryMs: number;
  readonly wallAheadMs: number;
  readonly broken: BrokenFleet | undefined;
  readonly log: (line: string) => void;
}

const pollMs = 5000;
/** Before a unit is tried again that the destination stopped. */
const stoppedMs = 3_600_000;
/** Somebody else has the unit by now. */
class UnitLost extends Error {}

/** One life of a worker: turns, one after the other. What it has on its disk is gone with it. */
export class SimulatedWorker {
  readonly #options: WorkerOptions;
  readonly #clock: Clock;
  #tokens = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { life, world, wallAheadMs, number } = options;
    const clock = life.clock(world, () => wallAheadMs);
    this.#clock = { ...clock, uptime: () => clock.monotonic() + number * 3_600_000 };
  }

  async run(): Promise<never> {
    for (;;) {
      const token = `${this.#options.number}.${++this.#tokens}.${this.#options.dice.next()}`;
      const begun = await this.#ask((model) => model.claim(token)).catch(ifDown);
      if (begun) await this.#turn(begun);
      await this.#clock.sleep(pollMs);
    }
  }

  #ask<T>(ask: (model: FleetModel) => T): Promise<T> {
    return this.#options.connection.query(this.#options.life, ask);
  }

  async #turn(begun: BegunTurn): Promise<void> {
    const { log, number } = this.#options;
    const { claim } = begun;
    log(`worker ${number} begins ${claim.unit}, ${claim.job}, attempt ${claim.attempt}${begun.isLost ? ', lost' : ''}`);
    const over = new AbortController();
    void this.#beat(claim, over);
    const unit = this.#options.units.get(claim.unit)!;
    try {
      const turn = new Turn({ ...this.#options, unit, begun, clock: this.#clock, over });
      const isDone = await turn.run();
      const isOurs = await this.#ask((model) => model.finish(claim, isDone, turn.isStopped ? stoppedMs : 1000));
      if (isOurs) unit.latest = turn.machine;
      log(`worker ${number} ends ${claim.unit}: ${isOurs ? (isDone ? 'done' : 'to be continued') : 'lost'}`);
    } catch (error) {
      if (!(error instanceof DatabaseDown || error instanceof UnitLost)) throw error;
      log(`worker ${number} leaves ${claim.unit}: ${error.message}`);
    } finally {
      over.abort(new Error('over'));
    }
  }

  async #beat(claim: Claim, over: AbortController): Promise<void> {
    while (!over.signal.aborted) {
      const isOurs = await this.#ask((model) => model.beat(claim)).catch(ifDown);
      if (isOurs === false) over.abort(new Error('lost'));
      await this.#clock.sleep(heartbeatMs / 4);
    }
  }
}

const ifDown = (error: unknown): undefined => {
  if (!(error instanceof DatabaseDown)) throw error;
  return undefined;
};

interface TurnOptions extends WorkerOptions {
  readonly unit: FleetUnit;
  readonly begun: BegunTurn;
  readonly clock: Clock;
  readonly over: AbortController;
}

/** The total deadline of a request. */
const requestTimeoutMs = 90_000;

class Turn {
  readonly #options: TurnOptions;
  machine!: Machine;
  /** By what the destination said, or did not. */
  isStopped = false;
  #number = 0;
  #firstCopy: Promise<void> | undefined;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** @returns Whether nothing of the unit is left to do. @throws DatabaseDown, UnitLost */
  async run(): Promise<boolean> {
    const { clock, over, turnMs, copyEveryMs } = this.#options;
    await this.#restore();
    clock.sleep(turnMs, over.signal).then(
      () => over.abort(new Error('time')),
      () => {},
    );
    const copying = new AbortController();
    void this.#copyEvery(copyEveryMs, copying.signal);
    try {
      await this.#send();
    } finally {
      copying.abort(new Error('sent'));
    }
    await this.#copy();
    const { pending, inDoubt } = booksOf(this.machine.db);
    return pending + inDoubt === 0;
  }

  #ask<T>(ask: (model: FleetModel) => T): Promise<T> {
    return this.#options.connection.query(this.#options.life, ask);
  }

  /** The newest copy that can be had, and what left since then. */
  async #restore(): Promise<void> {
    const { unit, begun, bucket, life, broken } = this.#options;
    const { copies, isLost } = begun;
    const found = await bucket.newest(life, unit.name, isLost ? undefined : copies);
    this.machine = unit.open(found?.image);
    this.#number = Math.max(bucket.greatest(unit.name), 0);
    const copy = copies.find(({ key }) => key === found?.key);
    // A list of another epoch, or of none, tells nothing.
    const isBelieved = copy !== undefined && !isLost && copy.epoch === copies[0]!.epoch;
    if (!isBelieved && copies.length > 0) await this.#waitOut();
    const store = this.machine.store(life);
    const { clock } = this.#options;
    const agoMs = begun.isLost ? Math.min(begun.lostAgoMs, 0) : copy ? this.#agoMs(copy) : 0;
    ageOpenAttempts(store, agoMs, clock.now(), clock.uptime());
    if (!isBelieved || broken === 'no-replay') return;
    const intents = await this.#ask((model) => model.intentsSince(unit.name, copy.mark));
    const left = intents.map(({ muids, agoMs: leftAgoMs, arrived }) => ({
      muids,
      agoMs: leftAgoMs,
      arrived,
      actions: [],
    }));
    const destination = this.#destination();
    const { unknown } = replayIntents(store, destination, left, clock.now(), { uptimeMs: clock.uptime() });
    if (unknown > 0) throw new Error(`${unknown} messages are not known`);
  }

  #agoMs({ savedAtMs }: CopyRow): number {
    return Math.max(0, this.#options.world.monotonic() - savedAtMs);
  }

  /** What left in commits that are lost may still be on its way. */
  async #waitOut(): Promise<void> {
    const { clock, unit } = this.#options;
    await clock.sleep(requestTimeoutMs + unit.schedule.profile.graceLongMs);
  }

  async #send(): Promise<void> {
    const { clock, dice, over, unit, life } = this.#options;
    const store = this.machine.store(life);
    const session: Session = {
      store,
      command: 'import',
      clock,
      lockTakenAtMs: undefined,
      lockTakenMs: clock.monotonic(),
      report: (about) => collectReport(store, { ...about, command: 'import', nowMs: clock.now(), elapsedMs: null }),
    };
    const { concurrency, details } = unit.schedule;
    const { report } = await sendAndVerify(
      session,
      this.#target(),
      {
        ...{ clock, concurrency, details, progress: silent, maxRefusedShare: 1, verify: false },
        ...{ random: dice.fork().next, stopping: over.signal, signal: never, confirm: undefined },
      },
      {},
    );
    this.isStopped = report.stopped !== null;
    if (report.stopped?.code === 'claim-lost') throw new UnitLost('somebody else has it');
  }

  #destination(): number {
    const { unit, clock } = this.#options;
    const { name } = unit;
    const profile = unit.schedule.profile.name;
    return useDestination(this.machine.db, { address: name, name, profile, nowMs: clock.now() });
  }

  #target(): Target {
    const { unit, clock, life, perMinute, begun, broken } = this.#options;
    const query = <T>(ask: (model: FleetModel) => T) => this.#ask(ask);
    const transport = unit.network.transport(life);
    return {
      id: this.#destination(),
      name: unit.name,
      isEmbedded: false,
      profile: unit.schedule.profile,
      client: new DeliveryClient({ transport, apiKey: new Secret(apiKey), clock }),
      gate: fleetGate({
        ...{ query, clock, claim: begun.claim, saysYes: broken === 'no-fence' },
        mayGo: async () => {
          if (broken === 'no-first-copy') return;
          this.#firstCopy ??= this.#copy();
          await this.#firstCopy;
        },
      }),
      openPace: () => fleetPace(query, unit.name, perMinute, clock),
      async close() {},
    };
  }

  /** A copy of all that was written before this call. @throws DatabaseDown, UnitLost */
  async #copy(): Promise<void> {
    const { unit, begun, bucket, life } = this.#options;
    const mark = await this.#ask((model) => model.mark(unit.name));
    const number = ++this.#number;
    const key = await bucket.put(life, unit.name, number, this.#packed());
    const gone = await this.#ask((model) => model.save(begun.claim, { key, number, mark }));
    if (!gone) throw new UnitLost('somebody else has it');
    for (const old of gone) bucket.remove(old);
  }

  #packed(): Buffer {
    const db = openImage(this.machine.image());
    stampAges(db, this.#options.clock.uptime());
    const image = db.serialize();
    db.close();
    return image;
  }

  async #copyEvery(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      try {
        await clock.sleep(ms, signal);
        await this.#copy();
      } catch {
        if (signal.aborted) return;
      }
    }
  }
}

const never = new AbortController().signal;
