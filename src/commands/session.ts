import type { Severity } from '../mapping/checks/check.ts';
import { hasActionsLeft, hasActionsSince } from '../checkpoint/delivery/action-counts.ts';
import { hasDeliveries, lastDestination } from '../checkpoint/base/destinations.ts';
import { countFollowUps } from '../checkpoint/staging/follow-ups.ts';
import { endRun, hasBatchesSince, lastVerifiedRun, startRun } from '../checkpoint/base/runs.ts';
import { openStore, openStoreToRead, type Store } from '../checkpoint/base/store.ts';
import type { Clock } from '../lib/clock.ts';
import { DestinationError, UsageError } from '../lib/errors.ts';
import type { Mapping } from '../mapping/rules/load-rules.ts';
import type { VerifyResult } from '../model/books.ts';
import type { ReportData } from '../report/report-data.ts';
import { addRequests, type RequestCounts } from '../upload/pace/destination.ts';
import { collectReport, tallyOf } from '../report/collect/collect-report.ts';
import { type Excerpt, readExcerpt } from './excerpt.ts';
import { exitCodes, exitOfImport, exitOfPlan } from '../report/exit-codes.ts';
import { type ImportOptions, type ImportResult, sendPending } from '../upload/import.ts';
import { performActions } from '../upload/actions/perform-actions.ts';
import { plan } from '../plan/plan.ts';
import type { PlanOptions } from '../plan/plan-options.ts';
import type { Progress } from '../lib/progress.ts';
import type { Counted } from '../report/collect/report-files.ts';
import type { Tally } from '../report/collect/tally.ts';
import {
  checkTarget,
  knownDestination,
  openTarget,
  profileOf,
  type Target,
  type TargetOptions,
} from '../upload/target.ts';
import { verify } from '../verify/verify.ts';

/** What a command came to: everything that a report shows, and the exit code. */
export interface Outcome {
  readonly report: ReportData;
  readonly exit: number;
  /** A few messages as the embedded sandbox lists them after an import. */
  readonly excerpt?: Excerpt | undefined;
  /** For the lists that are too long for a report. */
  readonly counted: Counted;
}

interface Surroundings {
  readonly clock: Clock;
  readonly random: () => number;
  readonly progress: Progress;
  readonly stopping: AbortSignal;
  readonly signal: AbortSignal;
}

export interface PlanRequest extends Surroundings, TargetOptions {
  readonly store: string;
  readonly exports: PlanOptions['exports'];
  readonly source?: string | undefined;
  readonly ahead?: PlanOptions['ahead'];
  readonly workspace?: string | undefined;
  readonly mapping: Mapping;
  readonly acceptMapping: boolean;
  readonly only?: PlanOptions['only'];
  readonly actions?: PlanOptions['actions'];
  readonly drift?: PlanOptions['drift'];
  readonly exportKeeps?: PlanOptions['exportKeeps'];
  readonly late?: ImportOptions['late'];
  /** A plan that finds something of this severity, or a worse one, ends as if something was rejected. */
  readonly failOn?: Severity | undefined;
  /** Whether addresses of attachments are asked after planning: the only requests that a plan makes. */
  readonly probeMedia?: boolean | undefined;
}

export interface ImportRequest extends PlanRequest, Pick<ImportOptions, 'details' | 'maxRefusedShare' | 'notePeople'> {
  readonly verify: boolean;
  /** How the destination is reached; over the network, or in this process for the embedded sandbox, without it. */
  readonly openTarget?: typeof openTarget | undefined;
  /** Told once the exports are planned, before anything is sent. */
  readonly onPlanned?: (() => void) | undefined;
  /** Asked before the first message is sent, with the plan; `false` ends the run with nothing sent. */
  readonly confirm?: ((plan: ReportData) => Promise<boolean>) | undefined;
}

