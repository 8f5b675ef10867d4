/**
 * A turn: some minutes of one unit. The stations, each a file:
 *
 *     restore    the unit's last copy, and what left since then                        restore-unit.ts
 *     run        plan, send, verify: what the program does on any store                run-unit.ts
 *     leave      before each request: is the unit still ours? what leaves is recorded  ../leave.ts
 *     copy       every minute; before the first request, and at the end                keep-copies.ts
 *     next       when its next turn is due, in the same commit that ends this one      after-turn.ts, end-turn.ts
 */
import { existsSync } from 'node:fs';
import { type Surroundings, withDefaults } from '../../commands/session.ts';
import type { JobConfig } from '../../sync/config/sync-file.ts';
import { lastDestination } from '../../checkpoint/base/destinations.ts';
import { openStoreToRead } from '../../checkpoint/base/store.ts';
import type { Books } from '../../model/books.ts';
import { tallyOf } from '../../report/collect/collect-report.ts';
import { exitCodes, exitOfError } from '../../report/exit-codes.ts';
import { inWords } from '../../sync/job-result.ts';
import { RunStop } from '../../sync/outcome.ts';
import { nextClosing } from '../../sync/schedule.ts';
import { jobFor, scheduleOf } from '../../sync/job.ts';
import { leaveMaxMs } from '../../upload/gate.ts';
import { profileOf } from '../../upload/target.ts';
import { usualRequestTimeoutMs } from '../../service/profiles.ts';
import { openJobState } from '../../sync/state/open.ts';
import type { UnitCopies } from '../copies/unit-copies.ts';
import type { FleetDatabase } from '../database/database.ts';
import type { Engine } from '../engine.ts';
import { FleetGate } from '../leave.ts';
import { jobOfUnit } from '../unit-job.ts';
import { afterError, afterTurn } from './after-turn.ts';
import { finishTurn } from './end-turn.ts';
import { CopyKeeper } from './keep-copies.ts';
import { UnitLost } from '../unit-lost.ts';
import { restoreUnit } from './restore-unit.ts';
import { runUnit, type UnitRun } from './run-unit.ts';
import type { FromTurn, Measured, TurnRequest } from './turn-request.ts';
import { emptyFolder, markCopy, unitFiles } from './unit-folder.ts';

export interface TurnOptions extends Surroundings {
  readonly database: FleetDatabase;
  readonly engine: Engine;
  readonly copies: UnitCopies;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly measured: (measured: Measured) => void;
  readonly onFault: (error: unknown) => void;
  /** For the worker's log: it may name files and people. */
  readonly say: (line: string) => void;
}

/** @returns What it came to; nothing where the unit was lost: then nothing is written down, and nothing of it stays here. */
export async function runTurn(request: TurnRequest, given: TurnOptions): Promise<Ended> {
  const over = new AbortController();
  const options = { ...given, stopping: AbortSignal.any([given.stopping, over.signal]) };
  try {
    return await restoredTurn(request, options, over).catch((error: unknown) => failedTurn(request, options, error));
  } catch (error) {
    if (!(error instanceof UnitLost)) throw error;
    emptyFolder(request.folder);
    return undefined;
  } finally {
    over.abort(RunStop.byUser(exitCodes.terminated));
  }
}

/** Goes on after a pause; at once where it was only cut off. @throws UnitLost */
async function failedTurn(request: TurnRequest, options: TurnOptions, error: unknown): Promise<Ended> {
  if (error instanceof UnitLost) throw error;
  const { unit } = request;
  if (options.signal.aborted) {
    const next = { state: 'waiting', phase: unit.phase, failures: unit.failures, reason: null, afterMs: 0 } as const;
    return await finishTurn(request, options, { run: cut, next, books: null });
  }
  if (exitOfError(error) === exitCodes.fault) options.onFault(error);
  const run: UnitRun = { result: { exit: exitOfError(error), stopped: inWords(error) }, isCut: false };
  sayWhy(inWords(error), options);
  return await finishTurn(request, options, { run, next: afterError(unit, run, error), books: null });
}

const sayWhy = ({ message, hint }: ReturnType<typeof inWords>, { say }: TurnOptions): void =>
  say([message, hint].filter(Boolean).join('. '));

type Ended = Extract<FromTurn, { kind: 'ended' }>['end'];

