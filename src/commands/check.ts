import { readStore } from '../store/open.ts';
import { readLockHolder } from '../lib/file-lock.ts';
import { type Clock, systemClock } from '../lib/flow/clock.ts';
import type { Totals } from '../model/totals.ts';
import { collectReport } from '../report/collect-report.ts';
import { addUpMessages } from '../report/tally.ts';
import { exitCodes } from '../model/exit-codes.ts';
import type { ReportData } from '../report/report-data.ts';
import { profileNamed, profileOf, type TargetOptions } from '../delivery/target.ts';
import type { VerifyRequest } from './requests.ts';
import type { ExplainedMessage, Outcome, ShownMessage } from './results.ts';

export interface StatusRequest {
  readonly store: string;
  /** @internal Default: the system's. */
  readonly clock?: Clock;
}

/** Reads the current totals, for the destination that was used last. Works while another process imports. */
export const readStatus = (request: StatusRequest, command: string): ReportData => readTotals(request, command).report;

/** The same, for writing them out. */
export const readTotals = ({ store: path, clock = systemClock }: StatusRequest, command: string): Outcome =>
  readStore(path, (store) => {
    const last = store.destinations.latest();
    const destination = last?.id ?? null;
    const tally = addUpMessages(store, destination);
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
  });

/** Returns the address of the destination that was used last: the one that `verify` uses by default. */
export const lastAddress = (storePath: string): string | undefined =>
  readStore(storePath, (store) => {
    const address = store.destinations.latest()?.address;
    return address?.startsWith('sandbox:') ? 'sandbox' : address;
  });

export interface WatchOptions {
  readonly store: string;
  /** Time between two checks, in ms; nine times as long as a check takes, if that is more. */
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
  /** Id of the run that the process has started; null while an import still reads its export. */
  readonly runId: number | null;
  readonly destination: string | null;
  readonly totals: Totals;
}

/** Checks may take a tenth of the time at most: the totals of ten million messages take seconds. */
const pauseFactor = 9;

/**
 * Reads the totals repeatedly, until no process holds the store any more; yields nothing if none does.
 *
 * @throws StoreError if the store cannot be read; the reason with which `signal` was aborted.
 */
export async function* watch({ store: path, intervalMs, clock, signal }: WatchOptions): AsyncGenerator<Glance> {
  for (;;) {
    const startedMs = clock.monotonic();
    const glance = glanceAt(path, clock.now());
    if (!glance) return;
    yield glance;
    const tookMs = clock.monotonic() - startedMs;
    await clock.sleep(Math.max(intervalMs, pauseFactor * tookMs), signal);
  }
}

function glanceAt(path: string, atMs: number): Glance | undefined {
  const holder = readLockHolder(path);
  if (!holder) return undefined;
  return readStore(path, (store) => {
    const run = store.runs.latest();
    const destination = store.destinations.latest();
    return {
      atMs,
      command: holder.command,
      pid: holder.pid,
      runId: run && run.startedAtMs >= holder.since ? run.id : null,
      destination: destination?.name ?? null,
      totals: addUpMessages(store, destination?.id ?? null).totals,
    };
  });
}

/**
 * Reads back what the destination has of ours, and compares.
 *
 * @throws StoreError, UsageError. That the destination cannot be read is an outcome, resumable.
 */
export const verifyDestination = async (request: VerifyRequest): Promise<Outcome> =>
  (await import('./check/verify.ts')).verifyDestination(request);

/** Everything that is known of a message, by muid or by its id at the source. Empty if the store has none. */
export const explainId = async (store: string, id: string, signal: AbortSignal): Promise<readonly ExplainedMessage[]> =>
  (await import('./check/explain.ts')).explainId(store, id, signal);

/**
 * Shows what an import would send, or has sent, for a message: built by the code that import uses.
 *
 * @throws UsageError if the store has no message with this muid, or it is not sent; StoreError
 */
export const showMessage = async (
  muid: string,
  request: TargetOptions & { readonly store: string },
): Promise<ShownMessage> => (await import('./check/explain.ts')).showMessage(muid, request);
