import type { Store } from '../checkpoint/open.ts';
import { Tally } from './tally.ts';

/** What an earlier run has added up, where nothing changed since. */
export function keptTally({ kept }: Store, destination: number | null): Tally | undefined {
  const text = kept?.read(nameOf(destination));
  return text === undefined ? undefined : Tally.from(text);
}

/** For the next run, should nothing change until then. */
export function keepTally({ kept }: Store, destination: number | null, tally: Tally): void {
  if (!kept || kept.read(nameOf(destination)) !== undefined) return;
  const text = tally.toText();
  if (text !== undefined) kept.keep(nameOf(destination), text);
}

const nameOf = (destination: number | null) => `tally of ${destination ?? 'no destination'}`;