async function restoredTurn(request: TurnRequest, options: TurnOptions, over: AbortController): Promise<Ended> {
  const { unit, folder, claim, token, times } = request;
  const { database, copies, clock, signal, measured, env } = options;
  const { query } = database;
  const files = unitFiles(folder);
  const { number, isLost, lostAgoMs } = await restoreUnit(request, { copies, query, clock, signal });
  const config = jobOfUnit(unit.config, { file: files.config, store: files.store, report: files.report });
  const state = openJobState(files.state, clock.now());
  const keeper = new CopyKeeper(request, { query, copies, clock, signal, number, measured });
  const gate = gateOf(request, options, keeper);
  keeper.gate = gate;
  stopInTime(config, times.turn, options, over);
  const copying = keeper.run();
  let run = cut;
  try {
    if (!isLost || (await waitOut(lostAgoMs, config, options)))
      run = await runUnit(request, { ...options, config, state, query, gate, env });
    await gate.settle();
  } finally {
    keeper.end();
    await copying;
    state.close();
  }
  const { stopped } = run.result;
  if (stopped && !run.isCut) sayWhy(stopped, options);
  if (stopped?.code === 'claim-lost') throw new UnitLost(`"${claim.unit}" is another worker's by now, not ${token}'s`);
  // A copy says that the unit is of this epoch: not before what was lost can no longer arrive.
  if (run !== cut && existsSync(files.store)) await keeper.copy();
  const next = afterTurn(unit, config, run, { nowMs: clock.now(), random: options.random });
  const ended = await finishTurn(request, options, {
    run,
    next,
    books: booksOf(files.store),
    store: files.store,
    hasPeople: (config.options.actions ?? []).length > 0,
  });
  if (ended && keeper.latest !== undefined) markCopy(folder, keeper.latest);
  return ended;
}

function gateOf(
  { claim, token, times, unit }: TurnRequest,
  { database, clock, signal, measured }: TurnOptions,
  keeper: CopyKeeper,
): FleetGate {
  let first: Promise<void> | undefined;
  return new FleetGate(database.query, {
    claim,
    token,
    clock,
    signal,
    heartbeatMs: times.heartbeat,
    // What leaves can only be put back into a copy that knows it.
    mayGo: async () => {
      first ??= keeper.copy();
      await first;
      await keeper.mayGo();
    },
    onLeave: (ms) => measured({ kind: 'leave', ms, address: unit.address }),
    onFenced: () => measured({ kind: 'fenced', unit: unit.id }),
  });
}

/** A turn ends with its time, and with the hours in which the job may run. */
function stopInTime(config: JobConfig, turnMs: number, { clock, stopping }: TurnOptions, over: AbortController): void {
  const closesAtMs = nextClosing(scheduleOf({ config }), clock.now());
  const waitMs = Math.min(turnMs, closesAtMs === undefined ? turnMs : Math.max(0, closesAtMs - clock.now()));
  const reason = waitMs < turnMs ? RunStop.byHours() : RunStop.byUser(exitCodes.terminated);
  clock.sleep(waitMs, stopping).then(
    () => over.abort(reason),
    () => {},
  );
}

/** Of a turn that was stopped before it did anything. */
const cut: UnitRun = { result: { exit: exitCodes.terminated, stopped: null }, isCut: true };

/**
 * The database lost commits: what left in them may still be on its way, and nobody knows what it was.
 *
 * @returns Whether it can no longer arrive; else the turn was stopped before.
 */
async function waitOut(
  lostAgoMs: number,
  config: JobConfig,
  { env, clock, stopping, progress }: TurnOptions,
): Promise<boolean> {
  const { graceLongMs, requestTimeoutMs = usualRequestTimeoutMs } = profileOf(
    withDefaults(await jobFor({ env }, config).request()),
  );
  const waitMs = leaveMaxMs + requestTimeoutMs + graceLongMs - lostAgoMs;
  if (waitMs <= 0) return true;
  const stage = progress.stage('Waiting');
  stage.update({ done: 0, waiting: 'what left last was lost: it may still arrive', waitMs });
  await clock.sleep(waitMs, stopping).catch(() => {});
  stage.finish();
  return !stopping.aborted;
}

function booksOf(path: string): Books | null {
  if (!existsSync(path)) return null;
  const store = openStoreToRead(path);
  try {
    return tallyOf(store, lastDestination(store.db)?.id ?? null).books;
  } finally {
    store.close();
  }
}
