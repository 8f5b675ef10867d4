import { stampAges } from '../../../src/store/batches/attempt-ages.ts';
import { DatabaseDown } from '../../../src/fleet/database/database.ts';
import { FleetPermits } from '../../../src/fleet/work/permits.ts';
import { fleetPace } from '../../../src/fleet/work/pace.ts';
import { afterFailure } from '../../../src/fleet/lease/after-lease.ts';
import { UnitLost } from '../../../src/fleet/work/unit-lost.ts';
import type { DestinationError } from '../../../src/lib/errors.ts';
import type { Clock } from '../../../src/lib/flow/clock.ts';
import { silent } from '../../../src/lib/flow/progress.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { errorExitCode, exitCodes } from '../../../src/model/exit-codes.ts';
import { DeliveryClient } from '../../../src/service/delivery-client.ts';
import { usualRequestTimeoutMs } from '../../../src/service/profiles.ts';
import { permitMaxMs } from '../../../src/delivery/destination.ts';
import { sendPending } from '../../../src/delivery/import.ts';
import { sendArrivals } from '../../../src/delivery/send-arrivals.ts';
import type { Target } from '../../../src/delivery/target.ts';
import { apiKey } from '../client.ts';
import type { Machine } from '../machine.ts';
import { openArrivals } from '../directory.ts';
import { totalsOf } from '../store-facts.ts';
import { type BegunLease, type CopyRow, type FleetModel, heartbeatMs, type LeaseEnd } from './model.ts';
import { queryOf } from './statements.ts';
import type { FleetUnit } from './unit.ts';
import type { WorkerOptions } from './worker.ts';
import { Destinations } from '../../../src/store/destinations.ts';

/** Data that a worker still has of a unit from its own last lease. */
export interface Held {
  readonly key: string;
  readonly machine: Machine;
}

export interface LeaseOptions extends WorkerOptions {
  readonly unit: FleetUnit;
  readonly begun: BegunLease;
  readonly clock: Clock;
  /** Aborted when its time is over, or it is lost. */
  readonly over: AbortController;
  readonly held: Held | undefined;
}

/** Address of all units of a simulated fleet: they share its rate. */
const address = 'https://simulated.example';
/** Time until a person looks at a unit that the destination stopped. */
const checkedAtMs = 3_600_000;

/** Some minutes of one unit, on one worker. */
export class Lease {
  readonly #options: LeaseOptions;
  machine!: Machine;
  /** Number of its newest copy. */
  #number = 0;
  #latest: string | undefined;
  #firstCopy: Promise<void> | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** Data that it leaves on the disk of its worker. */
  get held(): Held | undefined {
    return this.#latest === undefined ? undefined : { key: this.#latest, machine: this.machine };
  }

  /** @throws DatabaseDown, UnitLost */
  async run(): Promise<LeaseEnd> {
    const { clock, over, leaseMs, copyEveryMs } = this.#options;
    const unknownForMs = await this.#restore();
    clock.sleep(leaseMs, over.signal).then(
      () => over.abort(new Error('time')),
      () => {},
    );
    if (unknownForMs !== undefined && !(await this.#waitOut(unknownForMs))) return this.#end(undefined);
    const copying = new AbortController();
    void this.#copyEvery(copyEveryMs, copying.signal);
    let stopped: DestinationError | undefined;
    try {
      stopped = await this.#send();
    } finally {
      copying.abort(new Error('sent'));
    }
    if (stopped?.code === 'claim-lost') throw new UnitLost('somebody else has it');
    await this.#copy();
    return this.#end(stopped);
  }

  #end(stopped: DestinationError | undefined): LeaseEnd {
    const { over, begun } = this.#options;
    const { pending, unconfirmed } = totalsOf(this.machine.db);
    if (pending + unconfirmed + openArrivals(this.machine.db) === 0) return { isDone: true, failures: 0, afterMs: 0 };
    if (over.signal.aborted || !stopped) return { isDone: false, failures: 0, afterMs: 0 };
    const { code, message, hint = null } = stopped;
    const next = afterFailure(
      { phase: 'send', failures: begun.failures },
      { result: { exit: errorExitCode(stopped), stopped: { code, message, hint } }, isCut: false },
    );
    const isLeft = next.afterMs === undefined;
    return { isDone: false, failures: isLeft ? 0 : next.failures, afterMs: next.afterMs ?? checkedAtMs };
  }

  #ask<T>(ask: (model: FleetModel) => T): Promise<T> {
    return this.#options.connection.query(this.#options.life, ask);
  }

