import { DestinationError } from '../../../src/lib/errors.ts';
import type { Clock } from '../../../src/lib/flow/clock.ts';
import type { Gate, Leave, Leaving } from '../../../src/upload/gate.ts';
import { type Pace, waitMaxMs } from '../../../src/upload/pace/pace.ts';
import { DatabaseDown } from './database.ts';
import { type Claim, type FleetModel, heartbeatMs } from './model.ts';

export type Query = <T>(ask: (model: FleetModel) => T) => Promise<T>;

/** Waits for a database that does not answer. */
const againMs = 500;
/** Who wakes so long after its slot has lost it. */
const slotLateMs = 300;

export interface FleetGateOptions {
  readonly query: Query;
  readonly claim: Claim;
  readonly clock: Clock;
  readonly mayGo: () => Promise<void>;
  readonly saysYes: boolean;
}

export function fleetGate({ query, claim, clock, mayGo, saysYes }: FleetGateOptions): Gate {
  const ask = async ({ muids }: { readonly muids: readonly string[] }): Promise<Leave> => {
    const beganMs = clock.monotonic();
    for (;;) {
      const askedMs = clock.monotonic();
      try {
        const left = await query((model) => model.leave(claim, muids));
        if (!left && !saysYes) throw claimLost();
        if (!left) return { untilMs: Number.POSITIVE_INFINITY };
        const arrived: Leave['arrived'] = (ids) => {
          const told = Object.fromEntries([...ids].map(([muid, id]) => [muid, id ?? '']));
          query((model) => model.tell(left.intent, told)).catch(() => {});
        };
        return { untilMs: askedMs + left.withinMs, arrived };
      } catch (error) {
        if (!(error instanceof DatabaseDown)) throw error;
        if (clock.monotonic() - beganMs > heartbeatMs) throw claimLost();
        await clock.sleep(againMs);
      }
    }
  };
  return {
    async leave(leaving: Leaving) {
      await mayGo();
      return await ask('muids' in leaving ? leaving : { muids: [] });
    },
  };
}

const claimLost = () => new DestinationError('Somebody else has it', { code: 'claim-lost' });

/** Slots of the database, over all workers. */
export function fleetPace(query: Query, unit: string, perMinute: number, clock: Clock): Pace {
  const again = async <T>(ask: (model: FleetModel) => T, signal: AbortSignal): Promise<T> => {
    for (;;) {
      try {
        return await query(ask);
      } catch (error) {
        if (!(error instanceof DatabaseDown)) throw error;
        await clock.sleep(againMs, signal);
      }
    }
  };
  return {
    async take(kind, signal) {
      if (kind !== 'import') return;
      for (;;) {
        const askedMs = clock.monotonic();
        const waitMs = await again((model) => model.takeSlot(unit, perMinute), signal);
        if (waitMs > waitMaxMs) throw new DestinationError('Asked for silence', { code: 'silence-asked' });
        // By the database's clock it comes between so long after the question and so long after the answer.
        await clock.sleep(waitMs, signal);
        const isHeld = await again((model) => model.isHeld(unit), signal);
        if (!isHeld && clock.monotonic() - askedMs - waitMs <= slotLateMs) return;
      }
    },
    hold: (_, ms) => void query((model) => model.holdSlot(unit, ms)).catch(() => {}),
    learn() {},
    close() {},
  };
}
