import { lastDestination } from '../../checkpoint/base/destinations.ts';
import {
  conversationPutter,
  planDeactivations,
  planUndo,
  type UndoCall,
  undoCallsReader,
  undoCallWriter,
} from '../../checkpoint/repair/undo.ts';
import { endRun, startRun } from '../../checkpoint/base/runs.ts';
import { openStore, type Store } from '../../checkpoint/base/store.ts';
import type { Clock } from '../../lib/clock.ts';
import { DestinationError, UsageError } from '../../lib/errors.ts';
import type { Filter } from '../../mapping/filter/filter.ts';
import { createAsk } from '../../upload/read-back/ask.ts';
import { noRequests, type RequestCounts } from '../../upload/pace/destination.ts';
import { createReader } from '../../upload/read-back/read-back.ts';
import { chooseOnly } from '../choose-only.ts';
import { exitCodes } from '../../report/exit-codes.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { storedMuids } from '../../plan/origin-muid.ts';
import type { Progress } from '../../lib/progress.ts';
import { knownDestination, openTarget, type Target, type TargetOptions } from '../../upload/target.ts';
import { type UndoResult, undoResult } from './result.ts';
import { subjectsOf } from './subjects.ts';
import { takeBack } from './take-back.ts';

export interface UndoRequest extends TargetOptions {
  readonly store: string;
  /** Takes back only conversations in which everything of ours is what it finds. */
  readonly only?: Filter | undefined;
  /** Also deactivates people whom the import made and who have no message left. */
  readonly deactivatePeople: boolean;
  /** Asked with everything that would be requested, before the first request that changes anything; `false` ends it. */
  readonly confirm: (planned: UndoResult) => Promise<boolean>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly progress: Progress;
  /** Aborted: nothing new is asked for. */
  readonly stopping: AbortSignal;
  /** Aborted: requests in flight are cut. */
  readonly signal: AbortSignal;
}

export interface Undone {
  readonly runId: string;
  readonly result: UndoResult;
  readonly exit: number;
}

const attemptsMax = 6;
/**
 * Takes back what imports of this store brought to a destination: conversations in which nothing was before us and nothing
 * is but ours. Their messages are pending again, with muids of the next generation. The same command continues after any
 * interruption.
 *
 * @throws UsageError, StoreError
 */
export async function undoDestination(request: UndoRequest): Promise<Undone> {
  const { clock, deactivatePeople, only } = request;
  const store = openStore(request.store, { command: 'undo', nowMs: clock.now() });
  const lockTakenMs = clock.monotonic();
  try {
    const known = knownDestination(store, request);
    if (!known) throw nothingSent(request, lastDestination(store.db)?.name);
    const target = await openTarget(store, request);
    try {
      if (only) chooseOnly(store, target, only, 'undo');
      const run = startRun(store.db, {
        command: 'undo',
        destination: target.id,
        profile: target.profile.name,
        nowMs: clock.now(),
      });
      const scope = { destination: target.id, run, insideOnly: only !== undefined };
      planUndo(store.db, scope);
      if (deactivatePeople) planDeactivations(store.db, scope);
      return await new Undo(store, target, request, run, lockTakenMs).run();
    } finally {
      await target.close();
    }
  } finally {
    store.close();
  }
}

const nothingSent = ({ to, appId }: UndoRequest, last: string | undefined) =>
  new UsageError(`Cannot undo at ${appId ?? to}: nothing of this store was ever sent there`, {
    hint: last === undefined ? 'There is nothing to take back' : `The last destination was ${last}: name it with --to`,
  });

class Undo {
  readonly #store: Store;
  readonly #target: Target;
  readonly #request: UndoRequest;
  readonly #run: number;
  readonly #lockTakenMs: number;
  readonly #counts: RequestCounts = noRequests();

  constructor(store: Store, target: Target, request: UndoRequest, run: number, lockTakenMs: number) {
    this.#store = store;
    this.#target = target;
    this.#request = request;
    this.#run = run;
    this.#lockTakenMs = lockTakenMs;
  }

  async run(): Promise<Undone> {
    const planned = this.#result(null);
    const count = Object.values(planned.todo).reduce((sum, { calls }) => sum + calls, 0);
    if (count === 0) return this.#end(null);
    if (!(await this.#request.confirm(planned))) {
      return { ...this.#end(null), exit: exitCodes.usage };
    }
    try {
      await this.#takeAllBack(count);
      return this.#end(null);
    } catch (error) {
      if (!(error instanceof DestinationError) && !this.#request.signal.aborted) throw error;
      return this.#end(error instanceof DestinationError ? error : null);
    }
  }

  /** People last: whether somebody has messages left is known when the conversations are gone. */
  async #takeAllBack(count: number): Promise<void> {
    const { progress, clock, random, concurrency, stopping, signal } = this.#request;
    const store = this.#store;
    const target = this.#target;
    const stage = progress.stage('Taking back', { total: count });
    let done = 0;
    const onWait = (ms: number, why: string) => stage.update({ done, waiting: why, waitMs: ms });
    const pace = target.openPace(onWait);
    try {
      const asking = { pace, clock, random, counts: this.#counts, attemptsMax };
      const readPage = createReader({ list: (query, abort) => target.client.listMessages(query, abort), ...asking });
      const subjectOf = subjectsOf({ store, target, readPage, ask: createAsk(asking) });
      const muidOf = storedMuids(store);
      const options = {
        store,
        destination: target.id,
        note: undoCallWriter(store.db),
        putBack: conversationPutter(store.db, target.id, (row) => muidOf(row, row.generation + 1)),
        pace,
        clock,
        random,
        counts: this.#counts,
        onWait,
        graceMs: target.profile.graceLongMs,
        // Nothing of an earlier process can have left after this one took the store.
        earlierGraceEndsAt: this.#lockTakenMs + target.profile.graceLongMs,
      };
      for (const kinds of [['group', 'conversation'], ['person']]) {
        const calls = callsOf(store, target, (call) => kinds.includes(call.kind));
        await inParallel(
          calls,
          concurrency,
          async (call) => {
            await takeBack(call, subjectOf(call), options, signal);
            stage.update({ done: ++done });
          },
          stopping,
        );
      }
    } finally {
      stage.finish();
      pace.close();
    }
  }

  #end(error: DestinationError | null): Undone {
    const { clock, stopping } = this.#request;
    const stopped = error && { code: error.code, message: error.message, hint: error.hint ?? null };
    const result = this.#result(stopped);
    const isUnfinished = stopped !== null || stopping.aborted;
    const exit = isUnfinished ? exitCodes.stopped : result.left.length > 0 ? exitCodes.someFailed : exitCodes.done;
    endRun(this.#store.db, this.#run, { exit, nowMs: clock.now(), requests: this.#counts, verify: null, stopped });
    return { runId: `r${this.#run}`, result, exit };
  }

  #result(stopped: UndoResult['stopped']): UndoResult {
    const only = this.#request.only?.text ?? null;
    return undoResult(this.#store, this.#target, this.#run, { only, reads: this.#counts, stopped });
  }
}

/** Calls that are not settled, a page at a time: rows that are settled meanwhile lie behind the cursor. */
function* callsOf(store: Store, target: Target, isWanted: (call: UndoCall) => boolean): Generator<UndoCall> {
  const read = undoCallsReader(store.db, target.id, ['planned', 'sent', 'gone']);
  const pageSize = 500;
  for (let afterId = 0; ; ) {
    const page = read(afterId, pageSize);
    yield* page.filter(isWanted);
    if (page.length < pageSize) return;
    afterId = page.at(-1)!.id;
  }
}