/** Dry run: reads, maps, stages and reports; sends nothing. */
export async function planExport(request: PlanRequest): Promise<Outcome> {
  const startedMs = request.clock.monotonic();
  const store = openStore(request.store, { command: 'plan', nowMs: request.clock.now() });
  try {
    const run = startRun(store.db, {
      command: 'plan',
      destination: null,
      profile: profileOf(request).name,
      nowMs: request.clock.now(),
    });
    const tally = await plan(store, planOptions(request));
    if (request.probeMedia) {
      // Loaded where it is needed: 15 MB that most plans do without.
      const { probeMedia } = await import('../plan/probe-media/probe-media.ts');
      await probeMedia(store, { progress: request.progress, signal: request.stopping });
    }
    const known = knownDestination(store, request);
    // What a new store has just taken in was sent nowhere.
    const counted = known ? { destination: known.id, tally: tallyOf(store, known.id) } : { destination: -1, tally };
    const report = collectReport(store, {
      command: 'plan',
      nowMs: request.clock.now(),
      destination: { id: counted.destination, name: known?.name ?? nameOf(request), profile: profileOf(request) },
      elapsedMs: request.clock.monotonic() - startedMs,
      run,
      tally: counted.tally,
    });
    const exit = exitOfPlan(report, request.failOn);
    endRun(store.db, run, { exit, nowMs: request.clock.now(), requests: null, verify: null, stopped: null });
    return { report, exit, counted };
  } finally {
    store.close();
  }
}

const nameOf = ({ to, appId }: TargetOptions) => appId ?? to;

const planOptions = (request: PlanRequest): PlanOptions => ({
  ...request,
  profile: profileOf(request),
  signal: request.stopping,
});

/** Plans, sends and verifies. The same request continues after any interruption. */
export async function importExport(request: ImportRequest): Promise<Outcome> {
  const { clock } = request;
  checkTarget(request);
  const startedMs = clock.monotonic();
  const lockTakenAtMs = clock.now();
  const store = openStore(request.store, { command: 'import', nowMs: lockTakenAtMs });
  try {
    const planned = request.exports.length > 0 ? await plan(store, planOptions(request)) : undefined;
    if (request.exports.length === 0) assertPlanned(store, request.store);
    else request.onPlanned?.();
    const target = await (request.openTarget ?? openTarget)(store, request);
    try {
      return await sendAndVerify(store, target, request, { command: 'import', startedMs, lockTakenAtMs, planned });
    } finally {
      await target.close();
    }
  } finally {
    store.close();
  }
}

/** What sending needs to know of the request. */
export type SendRequest = Pick<
  ImportRequest,
  keyof Surroundings | 'concurrency' | 'details' | 'maxRefusedShare' | 'late' | 'verify' | 'confirm'
>;

/** A run that sends: what it is called, and what it does first. */
export interface SendTask {
  readonly command: string;
  readonly startedMs: number;
  readonly lockTakenAtMs: number;
  /** The messages added up, where that was done already. */
  readonly planned?: Tally | undefined;
  /** Puts back what is to be sent again, under the id of the run; its requests are counted with the run's. */
  readonly prepare?: (run: number) => Promise<Pick<ImportResult, 'requests' | 'stopped'>>;
  /** Send only what `chooseMessages` named. */
  readonly chosenOnly?: boolean;
}

