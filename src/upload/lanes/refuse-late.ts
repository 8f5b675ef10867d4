import { lateLaneRefuser } from '../../checkpoint/delivery/refuse-late.ts';
import type { Store } from '../../checkpoint/base/store.ts';
import type { Lane } from './lanes.ts';
import type { openLane } from './open-lane.ts';

type Open = (lane: Lane, signal: AbortSignal) => ReturnType<typeof openLane>;

export interface RefuseLateOptions {
  readonly store: Store;
  readonly destination: number;
  readonly run: number;
  /** Lanes in which an earlier run left something in doubt: it may have turned out to be there. */
  readonly doubtful: readonly Lane[];
}

/**
 * Opens lanes, and refuses what only then turns out to be late: younger messages of ours are there of which the store did
 * not know. What was tried before is sent.
 *
 * @returns As `openLane`, with what was refused among what needs no sending.
 */
export function refusingLate(open: Open, { store, destination, run, doubtful }: RefuseLateOptions): Open {
  const wasInDoubt = new Set(doubtful);
  const refuse = lateLaneRefuser(store.db, destination, run);
  return async (lane, signal) => {
    const before = lane.deliveredUpTo;
    const found = await open(lane, signal);
    const upTo = lane.deliveredUpTo;
    if (found === 'last message gone' || !upTo || (upTo === before && !wasInDoubt.has(lane))) return found;
    let refused = 0;
    await store.commits.commit(() => (refused = refuse(lane.conversation, upTo)));
    return found + refused;
  };
}
