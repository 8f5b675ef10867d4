import { existsSync } from 'node:fs';
import { readStore } from '../../store/open.ts';
import type { Totals } from '../../model/totals.ts';
import { addUpMessages } from '../../report/tally.ts';

/** Returns the totals of the destination that was used last; null if there is no store yet. Reads all messages. */
export function readStoreTotals(path: string): Totals | null {
  if (!existsSync(path)) return null;
  return readStore(path, (store) => addUpMessages(store, store.destinations.latest()?.id ?? null).totals);
}
