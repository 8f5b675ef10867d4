import { openStore, type Store } from '../store/open.ts';
import { optionDefaults } from '../config/options.ts';
import { type Clock, systemClock } from '../lib/flow/clock.ts';
import type { DestinationError } from '../lib/errors.ts';
import { type Secret, secretOf } from '../lib/secret.ts';
import { type Progress, silent } from '../lib/flow/progress.ts';
import type { VerifyResult } from '../model/totals.ts';
import { type CollectOptions, collectReport } from '../report/collect-report.ts';
import type { Counted } from '../report/report-files.ts';
import { exitCodes } from '../model/exit-codes.ts';
import type { ReadRow, ReportData } from '../report/report-data.ts';
import type { RequestCounts } from '../delivery/destination.ts';
import { openTarget, type Target, type TargetOptions } from '../delivery/target.ts';

/** Environment of a command. */
export interface RunControls {
  /** Default: the system's. */
  readonly clock: Clock;
  /** In [0, 1). Default: `Math.random`. */
  readonly random: () => number;
  /** Receives the progress. Default: none is reported. */
  readonly progress: Progress;
  /** Aborted: nothing new begins. Default: never. */
  readonly stopping: AbortSignal;
  /** Aborted: requests in flight are cut as well. Default: never. */
  readonly signal: AbortSignal;
}

/** Request of a command on a store and at a destination; the destination is the embedded sandbox unless named. */
export interface CommandRequest extends Partial<RunControls>, Partial<Omit<TargetOptions, 'apiKey'>> {
  readonly store: string;
  /** A key of the destination with full access. A text is wrapped at once and shown in no log or error. */
  readonly apiKey?: string | Secret | undefined;
}

/** A request in which nothing is left out. */
export type Complete<R extends CommandRequest> = R & RunControls & TargetOptions;

export function withDefaults<R extends CommandRequest>(request: R): Complete<R> {
  const never: AbortSignal = new AbortController().signal;
  return {
    clock: systemClock,
    random: Math.random,
    progress: silent,
    stopping: never,
    signal: never,
    to: 'sandbox',
    overrides: {},
    concurrency: optionDefaults.concurrency,
    ...request,
    apiKey: secretOf(request.apiKey),
  };
}

/** Result of a command: everything that a report shows, and the exit code. */
export interface Outcome {
  readonly report: ReportData;
  readonly exit: number;
  /** For the lists that are too long for a report. */
  readonly counted: Counted;
}

/** A command at work on a store, which it alone writes to. */
export interface Session {
  readonly store: Store;
  readonly command: string;
  readonly clock: Clock;
  /**
   * When it asked for the store (wall time): after that, an earlier process can send nothing more, but its requests may
   * still be applied. Undefined if the store was taken over from a process that may still be alive.
   */
  readonly lockTakenAtMs: number | undefined;
  /** When it had the store, monotonic. */
  readonly lockTakenMs: number;
  /** For tables: rows that a plan of this session has read, for its report. */
  readonly rowsRead: ReadRow[];
  /** Returns the current content of the store, as a report of this command. */
  readonly report: (about: Omit<CollectOptions, 'command' | 'nowMs' | 'elapsedMs' | 'rowsRead'>) => ReportData;
}

/** Opens a store for a command, and closes it whatever happens. @throws StoreError */
export async function inSession<T>(
  request: { readonly store: string; readonly clock: Clock; readonly isTakenOver?: boolean | undefined },
  command: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { clock, isTakenOver = false } = request;
  const startedMs = clock.monotonic();
  const lockTakenAtMs = clock.now();
  const store = openStore(request.store, { command, nowMs: lockTakenAtMs });
  const rowsRead: ReadRow[] = [];
  try {
    return await work({
      store,
      command,
      clock,
      lockTakenAtMs: isTakenOver ? undefined : lockTakenAtMs,
      lockTakenMs: clock.monotonic(),
      rowsRead,
      report: (about) =>
        collectReport(store, {
          ...about,
          command,
          rowsRead,
          nowMs: clock.now(),
          elapsedMs: clock.monotonic() - startedMs,
        }),
    });
  } finally {
    store.close();
  }
}

/** Opens the target of a command, and closes it whatever happens. @throws UsageError if the address or the key cannot be used. */
export async function atTarget<T>(
  { store }: Session,
  request: TargetOptions & { readonly openTarget?: typeof openTarget | undefined },
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const target = await (request.openTarget ?? openTarget)(store, request);
  try {
    return await work(target);
  } finally {
    await target.close();
  }
}

/** Facts recorded at the end of a run. */
export interface RunEnding {
  readonly requests: RequestCounts | null;
  readonly verify?: VerifyResult | null;
  readonly stopped?: DestinationError | undefined;
}

/** One execution recorded in the store. */
export interface Run {
  readonly id: number;
  readonly end: (exit: number, ending: RunEnding) => void;
}

/** Starts a run in the store. @param at The destination; undefined if nothing is sent. */
export function beginRun({ store, command, clock }: Session, profile: string, at: Pick<Target, 'id'> | undefined): Run {
  const id = store.runs.start({ command, destination: at?.id ?? null, profile, nowMs: clock.now() });
  return {
    id,
    end(exit, { requests, verify = null, stopped }) {
      const why = stopped ? stoppedBy(stopped) : null;
      store.runs.end(id, { exit, nowMs: clock.now(), requests, verify, stopped: why });
    },
  };
}

/**
 * Ends a run with what its report comes to. It is ended before that as well, resumable: the report is made of what the run
 * ended with, and to draw it from a large store takes a while in which the process may be killed.
 */
export function endReported<T extends Outcome>(run: Run, ending: RunEnding, report: () => T): T {
  run.end(exitCodes.stopped, ending);
  const outcome = report();
  run.end(outcome.exit, ending);
  return outcome;
}

/** Returns why something stopped, in the form that the store and reports use. */
export const stoppedBy = ({ code, message, hint, goOn }: DestinationError) => ({
  code,
  message,
  hint: hint ?? null,
  ...(goOn && { goOn }),
});
