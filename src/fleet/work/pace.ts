import { waitMaxMs } from '../../lib/flow/retry.ts';
import { askedForSilence, type Pace, type RequestKind, type SharedPaceOptions } from '../../delivery/pace.ts';
import type { Query } from '../database/database.ts';

export interface FleetPaceOptions extends Omit<SharedPaceOptions, 'path'> {
  /** Called with the time that each request waited for its slot, in ms. */
  readonly onSlot?: ((ms: number) => void) | undefined;
  /** Waited for before an import or an action gets a slot: what it has to wait for anyway would cost it the slot. */
  readonly mayGo?: (() => Promise<void>) | undefined;
}

/**
 * A request that leaves so much behind its slot, in ms, would leave together with others. Slots are 1 % further apart than a rate of so many a
 * minute asks for, which is 600 ms of a minute; what is between slot and first byte may need the other half of it.
 */
const lateMs = 300;
/** The next slot is requested this long before a slot of this process comes, in ms: a lease that ends leaves few unused slots behind. */
const aheadMs = 1000;

interface Wait {
  readonly signal: AbortSignal;
  /** How many slots in a row came and went. */
  readonly missedCount: number;
  readonly spareMs: number;
  /** Called when the next one may ask for its slot. */
  readonly onNear: () => void;
}

/** The pace that all workers keep at an address: its slots are in the database, by whose clock alone they are given. */
export function fleetPace(query: Query, options: FleetPaceOptions): Pace {
  const slots = new Slots(query, options);
  /** Resolves when the slot of the latest waiting request is near. */
  const last: Partial<Record<RequestKind, Promise<void>>> = {};
  return {
    async take(kind, signal, spareMs = 0) {
      if (kind !== 'read') await options.mayGo?.();
      const before = last[kind];
      const near = Promise.withResolvers<void>();
      if (slots.isPaced(kind)) {
        last[kind] = near.promise;
        await before;
      }
      try {
        // If everything is slow, a slot gets longer with each attempt, and takes more time from the others.
        for (let missedCount = 0; ; missedCount++)
          if (await slots.comes(kind, { signal, missedCount, spareMs, onNear: near.resolve })) return;
      } finally {
        near.resolve();
      }
    },
    hold: (kind, ms) => slots.hold(kind, ms),
    learn(kind, { limitPerMinute, remaining, resetInMs }) {
      if (limitPerMinute !== undefined) slots.learn(kind, limitPerMinute);
      if (remaining !== undefined && remaining <= 0 && resetInMs !== undefined) slots.hold(kind, resetInMs);
    },
    close() {},
  };
}

/** Slots of an address, as this process has them. */
class Slots {
  readonly #query: Query;
  readonly #options: FleetPaceOptions;
  /** Until when (monotonic ms) this process was asked for silence. */
  readonly #held: Partial<Record<RequestKind, number>> = {};
  /** Kinds of which the service said how many it takes. */
  readonly #learned = new Set<RequestKind>();

  constructor(query: Query, options: FleetPaceOptions) {
    this.#query = query;
    this.#options = options;
  }

  isPaced(kind: RequestKind): boolean {
    return this.#options.perMinute[kind] !== undefined || this.#learned.has(kind);
  }

  learn(kind: RequestKind, limitPerMinute: number): void {
    if (this.#options.perMinute[kind] !== undefined) return;
    this.#learned.add(kind);
    this.#query(
      'INSERT INTO ferry.slot (key, learned) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET learned = $2 WHERE ferry.slot.learned IS DISTINCT FROM $2',
      [this.#keyOf(kind), limitPerMinute],
    ).catch(() => {});
  }

  hold(kind: RequestKind, ms: number): void {
    this.#held[kind] = Math.max(this.#held[kind] ?? 0, this.#options.clock.monotonic() + ms);
    this.#query('SELECT ferry.hold_slot($1, $2)', [this.#keyOf(kind), ms]).catch(() => {});
  }

  /** @returns Whether its slot came, and is still there. */
  async comes(kind: RequestKind, { signal, missedCount, spareMs, onNear }: Wait): Promise<boolean> {
    const { address, clock, onSlot, onWait } = this.#options;
    const askedMs = clock.monotonic();
    const laterMs = lateMs * missedCount;
    const slotMs = await this.#reserve(kind, spareMs + laterMs);
    const waitMs = Math.max(slotMs, (this.#held[kind] ?? 0) - clock.monotonic());
    onSlot?.(Math.max(0, waitMs));
    if (waitMs > waitMaxMs) throw askedForSilence(address, waitMs, 'The next lease begins when it is over');
    // By the database's clock the slot comes between so long after the question and so long after the answer.
    const isLate = () => clock.monotonic() > askedMs + waitMs + lateMs + laterMs;
    if (waitMs <= 0) return !this.isPaced(kind) || !isLate();
    if (waitMs > 1500) onWait(waitMs, 'the destination allows no faster rate');
    if (waitMs > aheadMs) await clock.sleep(waitMs - aheadMs, signal);
    onNear();
    await clock.sleep(Math.min(waitMs, aheadMs), signal);
    // A process that was stopped or slept in the meantime wakes with all the others: the slots of that time are gone.
    if (isLate()) return false;
    // The answer to another request may have asked for silence in the meantime: then this slot is gone.
    return !(await this.#isHeld(kind)) && !isLate();
  }

  async #reserve(kind: RequestKind, spareMs: number): Promise<number> {
    const [row] = await this.#query<{ ms: number }>('SELECT ferry.take_slot($1, $2, $3) AS ms', [
      this.#keyOf(kind),
      this.#options.perMinute[kind] ?? null,
      spareMs,
    ]);
    return row!.ms;
  }

  async #isHeld(kind: RequestKind): Promise<boolean> {
    if ((this.#held[kind] ?? 0) > this.#options.clock.monotonic()) return true;
    const [row] = await this.#query<{ is: boolean }>(
      'SELECT held_until > clock_timestamp() AS is FROM ferry.slot WHERE key = $1',
      [this.#keyOf(kind)],
    );
    return row?.is ?? false;
  }

  #keyOf = (kind: RequestKind): string => keyOf(this.#options.address, kind);
}

const keyOf = (address: string, kind: RequestKind): string => `${address} ${kind}`;

/** For how many ms an address still wants silence, of any kind of request. */
export async function silentMs(query: Query, address: string): Promise<number> {
  const [row] = await query<{ ms: number | null }>(
    `SELECT (extract(epoch FROM max(held_until) - clock_timestamp()) * 1000)::float8 AS ms FROM ferry.slot
     WHERE key = ANY($1) AND held_until > clock_timestamp()`,
    [(['import', 'read', 'action'] as const).map((kind) => keyOf(address, kind))],
  );
  return row?.ms ?? 0;
}
