import { existsSync } from 'node:fs';
import { readStore } from '../../store/open.ts';
import type { Clock } from '../../lib/flow/clock.ts';

/** How often it is looked whether a plan may be cut by now, in ms. */
const lookMs = 5_000;

export interface LeaseTimeOptions {
  /** How long the lease may take, in ms. */
  readonly ms: number;
  /** Path of the unit's store. */
  readonly store: string;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly over: AbortSignal;
  readonly cut: () => void;
}

/**
 * Cuts a lease whose time is over, where it loses nothing by that. A plan goes on from file to file: what it has read of a file that is not read to its
 * end is read again. So a lease that still plans is only cut once it has read one to its end; a file that takes longer than a lease is read in one that
 * is longer.
 */
export class LeaseTime {
  readonly #options: LeaseTimeOptions;
  /** As few as were seen to be read: under new settings all of them are read again. */
  #fewest: number;
  #isPlanned = false;
  #isLate = false;

  constructor(options: LeaseTimeOptions) {
    this.#options = options;
    this.#fewest = readFiles(options.store) ?? 0;
  }

  /** Everything is planned: from here on it may be cut at any instant. */
  planned(): void {
    this.#isPlanned = true;
    if (this.#isLate) this.#options.cut();
  }

  /** Resolves when it was cut, or has ended. */
  async run(): Promise<void> {
    const { ms, clock, over, cut, store } = this.#options;
    const waited = (waitMs: number) => clock.sleep(waitMs, over).catch(() => {});
    await waited(ms);
    this.#isLate = true;
    while (!over.aborted && !this.#mayBeCut(readFiles(store))) await waited(lookMs);
    if (!over.aborted) cut();
  }

  #mayBeCut(count: number | undefined): boolean {
    this.#fewest = Math.min(this.#fewest, count ?? this.#fewest);
    return this.#isPlanned || (count ?? 0) > this.#fewest;
  }
}

/** Nothing where it cannot be read: it is being made. */
function readFiles(path: string): number | undefined {
  if (!existsSync(path)) return 0;
  try {
    return readStore(path, (store) => store.files.countRead());
  } catch {
    return undefined;
  }
}
