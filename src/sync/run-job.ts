import { isAlarm, isOpen } from '../decisions/decision.ts';
import { ChatferryError, UsageError } from '../lib/errors.ts';
import { assertLocalDisk } from '../lib/files/local-disk.ts';
import { arrivalKinds } from '../model/arrival.ts';
import { exitCodes, errorExitCode, worstExit } from '../model/exit-codes.ts';
import { withDefaults } from '../commands/session.ts';
import { migrateArrivals } from './run/migrate-arrivals.ts';
import { type JobResult, type RunNote, type SyncListener, RunStop, inWords } from './job-result.ts';
import { downloadsFolder, type Job, type RunRequest, type SyncControls, rateAt } from './job.ts';
import { knownFault, saveReport } from './run/job-report.ts';
import { type OpenLocation, plainTake } from './locations/location.ts';
import { summarizeStore, type StoreSummary } from './run/store-summary.ts';
import type { ExportLocation } from './config/export-location.ts';
import { isServerAddress } from '../io/input/server-input.ts';
import { readHeaders } from '../lib/files/header-file.ts';
import { Secret } from '../lib/secret.ts';
import { runExportCommand } from './locations/command.ts';
import { openDatabaseCopy } from './locations/database.ts';
import { downloadExport } from './locations/download.ts';
import { openDropFolder } from './locations/drop-folder.ts';
import { fetchKey, fetchNewMessages } from './locations/fetch.ts';
import { fetchFromProvider, providerKey } from './locations/provider.ts';
import type { Outcome } from '../commands/results.ts';
import { type Totals, noDeliveryTotals } from '../model/totals.ts';

/** Everything that a run works in. `stopping` is aborted with a `RunStop`. */
export interface RunContext extends SyncControls {
  readonly number: number;
  readonly startedAtMs: number;
  /** Called with an internal error: the other jobs go on. */
  readonly onFault: (error: unknown) => void;
  /** In place of what the configuration names. */
  readonly open?: OpenLocation | undefined;
}

/** State shared by all runs of a process. When the process is to end, `stopping` is aborted, and `signal` a little later. */
export interface SyncContext extends SyncControls {
  readonly listener: SyncListener;
  /** 130 or 143, once `stopping` is aborted. */
  readonly stopExit: () => number;
  readonly onFault: (error: unknown) => void;
  /** One run of a job: `runJob`. Never throws. */
  readonly run: (job: Job, context: RunContext) => Promise<JobRun>;
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
  let notes: readonly RunNote[] = [];
  try {
    if (!options.allowNetworkFs) assertLocalDisk(options.store);
    request = await buildRequest(job, context);
    before = summarizeStore(request);
    const isFresh = !before.isPlanned;
    const folder = downloadsFolder(options.store);
    const open = context.open ?? openExportLocation(job.config.export);
    // A stop cuts a download or a fetch at once: what it has is kept, or of no use.
    const { source } = request.mapping.rules;
    const place = { ...context, job: jobName, folder, isFresh, source, signal: context.stopping };
    const migrated = await migrateArrivals(() => open(place), request);
    outcome = migrated.outcome;
    failures.push(...migrated.failures);
    notes = migrated.notes;
  } catch (error) {
    if (!isStop(error, context)) failures.push(knownFault(error, options.store, context));
  }
  const cut = findRunStop(context, outcome, failures);
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
    notes,
  };
  return { result: await saveReport(jobResult(facts), outcome, job, context.onFault), isCut: cut !== undefined };
}

async function buildRequest(job: Job, { clock, random, progress, stopping, signal }: RunContext): Promise<RunRequest> {
  const { rates, timeZone } = job.config;
  const importRate = rates.length === 0 ? undefined : () => rateAt({ rates, timeZone }, clock.now());
  return withDefaults({
    ...(await job.request()),
    clock,
    random,
    progress,
    stopping,
    signal,
    importRate,
    asksKey: true,
  });
}

const isStop = (error: unknown, { stopping, signal }: RunContext): boolean =>
  (stopping.aborted || signal.aborted) && !(error instanceof ChatferryError && error.name !== 'DestinationError');

