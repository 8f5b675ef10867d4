import { existsSync } from 'node:fs';
import { watch } from '../../commands/check.ts';
import { StoreError } from '../../lib/errors.ts';
import { readLockHolder } from '../../lib/file-lock.ts';
import { systemClock } from '../../lib/flow/clock.ts';

/** A process that works on a store, and how far it is. */
export interface HeldStore {
  readonly pid: number;
  readonly host: string;
  /** As its user called it: import, plan, verify. */
  readonly command: string;
  readonly sinceMs: number;
  /** Name of the destination that was used last. */
  readonly destination: string;
  readonly done: number;
  /** Null while it is not planned yet. */
  readonly total: number | null;
}

/** What was seen, and how long the look took, in ms: half a second for 200,000 messages. */
export interface Look {
  readonly held: HeldStore | null;
  readonly tookMs: number;
}

/** Looks at the first of some stores that a process holds. */
export async function lookAtStores(stores: readonly string[], signal: AbortSignal): Promise<Look> {
  const beganMs = systemClock.monotonic();
  const held = await heldStore(stores, signal);
  return { held, tookMs: systemClock.monotonic() - beganMs };
}

async function heldStore(stores: readonly string[], signal: AbortSignal): Promise<HeldStore | null> {
  for (const store of stores) {
    const holder = existsSync(store) ? readLockHolder(store) : undefined;
    if (holder === undefined) continue;
    const { pid, host, command, since: sinceMs } = holder;
    return { pid, host, command, sinceMs, destination: '', done: 0, total: null, ...(await readTotals(store, signal)) };
  }
  return null;
}

async function readTotals(
  store: string,
  signal: AbortSignal,
): Promise<Partial<Pick<HeldStore, 'destination' | 'done' | 'total'>>> {
  try {
    for await (const { totals, destination } of watch({ store, intervalMs: 0, clock: systemClock, signal }))
      return {
        destination: destination ?? '',
        done: totals.imported + totals.existing,
        total: totals.planned === 0 ? null : totals.planned,
      };
  } catch (error) {
    // The other process has only begun to make it.
    if (!(error instanceof StoreError)) throw error;
  }
  return {};
}
