/**
 * A lease: some minutes of one unit. The steps, each a file:
 *
 *     restore    the unit's last copy, and what left since then                        restore-unit.ts
 *     run        plan, send, verify: what the program does on any store                run-unit.ts
 *     leave      before each request: is the unit still ours? what leaves is recorded  ../permits.ts
 *     copy       every minute; before the first request, and at the end                keep-copies.ts
 *     next       when its next lease is due, in the same commit that ends this one      after-lease.ts, end-lease.ts
 */
import { existsSync } from 'node:fs';
import { withDefaults } from '../../commands/session.ts';
import type { JobConfig } from '../../sync/sync-file.ts';
import { exitCodes, errorExitCode } from '../../model/exit-codes.ts';
import { DestinationError } from '../../lib/errors.ts';
import { toKnownError } from '../../lib/sqlite.ts';
import { MediaFault } from '../../media/media-location.ts';
import { inWords, RunStop } from '../../sync/job-result.ts';
import { nextClosing, jobFor, scheduleOf } from '../../sync/job.ts';
import { permitMaxMs } from '../../delivery/destination.ts';
import { profileOf } from '../../delivery/target.ts';
import { usualRequestTimeoutMs } from '../../service/profiles.ts';
import { openJobState } from '../../sync/job-state.ts';
import type { UnitCopies } from '../copies/unit-copies.ts';
import type { FleetDatabase } from '../database/database.ts';
import type { NextLease } from '../database/leases.ts';
import type { Engine } from '../work/engine.ts';
import { FleetLanes } from '../work/lanes.ts';
import { FleetPermits } from '../work/permits.ts';
import { silentMs } from '../work/pace.ts';
import { readUnitJob } from '../unit-job.ts';
import { afterError, afterSilence, afterLease, filesDown } from './after-lease.ts';
import { finishLease } from './end-lease.ts';
import { CopyKeeper } from './keep-copies.ts';
import { UnitLost } from '../work/unit-lost.ts';
import { type Restored, restoreUnit } from './restore-unit.ts';
import { readStoreTotals } from './store-totals.ts';
import { runUnit, type UnitRun } from './run-unit.ts';
import { LeaseTime } from './lease-time.ts';
import type { FromLease, Measured, LeaseRequest } from './lease-request.ts';
import { emptyFolder, markCopy, unitFiles } from './unit-folder.ts';
import type { RunControls } from '../../lib/flow/run-controls.ts';

export interface LeaseOptions extends RunControls {
  readonly database: FleetDatabase;
  readonly engine: Engine;
  readonly copies: UnitCopies;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly measured: (measured: Measured) => void;
  readonly onFault: (error: unknown) => void;
  /** For the worker's log: it may name files and people. */
  readonly say: (line: string) => void;
}

/**
 * @returns Its result; undefined if the unit was lost: then nothing is recorded, and no file of the unit stays here.
 */
export async function runLease(request: LeaseRequest, given: LeaseOptions): Promise<Ended> {
  const over = new AbortController();
  const options = { ...given, stopping: AbortSignal.any([given.stopping, over.signal]) };
  try {
    return await restoredLease(request, options, over).catch((error: unknown) => failedLease(request, options, error));
  } catch (error) {
    if (!(error instanceof UnitLost)) throw error;
    emptyFolder(request.folder);
    return undefined;
  } finally {
    over.abort(RunStop.byUser(exitCodes.terminated));
  }
}

/** Goes on after a pause; at once where it was only cut off. @throws UnitLost */
async function failedLease(request: LeaseRequest, options: LeaseOptions, thrown: unknown): Promise<Ended> {
  if (thrown instanceof UnitLost) throw thrown;
  const error = toKnownError(thrown, request.folder) ?? thrown;
  const { unit } = request;
  if (options.signal.aborted) {
    const next = { state: 'waiting', phase: unit.phase, failures: unit.failures, reason: null, afterMs: 0 } as const;
    return await finishLease(request, options, { run: cut, next, totals: null });
  }
  const isOurs = errorExitCode(error) === exitCodes.fault && !(error instanceof MediaFault);
  if (isOurs) options.onFault(error);
  const run: UnitRun = { result: { exit: errorExitCode(error), stopped: inWords(error) }, isCut: false };
  const { message, hint } = error instanceof MediaFault ? { message: error.message, hint: null } : inWords(error);
  sayWhy({ message, hint }, options);
  return await finishLease(request, options, { run, next: afterError(unit, run, error), totals: null });
}

const sayWhy = ({ message, hint }: Pick<ReturnType<typeof inWords>, 'message' | 'hint'>, { say }: LeaseOptions): void =>
  say([message, hint].filter(Boolean).join('. '));

type Ended = Extract<FromLease, { kind: 'ended' }>['end'];

