import { DatabaseDown } from '../../../src/fleet/database/database.ts';
import { UnitLost } from '../../../src/fleet/work/unit-lost.ts';
import type { Clock } from '../../../src/lib/flow/clock.ts';
import type { Dice } from '../dice.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Bucket } from './bucket.ts';
import type { Connection } from './database.ts';
import { type BegunLease, type Claim, type FleetModel, heartbeatMs } from './model.ts';
import type { StoppableLife } from './process.ts';
import { type Held, Lease } from './lease.ts';
import type { FleetUnit } from './unit.ts';

/**
 * Protocols of a fleet with a piece missing. `no-fence`: a request is sent whatever the database answers.
 * `no-first-copy`: requests are sent before there is a copy of the store. `no-replay`: messages sent since the copy are
 * not added to it. `no-loss`: lost commits of the database stay unnoticed.
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
  readonly leaseMs: number;
  readonly copyEveryMs: number;
  readonly wallAheadMs: number;
  /** It does not say that it lives; what its lease does goes on. */
  readonly isSilent: () => boolean;
  readonly broken: BrokenFleet | undefined;
  readonly log: (line: string) => void;
}

const pollMs = 5000;
/** Interval if nothing can change sooner. */
const idlePollMs = 60_000;

/** One life of a worker: leases, one after the other. The data on its disk is lost with it. */
export class SimulatedWorker {
  /** The unit that it has. */
  unit: string | undefined;
  readonly #options: WorkerOptions;
  readonly #clock: Clock;
  readonly #held = new Map<string, Held>();
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
      const found = await this.#ask((model) => model.claim(token)).catch(ifDown);
      if (typeof found === 'object') await this.#lease(found);
      const idleMs = typeof found === 'number' ? found : 0;
      await this.#clock.sleep(Math.min(Math.max(idleMs, pollMs), idlePollMs));
    }
  }

  #ask<T>(ask: (model: FleetModel) => T): Promise<T> {
    return this.#options.connection.query(this.#options.life, ask);
  }

  async #lease(begun: BegunLease): Promise<void> {
    const { log, number, units } = this.#options;
    const { claim } = begun;
    log(`worker ${number} begins ${claim.unit}, ${claim.job}, attempt ${claim.attempt}${begun.isLost ? ', lost' : ''}`);
    this.unit = claim.unit;
    const over = new AbortController();
    void this.#beat(claim, over);
    const unit = units.get(claim.unit)!;
    const held = this.#held.get(claim.unit);
    this.#held.delete(claim.unit);
    try {
      const lease = new Lease({ ...this.#options, unit, begun, clock: this.#clock, over, held });
      const end = await lease.run();
      const isOurs = await this.#ask((model) => model.finish(claim, end));
      if (isOurs) {
        unit.latest = lease.machine;
        if (lease.held) this.#held.set(claim.unit, lease.held);
      }
      log(`worker ${number} ends ${claim.unit}: ${isOurs ? JSON.stringify(end) : 'lost'}`);
    } catch (error) {
      if (!(error instanceof DatabaseDown || error instanceof UnitLost)) throw error;
      log(`worker ${number} leaves ${claim.unit}: ${error.message}`);
    } finally {
      this.unit = undefined;
      over.abort(new Error('over'));
    }
  }

  async #beat(claim: Claim, over: AbortController): Promise<void> {
    while (!over.signal.aborted) {
      const isOurs = this.#options.isSilent() || (await this.#ask((model) => model.beat(claim)).catch(ifDown));
      if (isOurs === false) over.abort(new Error('lost'));
      await this.#clock.sleep(heartbeatMs / 4, over.signal).catch(() => {});
    }
  }
}

const ifDown = (error: unknown): undefined => {
  if (!(error instanceof DatabaseDown)) throw error;
  return undefined;
};