/** Whether everything was sent, but its arrival has not been checked yet. */
const isUnread = ({ report: { verify, unverified } }: Outcome): boolean =>
  !verify && unverified !== undefined && !unverified.differing;

/** A run that was asked to stop and had nothing left to do, or could do nothing, has come to its end. */
function findRunStop({ stopping }: RunContext, outcome: Outcome | undefined, failures: readonly unknown[]) {
  if (!stopping.aborted) return undefined;
  const isDone = outcome ? outcome.exit !== exitCodes.stopped && !isUnread(outcome) : failures.length > 0;
  if (isDone) return undefined;
  return stopping.reason instanceof RunStop ? stopping.reason : RunStop.byUser(exitCodes.terminated);
}

/** Checks the store after a run. If the store can no longer be checked, only the earlier facts are known. */
function cleanUpAfter(
  request: RunRequest | undefined,
  outcome: Outcome | undefined,
  context: RunContext,
): StoreSummary | undefined {
  if (!request) return undefined;
  try {
    return summarizeStore(request, outcome?.report.totals);
  } catch (error) {
    knownFault(error, request.store, context);
    return undefined;
  }
}

/** How the place is opened that a job's configuration names. */
export function openExportLocation(location: ExportLocation): OpenLocation {
  if ('path' in location) return async () => plainTake(location.path);
  if ('dropFolder' in location) return (context) => openDropFolder(location, context);
  if ('url' in location) return (context) => downloadExport(location, context);
  if ('command' in location) return (context) => runExportCommand(location, context);
  if ('database' in location) return (context) => openDatabaseCopy(location, context);
  if ('provider' in location) return (context) => fetchFromProvider(location.provider, context);
  return (context) => fetchNewMessages(location, context);
}

/**
 * Checks a location before it is contacted: that its secrets are there, and only their owner may read them.
 *
 * @returns The secrets themselves, to be kept out of logs.
 * @throws UsageError
 */
export function checkLocation(
  location: ExportLocation,
  env: Readonly<Record<string, string | undefined>>,
): readonly Secret[] {
  if ('url' in location && location.headersFile !== undefined) {
    return Object.values(readHeaders(location.headersFile)).flatMap(splitSecrets);
  }
  if ('database' in location || ('path' in location && location.path.some(isServerAddress)))
    return passwordVariables.flatMap((name) => (env[name] ? splitSecrets(env[name]) : []));
  if ('provider' in location) {
    const key = providerKey(location.provider, env);
    if (key) return [key];
    throw new UsageError(`Cannot fetch from ${location.provider.name}: no key`, {
      hint: `Set the variable ${location.provider.apiKeyVariable}`,
    });
  }
  if (!('fetch' in location)) return [];
  const key = fetchKey(location.fetch, env);
  if (key) return [key];
  throw new UsageError(`Cannot fetch from ${location.fetch.from}: no API key`, {
    hint: `Set the variable ${location.fetch.apiKeyVariable}`,
  });
}

/** Variables in which database clients look for a password. */
const passwordVariables = ['PGPASSWORD', 'MYSQL_PWD'];

/** Shorter values are no secrets; to take every "7" out of a log would hide what it says. */
const secretLengthMin = 8;

/** `Bearer t0ken…`: the whole, and the token by itself. */
const splitSecrets = (value: string): readonly Secret[] =>
  [value, ...value.split(/[ =;,]+/)].filter((one) => one.length >= secretLengthMin).map((one) => new Secret(one));

/** Facts known at the end of a run, however it ended. */
export interface RunFacts extends Pick<JobResult, 'job' | 'number' | 'startedAtMs' | 'endedAtMs' | 'notes'> {
  readonly before: StoreSummary | undefined;
  readonly after: StoreSummary | undefined;
  readonly outcome: Outcome | undefined;
  /** Errors that ended it, or a part of it. */
  readonly failures: readonly unknown[];
  /** It was asked to stop, and has something left to do. */
  readonly cut: RunStop | undefined;
}

