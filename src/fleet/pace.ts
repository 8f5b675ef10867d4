import type { Clock } from '../lib/flow/clock.ts';
import { DestinationError } from '../lib/errors.ts';
import { type Pace, type RequestKind, waitMaxMs } from '../upload/pace/pace.ts';
import type { Query } from './database/database.ts';

export interface FleetPaceOptions {
  readonly address: string;
  /** Requests per minute; a kind without one has no fixed rate, but what the service says of its limits is obeyed. */
  readonly perMinute: Partial<Record<RequestKind, number | undefined>>;
  readonly clock: Clock;
  readonly onWait: (ms: number, why: string) => void;
  /** Told how long each request waited for its slot, in ms. */
  readonly onSlot?: ((ms: number) => void) | undefined;
}

/** A request that leaves so much behind its slot, in ms, would leave together with others. */
const lateMs = 500;

/** The pace that all workers keep at an address: its slots are in the database, by whose clock alone they are given. */
export function fleetPace(query: Query, { address, perMinute, clock, onWait, onSlot }: FleetPaceOptions): Pace {
  const keyOf = (kind: RequestKind) => `${address} ${kind}`;
  /** Until when (monotonic ms) this process was asked for silence. */
  const held: Partial<Record<RequestKind, number>> = {};

  const reserve = async (kind: RequestKind): Promise<number> => {
    const [row] = await query<{ ms: number }>('SELECT ferry.take_slot($1, $2) AS ms', [
      keyOf(kind),
      perMinute[kind] ?? null,
    ]);
    return row!.ms;
  };
  const hold = (kind: RequestKind, ms: number) => {
    held[kind] = Math.max(held[kind] ?? 0, clock.monotonic() + ms);
    query('SELECT ferry.hold_slot($1, $2)', [keyOf(kind), ms]).catch(() => {});
  };
  const isHeld = async (kind: RequestKind): Promise<boolean> => {
    if ((held[kind] ?? 0) > clock.monotonic()) return true;
    const [row] = await query<{ is: boolean }>(
      'SELECT held_until > clock_timestamp() AS is FROM ferry.slot WHERE key = $1',
      [keyOf(kind)],
    );
    return row?.is ?? false;
  };

  return {
    async take(kind, signal) {
      for (;;) {
        const slotMs = await reserve(kind);
        const waitMs = Math.max(slotMs, (held[kind] ?? 0) - clock.monotonic());
        onSlot?.(Math.max(0, waitMs));
        if (waitMs > waitMaxMs) throw askedForSilence(address, waitMs);
        if (waitMs <= 0) return;
        if (waitMs > 1500) onWait(waitMs, 'the destination allows no faster rate');
        const dueMs = clock.monotonic() + waitMs;
        await clock.sleep(waitMs, signal);
        // Whoever was stopped meanwhile, or slept, wakes with all the others: the slots of that time are gone.
        if (clock.monotonic() > dueMs + lateMs) continue;
        // Another request's answer may have asked for silence meanwhile: then this slot is gone.
        if (!(await isHeld(kind)) && clock.monotonic() <= dueMs + lateMs) return;
      }
    },
    hold,
    learn(kind, { limitPerMinute, remaining, resetInMs }) {
      if (limitPerMinute !== undefined && perMinute[kind] === undefined)
        query(
          'INSERT INTO ferry.slot (key, learned) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET learned = $2 WHERE ferry.slot.learned IS DISTINCT FROM $2',
          [keyOf(kind), limitPerMinute],
        ).catch(() => {});
      if (remaining !== undefined && remaining <= 0 && resetInMs !== undefined) hold(kind, resetInMs);
    },
    close() {},
  };
}

const askedForSilence = (address: string, ms: number) =>
  new DestinationError(`Stopped: ${address} has asked for silence for another ${Math.ceil(ms / 60_000)} minutes`, {
    code: 'silence-asked',
    hint: 'The next turn begins when it is over',
  });