/** Sends what is pending and reads it back. */
export async function sendAndVerify(
  store: Store,
  target: Target,
  request: SendRequest,
  { command, startedMs, lockTakenAtMs, planned, prepare, chosenOnly }: SendTask,
): Promise<Outcome> {
  const { clock } = request;
  const collect = (tally: Tally, run?: number) =>
    collectReport(store, {
      command,
      nowMs: clock.now(),
      destination: target,
      elapsedMs: clock.monotonic() - startedMs,
      tally,
      ...(run !== undefined && { run }),
    });
  let before: Tally | undefined;
  if (request.confirm && !target.isEmbedded) {
    before = planned && !hasDeliveries(store.db, target.id) ? planned : tallyOf(store, target.id);
    const followUps = countFollowUps(store.db, target.id);
    if (before.books.pending + followUps.pending > 0 || hasActionsLeft(store.db, target.id)) {
      const report = collect(before);
      if (!(await request.confirm(report)))
        return { report, exit: exitCodes.usage, counted: { destination: target.id, tally: before } };
    }
  }
  const run = startRun(store.db, {
    command,
    destination: target.id,
    profile: target.profile.name,
    nowMs: clock.now(),
  });
  const prepared = await prepare?.(run);
  const sent = prepared?.stopped
    ? prepared
    : await sendPending(store, target, { ...request, runId: run, lockTakenAtMs, ...(chosenOnly && { chosenOnly }) });
  if (prepared && prepared !== sent) addRequests(sent.requests, prepared.requests);
  const acted =
    sent.stopped || request.stopping.aborted
      ? undefined
      : await performActions(store, target, { ...request, runId: run, lockTakenAtMs });
  if (acted) addRequests(sent.requests, acted.requests);
  const unfinished = sent.stopped ?? acted?.stopped;
  const checked = await verifyRun(store, target, request, { ...sent, stopped: unfinished });
  const stopped = unfinished ?? checked.stopped;
  const end = {
    requests: sent.requests,
    verify: checked.verify,
    stopped: stopped && { code: stopped.code, message: stopped.message, hint: stopped.hint ?? null },
  };
  endRun(store.db, run, { ...end, exit: exitCodes.stopped, nowMs: clock.now() });
  // Where there was nothing to send and nothing in doubt, nothing has changed.
  const isUnchanged = before && before.books.pending === 0 && before.books.inDoubt === 0;
  const tally = isUnchanged ? before! : tallyOf(store, target.id);
  const report = collect(tally, run);
  const exit = exitOfImport(report);
  endRun(store.db, run, { ...end, exit, nowMs: clock.now() });
  const excerpt =
    target.isEmbedded && !request.signal.aborted ? await readExcerpt(store, target, request.signal) : undefined;
  return { report, exit, excerpt, counted: { destination: target.id, tally } };
}

/** Reads back what was touched since something was read back: by this run, and by those before it that were interrupted. */
async function verifyRun(
  store: Store,
  target: Target,
  request: SendRequest,
  sent: { readonly requests: RequestCounts; readonly stopped: DestinationError | undefined },
): Promise<{ verify: VerifyResult | null; stopped?: DestinationError }> {
  if (!request.verify || target.profile.readBack === false || sent.stopped || request.stopping.aborted)
    return { verify: null };
  const since = lastVerifiedRun(store.db, target.id);
  if (!hasBatchesSince(store.db, target.id, since) && !hasActionsSince(store.db, target.id, since))
    return { verify: null };
  try {
    return { verify: await verify(store, target, { ...request, since, counts: sent.requests }) };
  } catch (error) {
    if (error instanceof DestinationError) return { verify: null, stopped: error };
    if (request.signal.aborted) return { verify: null };
    throw error;
  }
}

function assertPlanned(store: Store, path: string): void {
  if (store.db.prepare(`SELECT 1 FROM meta WHERE key = 'isComplete' AND value = 'yes'`).get()) return;
  throw new UsageError(`Cannot import: the checkpoint store "${path}" holds no complete plan`, {
    hint: 'Name the export: chatferry import EXPORT',
  });
}

export interface LookRequest {
  readonly store: string;
  readonly clock: Clock;
}

/** The books as they stand, of the destination that was used last. Works while another process imports. */
export const readStatus = (request: LookRequest, command: string): ReportData => readBooks(request, command).report;

/** The same, for writing them out. */
export function readBooks(request: LookRequest, command: string): Outcome {
  const store = openStoreToRead(request.store);
  try {
    const last = lastDestination(store.db);
    const destination = last?.id ?? null;
    const tally = tallyOf(store, destination);
    const report = collectReport(store, {
      command,
      nowMs: request.clock.now(),
      destination: last && {
        id: last.id,
        name: last.name,
        profile: profileOf({ to: last.address, overrides: {}, profile: last.profile as 'spec' }),
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
    const address = lastDestination(store.db)?.address;
    return address?.startsWith('sandbox:') ? 'sandbox' : address;
  } finally {
    store.close();
  }
}