function jobResult(facts: RunFacts): JobResult {
  const { job, number, startedAtMs, endedAtMs, before, after, outcome, failures, cut, notes } = facts;
  const exits = [
    ...(outcome ? [unconfirmedReading(outcome) ? exitCodes.needsPerson : outcome.exit] : []),
    ...failures.map(errorExitCode),
    ...(cut ? [cut.exit] : []),
  ];
  const { import: imports = 0, list = 0, retried = 0, rateLimited = 0 } = outcome?.report.requests ?? {};
  return {
    job,
    number,
    startedAtMs,
    endedAtMs,
    exit: worstExit(exits),
    isChanged: before?.exportDigest !== after?.exportDigest,
    added: addedBy(before, after),
    remaining: remainingAfter(after, outcome),
    requests: { import: imports, list, retried, rateLimited },
    verify: outcome?.report.verify ?? null,
    stopped: stoppedBy(facts),
    notes: [...notes, ...keptBack(outcome)],
    report: null,
  };
}

/** Messages that alarms of a confirmed reading keep back until a person decides. */
const keptBack = (outcome: Outcome | undefined): JobResult['notes'] =>
  (outcome?.report.decisions ?? []).flatMap((decision) =>
    isAlarm(decision) && isOpen(decision) && 'keepsBack' in decision.ifUndecided
      ? [
          {
            code: decision.id,
            message: decision.why,
            hint: 'They are kept back until a person decides: chatferry plan shows them',
          },
        ]
      : [],
  );

/** A reading that a person has to confirm again. */
function unconfirmedReading({ report: { reading } }: Outcome): JobResult['stopped'] | undefined {
  if (reading === undefined || reading.stops.length === 0) return undefined;
  const hint = `Look at it with chatferry plan, and confirm it there: --confirm-reading ${reading.digest}`;
  return { code: 'reading-unconfirmed', message: `Stopped: ${reading.stops.join(' ')}`, hint };
}

/** Messages: those of the export, and those that say what changed. */
function remainingAfter(after: StoreSummary | undefined, outcome: Outcome | undefined): JobResult['remaining'] {
  const { pending, unconfirmed } = outcome?.report.followUps ?? noDeliveryTotals();
  return {
    pending: (after?.totals.pending ?? 0) + pending,
    unconfirmed: (after?.totals.unconfirmed ?? 0) + unconfirmed,
  };
}

type Added = JobResult['added'];

const counted = ['read', 'skipped', 'invalid', 'imported', 'existing', 'failed', 'late'] as const;

/** A row that is not counted any more, or that another rule decides about now, adds nothing: never less than zero. */
function addedBy(before: StoreSummary | undefined, after: StoreSummary | undefined): Added {
  const more = (now = 0, then = 0) => Math.max(0, now - then);
  const gained = (now: Readonly<Record<string, number>> = {}, then: Readonly<Record<string, number>> = {}) =>
    Object.fromEntries(
      Object.entries(now).flatMap(([kind, count]) =>
        count > (then[kind] ?? 0) ? [[kind, count - (then[kind] ?? 0)]] : [],
      ),
    );
  const totals = (name: keyof Totals) => more(after?.totals[name], before?.totals[name]);
  return {
    ...(Object.fromEntries(counted.map((name) => [name, totals(name)])) as Pick<Added, (typeof counted)[number]>),
    drift: gained(after?.drift, before?.drift),
    arrivals: Object.fromEntries(
      arrivalKinds.flatMap((kind) => {
        const gain = gained(after?.arrivals[kind], before?.arrivals[kind]);
        return Object.keys(gain).length === 0 ? [] : [[kind, gain]];
      }),
    ),
    actions: gained(after?.actions, before?.actions),
  };
}

/** Returns the reason of a stop. Among several, uses the one that decides the exit code, and names the others after it. */
function stoppedBy({ outcome, failures, cut }: RunFacts): JobResult['stopped'] {
  if (cut) return { code: cut.code, message: cut.message, hint: cut.hint };
  const worst = worstExit(failures.map(errorExitCode));
  const [first, ...others] = [...failures].sort(
    (a, b) => Number(errorExitCode(b) === worst) - Number(errorExitCode(a) === worst),
  );
  if (first === undefined) return outcome ? (unconfirmedReading(outcome) ?? outcome.report.stopped) : null;
  const { code, message, hint } = inWords(first);
  return { code, message: [message, ...others.map((other) => inWords(other).message)].join('; '), hint };
}