async function restoredLease(request: LeaseRequest, options: LeaseOptions, over: AbortController): Promise<Ended> {
  const { unit, folder, claim, token } = request;
  const { database, copies, clock, signal, measured } = options;
  const { query } = database;
  const files = unitFiles(folder);
  const restored = await restoreUnit(request, { copies, query, clock, signal });
  const config = readUnitJob(unit.config, { file: files.config, store: files.store, report: files.report });
  const keeper = new CopyKeeper(request, { query, copies, clock, signal, number: restored.number, measured });
  const run = await runRestored(request, options, { restored, config, keeper, over });
  const { stopped } = run.result;
  if (stopped && !run.isCut) sayWhy(stopped, options);
  if ('notes' in run.result) for (const note of run.result.notes) sayWhy(note, options);
  // Not by the code of the stop: a destination may call its errors what it likes.
  if (keeper.permits?.isLost) throw new UnitLost(`"${claim.unit}" is another worker's by now, not ${token}'s`);
  // A copy says that the unit is of this epoch: not before what was lost can no longer arrive.
  if (run !== cut && existsSync(files.store)) await keeper.copy();
  const next = await planNextLease(request, { run, config }, options);
  const ended = await finishLease(request, options, { run, next, totals: readStoreTotals(files.store) });
  if (ended && keeper.latest !== undefined) markCopy(folder, keeper.latest);
  return ended;
}

interface Running {
  readonly restored: Restored;
  readonly config: JobConfig;
  readonly keeper: CopyKeeper;
  readonly over: AbortController;
}

/** Plans, sends, verifies, while copies are made, until its time is over. */
async function runRestored(
  request: LeaseRequest,
  options: LeaseOptions,
  { restored: { isLost, lostAgoMs }, config, keeper, over }: Running,
): Promise<UnitRun> {
  const { unit, folder, times, token } = request;
  const { query } = options.database;
  const files = unitFiles(folder);
  const permits = buildPermits(request, options, keeper);
  keeper.permits = permits;
  const lanes = new FleetLanes(query, { unit: unit.id, token, address: unit.address });
  const time = leaseTime(config, { ms: times.lease, store: files.store }, options, over);
  void time.run().catch(options.onFault);
  const state = openJobState(files.state, options.clock.now());
  const copying = keeper.run();
  try {
    if (isLost && !(await waitOut(lostAgoMs, config, options))) return cut;
    const onPlanned = () => time.planned();
    const run = await runUnit(request, { ...options, config, state, query, permits, lanes, onPlanned });
    await permits.flush();
    await lanes.flush();
    return run;
  } finally {
    keeper.end();
    await copying;
    state.close();
  }
}

/** Returns the next lease. A lease that is repeated because the destination asked for silence has not failed. */
async function planNextLease(
  { unit }: LeaseRequest,
  { run, config }: { readonly run: UnitRun; readonly config: JobConfig },
  { database, clock, random }: LeaseOptions,
): Promise<NextLease> {
  const next = afterLease(unit, config, run, { nowMs: clock.now(), random });
  if (next.state !== 'waiting' || next.failures <= unit.failures) return next;
  const ms = await silentMs(database.query, unit.address);
  return ms > 0 ? afterSilence(unit, ms) : next;
}

function buildPermits(
  { claim, token, times, unit }: LeaseRequest,
  { database, clock, signal, measured }: LeaseOptions,
  keeper: CopyKeeper,
): FleetPermits {
  let first: Promise<void> | undefined;
  return new FleetPermits(database.query, {
    claim,
    token,
    clock,
    signal,
    heartbeatMs: times.heartbeat,
    // A request that left can only be restored into a copy that knows it.
    mayGo: async () => {
      first ??= keeper.copy().catch((error: unknown) => Promise.reject(asStop(error)));
      await first;
      await keeper.mayGo();
    },
    onPermit: (ms) => measured({ kind: 'leave', ms, address: unit.address }),
    onFenced: () => measured({ kind: 'fenced', unit: unit.id }),
  });
}

/** To a run it is as a destination that lets nothing through. */
const asStop = (error: unknown): unknown =>
  error instanceof MediaFault
    ? new DestinationError(`Stopped: no copy of the store can be made: ${error.message}`, {
        code: filesDown,
        cause: error,
      })
    : error;

/** A lease ends with its time, and with the hours in which the job may run. */
function leaseTime(
  config: JobConfig,
  { ms: leaseMs, store }: { readonly ms: number; readonly store: string },
  { clock, stopping }: LeaseOptions,
  over: AbortController,
): LeaseTime {
  const closesAtMs = nextClosing(scheduleOf({ config }), clock.now());
  const ms = Math.min(leaseMs, closesAtMs === undefined ? leaseMs : Math.max(0, closesAtMs - clock.now()));
  const reason = ms < leaseMs ? RunStop.byHours() : RunStop.byUser(exitCodes.terminated);
  return new LeaseTime({ ms, store, clock, over: stopping, cut: () => over.abort(reason) });
}

/** Result of a lease that was stopped before it did anything. */
const cut: UnitRun = { result: { exit: exitCodes.terminated, stopped: null }, isCut: true };

/**
 * Waits until requests in lost commits can no longer arrive. The database does not know what they were, and they may
 * still be on their way.
 *
 * @returns Whether they can no longer arrive; false if the lease was stopped before.
 */
async function waitOut(
  lostAgoMs: number,
  config: JobConfig,
  { env, clock, stopping, progress }: LeaseOptions,
): Promise<boolean> {
  const { graceLongMs, requestTimeoutMs = usualRequestTimeoutMs } = profileOf(
    withDefaults(await jobFor({ env }, config).request()),
  );
  const waitMs = permitMaxMs + requestTimeoutMs + graceLongMs - lostAgoMs;
  if (waitMs <= 0) return true;
  const stage = progress.stage('Waiting');
  stage.update({ done: 0, waiting: 'the record of the last requests was lost: they may still arrive', waitMs });
  await clock.sleep(waitMs, stopping).catch(() => {});
  stage.finish();
  return !stopping.aborted;
}
