import type { Store } from '../checkpoint/open.ts';
import { Tally } from './tally.ts';

/** Returns the totals of an earlier run, if nothing changed since. */
export function cachedTally(store: Store, destination: number | null): Tally | undefined {
  const text = store.readTotals(nameOf(destination));
  return text === undefined ? undefined : Tally.from(text);
}

/** For the next run, should nothing change until then. */
export function cacheTally({ totalsCache }: Store, destination: number | null, tally: Tally): void {
  if (!totalsCache || totalsCache.read(nameOf(destination)) !== undefined) return;
  const text = tally.toText();
  if (text !== undefined) totalsCache.save(nameOf(destination), text);
}

const nameOf = (destination: number | null) => `tally of ${destination ?? 'no destination'}`;
