import { ChatferryError, StoreError } from '../lib/errors.ts';
import { assertLocalDisk } from '../lib/files/local-disk.ts';
import { storeErrorOf } from '../lib/sqlite.ts';
import { exitCodes } from '../model/exit-codes.ts';
import { withDefaults } from '../commands/session.ts';
import { migrateArrivals } from './run/migrate-arrivals.ts';
import type { JobResult } from './events.ts';
import { downloadsOf, type Job, type RunRequest, type SyncControls } from './job.ts';
import { saveReport } from './run/job-report.ts';
import { jobResult, type RunFacts } from './job-result.ts';
import type { OpenLocation } from './location.ts';
import { openExportLocation } from './open-location.ts';
import { rateAt } from './schedule.ts';
import { RunStop } from './outcome.ts';
import { summarizeStore, type StoreSummary } from './run/store-summary.ts';
import type { Outcome } from '../commands/results.ts';

/** Everything that a run works in. `stopping` is aborted with a `RunStop`. */
export interface RunContext extends SyncControls {
  readonly number: number;
  readonly startedAtMs: number;
  /** Called with an internal error: the other jobs go on. */
  readonly onFault: (error: unknown) => void;
  /** In place of what the configuration names. */
  readonly open?: OpenLocation | undefined;
}

export interface JobRun {
  readonly result: JobResult;
  /** It was stopped before its end: the next run goes on at once. */
  readonly isCut: boolean;
}

/** One run of a job, from its location to its report. Never throws: whatever happens is its result. */
export async function runJob(job: Job, context: RunContext): Promise<JobRun> {
  const { name: jobName, options } = job.config;
  const failures: unknown[] = [];
  let before: StoreSummary | undefined;
  let outcome: Outcome | undefined;
  let request: RunRequest | undefined;
  try {
    if (!options.allowNetworkFs) assertLocalDisk(options.store);
    request = await requestOf(job, context);
    before = summarizeStore(request);
    const isFresh = !before.isPlanned;
    const folder = downloadsOf(options.store);
    const open = context.open ?? openExportLocation(job.config.export);
    // A stop cuts a download or a fetch at once: what it has is kept, or of no use.
    const { source } = request.mapping.rules;
    const place = { ...context, job: jobName, folder, isFresh, source, signal: context.stopping };
    const migrated = await migrateArrivals(() => open(place), request);
    outcome = migrated.outcome;
    failures.push(...migrated.failures);
  } catch (error) {
    if (!isStop(error, context)) failures.push(knownError(error, options.store, context));
  }
  const cut = cutOf(context, outcome, failures);
  const after = cleanUpAfter(request, outcome, context) ?? before;
  const { number, startedAtMs, clock } = context;
  const facts: RunFacts = {
    job: jobName,
    number,
    startedAtMs,
    endedAtMs: clock.now(),
    before,
    after,
    outcome,
    failures,
    cut,
  };
  return { result: await saveReport(jobResult(facts), outcome, job, context.onFault), isCut: cut !== undefined };
}

async function requestOf(job: Job, { clock, random, progress, stopping, signal }: RunContext): Promise<RunRequest> {
  const { rates, timeZone } = job.config;
  const importRate = rates.length === 0 ? undefined : () => rateAt({ rates, timeZone }, clock.now());
  return withDefaults({ ...(await job.request()), clock, random, progress, stopping, signal, importRate });
}

const isStop = (error: unknown, { stopping, signal }: RunContext): boolean =>
  (stopping.aborted || signal.aborted) && !(error instanceof ChatferryError && error.name !== 'DestinationError');

function knownError(error: unknown, store: string, { onFault }: RunContext): unknown {
  const known: unknown = error instanceof ChatferryError ? error : storeErrorOf(error, store);
  if (known === undefined) onFault(error);
  return known ?? error;
}

/** Whether everything was sent, but its arrival has not been checked yet. */
const isUnread = ({ report: { verify, unverified } }: Outcome): boolean =>
  !verify && unverified !== undefined && !unverified.differing;

/** A run that was asked to stop and had nothing left to do, or could do nothing, has come to its end. */
function cutOf({ stopping }: RunContext, outcome: Outcome | undefined, failures: readonly unknown[]) {
  if (!stopping.aborted) return undefined;
  const isDone = outcome ? outcome.exit !== exitCodes.stopped && !isUnread(outcome) : failures.length > 0;
  if (isDone) return undefined;
  return stopping.reason instanceof RunStop ? stopping.reason : RunStop.byUser(exitCodes.terminated);
}

/** Checks the store after a run. If the store can no longer be checked, only the earlier facts are known. */
function cleanUpAfter(
  request: RunRequest | undefined,
  outcome: Outcome | undefined,
  { onFault }: RunContext,
): StoreSummary | undefined {
  if (!request) return undefined;
  try {
    return summarizeStore(request, outcome?.report.totals);
  } catch (error) {
    if (!(error instanceof StoreError)) onFault(error);
    return undefined;
  }
}
