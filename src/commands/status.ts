import { openStoreToRead } from '../checkpoint/open.ts';
import { holderOf } from '../lib/file-lock.ts';
import { type Clock, systemClock } from '../lib/flow/clock.ts';
import type { Totals } from '../model/totals.ts';
import { collectReport, tallyOf } from '../report/collect-report.ts';
import { exitCodes } from '../model/exit-codes.ts';
import type { ReportData } from '../report/report-data.ts';
import { profileNamed, profileOf } from '../delivery/target.ts';
import type { Outcome } from './session.ts';

export interface LookRequest {
  readonly store: string;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** The books as they stand, of the destination that was used last. Works while another process imports. */
export const readStatus = (request: LookRequest, command: string): ReportData => readBooks(request, command).report;

/** The same, for writing them out. */
export function readBooks({ store: path, clock = systemClock }: LookRequest, command: string): Outcome {
  const store = openStoreToRead(path);
  try {
    const last = store.delivery.lastDestination();
    const destination = last?.id ?? null;
    const tally = tallyOf(store, destination);
    const report = collectReport(store, {
      command,
      nowMs: clock.now(),
      destination: last && {
        id: last.id,
        name: last.name,
        profile: profileOf({ to: last.address, overrides: {}, profile: profileNamed(last.profile) }),
      },
      elapsedMs: null,
      tally,
    });
    return { report, exit: exitCodes.done, counted: { destination, tally } };
  } finally {
    store.close();
  }
}

/** The address of the destination that was used last: what `verify` speaks of unless told otherwise. */
export function lastAddress(storePath: string): string | undefined {
  const store = openStoreToRead(storePath);
  try {
    const address = store.delivery.lastDestination()?.address;
    return address?.startsWith('sandbox:') ? 'sandbox' : address;
  } finally {
    store.close();
  }
}

export interface WatchOptions {
  readonly store: string;
  /** Between two looks, in ms; nine times as long as a look takes where that is more. */
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A look at a store that another process works on. */
export interface Glance {
  readonly atMs: number;
  /** As its user called it: import, plan, verify. */
  readonly command: string;
  readonly pid: number;
  /** Of the run that the process has begun; null while an import still reads its export. */
  readonly runId: number | null;
  /** Of the destination that was used last. */
  readonly destination: string | null;
  readonly totals: Totals;
}

/** Looking shall take a tenth of the time at most: the books of ten million messages take seconds. */
const pauseFactor = 9;

/**
 * Looks at the books again and again, until no process holds the store any more; not once where none does.
 *
 * @throws StoreError if the store cannot be read; what `signal` was aborted with.
 */
export async function* watch({ store: path, intervalMs, clock, signal }: WatchOptions): AsyncGenerator<Glance> {
  for (;;) {
    const startedMs = clock.monotonic();
    const glance = look(path, clock.now());
    if (!glance) return;
    yield glance;
    const tookMs = clock.monotonic() - startedMs;
    await clock.sleep(Math.max(intervalMs, pauseFactor * tookMs), signal);
  }
}

function look(path: string, atMs: number): Glance | undefined {
  const holder = holderOf(path);
  if (!holder) return undefined;
  const store = openStoreToRead(path);
  try {
    const run = store.delivery.latestRun();
    const destination = store.delivery.lastDestination();
    return {
      atMs,
      command: holder.command,
      pid: holder.pid,
      runId: run && run.startedAtMs >= holder.since ? run.id : null,
      destination: destination?.name ?? null,
      totals: tallyOf(store, destination?.id ?? null).totals,
    };
  } finally {
    store.close();
  }
}