  /**
   * The newest copy that can be had, and what left since then.
   *
   * @returns Where what left since then is not known: how long ago, at least, the last of that left, in ms.
   */
  async #restore(): Promise<number | undefined> {
    const { unit, begun, bucket, life, clock, broken, held, log } = this.#options;
    const { copies, isLost, epoch } = begun;
    const [newest] = copies;
    this.#number = Math.max(bucket.greatest(unit.name), newest?.number ?? 0);
    if (held && newest?.key === held.key && newest.epoch === epoch && !isLost) {
      this.machine = held.machine;
      return undefined;
    }
    const found = await bucket.newest(life, unit.name, isLost ? undefined : copies);
    this.machine = unit.open(found?.image);
    if (!found) return isLost ? begun.lostAgoMs : undefined;
    stampAges(this.machine.db, { uptimeMs: found.uptimeMs, nowMs: 0 });
    const copy = copies.find(({ key }) => key === found.key);
    const isUnknown = isLost || copy?.epoch !== epoch;
    const unknownForMs = isUnknown ? await this.#unknownForMs() : undefined;
    const store = this.machine.store(life);
    const agoMs = copy ? this.#agoMs(copy) : 0;
    store.batches.ageOpen(Math.min(agoMs, unknownForMs ?? agoMs), clock.now(), clock.uptime());
    if (isUnknown || !copy || broken === 'no-replay') return unknownForMs;
    const intents = await this.#ask((model) => model.intentsSince(unit.name, copy.mark));
    log(`${unit.name} goes on from copy ${copy.number} and ${intents.length} requests since`);
    const left = intents.map((intent) => ({ ...intent, actions: [] }));
    const { unknown } = store.batches.replay(this.#destination(), left, clock.now(), {
      uptimeMs: clock.uptime(),
    });
    if (unknown > 0) throw new Error(`${unknown} messages are not known`);
    return undefined;
  }

  #agoMs({ savedAtMs }: CopyRow): number {
    return Math.max(0, this.#options.world.monotonic() - savedAtMs);
  }

  async #unknownForMs(): Promise<number> {
    const { begun, unit } = this.#options;
    const leftAgoMs = await this.#ask((model) => model.lastLeftAgoMs(unit.name));
    return Math.min(begun.lostAgoMs, leftAgoMs ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Waits for messages that were sent and have no known result, because they may still be in flight.
   * @returns Whether the wait is over; false if the lease was stopped before.
   */
  async #waitOut(unknownForMs: number): Promise<boolean> {
    const { clock, unit, over } = this.#options;
    const waitMs = permitMaxMs + usualRequestTimeoutMs + unit.schedule.profile.graceLongMs - unknownForMs;
    if (waitMs > 0) await clock.sleep(waitMs, over.signal).catch(() => {});
    return !over.signal.aborted;
  }

  async #send(): Promise<DestinationError | undefined> {
    const { clock, dice, over, unit, life } = this.#options;
    const store = this.machine.store(life);
    const target = this.#target();
    const { concurrency, details, profile } = unit.schedule;
    const run = { command: 'import', destination: target.id, profile: profile.name, nowMs: clock.now() } as const;
    const runId = store.runs.start(run);
    const options = {
      runId,
      clock,
      random: dice.fork().next,
      lockTakenAtMs: undefined,
      progress: silent,
      concurrency,
      sendProfiles: details,
      maxFailureShare: 1,
      stopping: over.signal,
      signal: never,
    };
    const arrived = await sendArrivals(store, target, options);
    const { stopped, requests } =
      arrived.stopped || over.signal.aborted ? arrived : await sendPending(store, target, options);
    const exit = stopped ? exitCodes.stopped : exitCodes.done;
    store.runs.end(runId, { exit, nowMs: clock.now(), requests, verify: null, stopped: null });
    return stopped;
  }

  #destination(): number {
    const { unit, clock } = this.#options;
    const { name } = unit;
    const profile = unit.schedule.profile.name;
    return new Destinations(this.machine.db).use({ address: name, name, profile, nowMs: clock.now() });
  }

  #target(): Target {
    const { unit, clock, life, perMinute, begun, broken } = this.#options;
    const query = queryOf((ask) => this.#ask(ask), { isUnfenced: broken === 'no-fence' });
    const { token, ...claim } = begun.claim;
    const permits = new FleetPermits(query, {
      claim,
      token,
      clock,
      heartbeatMs,
      signal: never,
      mayGo: async () => {
        if (broken === 'no-first-copy') return;
        this.#firstCopy ??= this.#copy();
        await this.#firstCopy;
      },
    });
    const transport = unit.network.transport(life);
    const mayGo = () => permits.mayGo();
    return {
      id: this.#destination(),
      name: unit.name,
      isEmbedded: false,
      profile: unit.schedule.profile,
      client: new DeliveryClient({ transport, apiKey: new Secret(apiKey), clock }),
      permits,
      openPace: (onWait) => fleetPace(query, { address, perMinute: { import: perMinute }, clock, onWait, mayGo }),
      async close() {},
    };
  }

  /** A copy of all that was written before this call. @throws DatabaseDown, UnitLost */
  async #copy(): Promise<void> {
    const { unit, begun, bucket, life, clock } = this.#options;
    const mark = await this.#ask((model) => model.mark(unit.name));
    const number = ++this.#number;
    const image = this.machine.image();
    const key = await bucket.put(life, { unit: unit.name, number, image, uptimeMs: clock.uptime() });
    const gone = await this.#ask((model) => model.save(begun.claim, { key, number, mark }));
    if (!gone) throw new UnitLost('somebody else has it');
    this.#latest = key;
    for (const old of gone) bucket.remove(old);
  }

  async #copyEvery(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(ms, signal).catch(() => {});
      if (!signal.aborted) await this.#copy().catch(ifLater);
    }
  }
}

/** The next copy may do, or find out. */
function ifLater(error: unknown): void {
  if (!(error instanceof DatabaseDown || error instanceof UnitLost)) throw error;
}

const never = new AbortController().signal;
