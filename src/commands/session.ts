import { type KeyPlaces, readApiKey } from '../config/api-key.ts';
import { optionDefaults, type Options } from '../config/options.ts';
import { readTrust } from '../config/trusted-files.ts';
import type { MediaFlags } from '../media/media-rules.ts';
import { loadMapping } from '../mapping/load.ts';
import type { DestinationRow } from '../store/destinations.ts';
import { openStore, type Store } from '../store/open.ts';
import { type Clock, systemClock } from '../lib/flow/clock.ts';
import { type DestinationError, StoreError } from '../lib/errors.ts';
import { toSecret } from '../lib/secret.ts';
import { silent } from '../lib/flow/progress.ts';
import type { VerifyResult } from '../model/totals.ts';
import { type CollectOptions, collectReport } from '../report/collect-report.ts';
import { exitCodes } from '../model/exit-codes.ts';
import type { ReadRow, ReportData } from '../report/report-data.ts';
import type { RequestCounts } from '../delivery/destination.ts';
import { knownDestination, openTarget, type Target, type TargetOptions } from '../delivery/target.ts';
import type { PlanChoices } from '../plan/plan-options.ts';
import type { SendChoices } from '../delivery/session.ts';
import type { CommandRequest, Complete, ImportRequest, InitRequest, PlanRequest } from './requests.ts';
import type { Outcome } from './results.ts';

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
    apiKey: toSecret(request.apiKey),
  };
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
        store.transaction(collectReport)(store, {
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

/** The destination to which a command returns. @throws StoreError if nothing was sent there. */
export function sentDestination(store: Store, request: Complete<CommandRequest>, command: string): DestinationRow {
  const known = knownDestination(store, request);
  if (known && store.destinations.hasDeliveries(known.id)) return known;
  throw new StoreError(
    `Cannot ${command}: nothing of "${request.store}" was sent to ${request.appId ?? request.to} yet`,
    {
      path: request.store,
      hint: 'Run "chatferry import EXPORT" first, or pass --to with the destination of an import',
    },
  );
}

export interface RunEnding {
  readonly requests: RequestCounts | null;
  readonly verify?: VerifyResult | null;
  readonly stopped?: DestinationError | undefined;
  /** There was nothing else to ask the destination for, and it did not say whether it takes the key. */
  readonly unasked?: DestinationError | undefined;
}

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
export const stoppedBy = ({ code, message, hint, goOn, needsPerson }: DestinationError) => ({
  code,
  message,
  hint: hint ?? null,
  ...(goOn && { goOn }),
  ...(needsPerson && { needsPerson }),
});

export const targetOf = (
  options: Options,
  to: string,
  { env, readInput }: KeyPlaces,
): Omit<TargetOptions, 'clock'> => ({
  ...targetOptionsOf(options, to),
  apiKey: readApiKey(options.apiKeyFile, env, readInput),
});

/** The same without the key. */
export function targetOptionsOf(options: Options, to: string): Omit<TargetOptions, 'clock' | 'apiKey'> {
  const { appId, region, profile, batchItems, batchBytes, duplicates, gracePeriod, rate, concurrency, readBack } =
    options;
  const { retentionDays, rehearseFor, people } = options;
  return {
    to,
    appId,
    region,
    profile,
    rehearseFor,
    concurrency,
    overrides: {
      ...(people !== undefined && { people }),
      ...(batchItems !== undefined && { batchItemsMax: batchItems }),
      ...(batchBytes !== undefined && { batchBytesMax: batchBytes }),
      ...(duplicates !== undefined && { duplicates }),
      ...(!readBack && { readBack }),
      ...(gracePeriod !== undefined && { graceLongMs: gracePeriod }),
      ...(rate !== undefined && { importsPerMinute: rate }),
      ...(retentionDays !== undefined && { retentionDays }),
    },
  };
}

/** Each is required, so that an option that is not passed on is a type error. */
type Planning = Required<
  Omit<PlanChoices, 'itemsPerCommit'> &
    Pick<PlanRequest, 'store' | 'from' | 'mapping' | 'allowMappingChange' | 'confirmReading' | 'decidedBy'>
>;
type Sending = Required<SendChoices & Pick<ImportRequest, 'verify'>>;

/**
 * Returns the options about reading and mapping exports: the same for every command that plans.
 *
 * @param read The paths read as exports, if they are different ones.
 */
export const planningOf = async (
  options: Options,
  exports: readonly string[],
  read: readonly string[] = exports,
): Promise<Planning> => ({
  store: options.store,
  from: exports,
  source: options.source,
  workspace: options.workspace,
  mapping: await loadMapping(options.mapping, { exports: read, trust: readTrust }),
  allowMappingChange: options.allowMappingChange,
  confirmReading: options.confirmReading,
  decidedBy: options.decidedBy,
  only: options.only,
  drift: options.drift,
  exportScope: options.exportScope,
  actions: options.actions,
});

/** Returns the options about sending: the same for every command that sends what was planned. */
export const sendChoices = (options: Options): Sending => ({
  sendProfiles: options.sendProfiles,
  maxFailureShare: options.maxFailures,
  outOfOrder: options.outOfOrder,
  trackUsers: options.trackUsers,
  verify: options.verify,
});

export const mediaFlagsOf = (options: Options): MediaFlags => ({
  to: options.mediaTo,
  address: options.mediaBaseUrl,
  missing: options.mediaMissing,
  endpoint: options.mediaEndpoint,
  region: options.mediaRegion,
  credentials: options.mediaCredentials,
  token: options.mediaToken,
  tokenHosts: options.mediaTokenHosts,
  bandwidth: options.bandwidth,
});

export function configOf({ workspace, store, to, appId, region, profile }: Options): InitRequest['config'] {
  return { workspace, to, appId, region, profile, store: store === './chatferry.db' ? undefined : store };
}
