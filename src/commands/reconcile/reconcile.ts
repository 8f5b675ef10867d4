import { closeSettledBatches } from '../../checkpoint/delivery/pending-lanes.ts';
import { assertContentKept } from '../../checkpoint/repair/forget-content.ts';
import { conversationRowsReader } from '../../checkpoint/staging/conversations.ts';
import { placeFollowUps } from '../../checkpoint/staging/follow-ups.ts';
import { peopleReader } from '../../checkpoint/staging/people.ts';
import { endRun, startRun } from '../../checkpoint/base/runs.ts';
import { openStore, type Store } from '../../checkpoint/base/store.ts';
import { laneReader, touchedLanes } from '../../checkpoint/delivery/touched-lanes.ts';
import { hasOpenUndo } from '../../checkpoint/repair/undo.ts';
import { DestinationError } from '../../lib/errors.ts';
import { noRequests, type RequestCounts } from '../../upload/pace/destination.ts';
import { type Lane, laneOf } from '../../upload/lanes/lanes.ts';
import { createReader } from '../../upload/read-back/read-back.ts';
import { collectReport } from '../../report/collect/collect-report.ts';
import { DriftNotes } from '../../plan/drift-notes.ts';
import { planNumber } from '../../checkpoint/base/meta.ts';
import { exitCodes } from '../../report/exit-codes.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { storedMuids } from '../../plan/origin-muid.ts';
import { plan } from '../../plan/plan.ts';
import type { Outcome, PlanRequest } from '../session.ts';
import { checkTarget, openTarget, profileOf, type Target } from '../../upload/target.ts';
import { absentRows } from './absent.ts';
import { followUpAdopter } from './adopt-follow-ups.ts';
import { noCounts, type ReconcileCounts } from './counts.ts';
import { generationFinder } from './generations.ts';
import { ThereReader } from './reader.ts';

export interface ReconcileRequest extends PlanRequest {
  /** What is gone gets a muid that was never used: for a destination that takes none twice. */
  readonly newMuids: boolean;
}

export interface Reconciled extends Outcome {
  readonly found: ReconcileCounts;
}

const attemptsMax = 6;

/**
 * Rebuilds the books of a destination from the export and from what the destination shows: for a store that is lost, old,
 * or in doubt. Every planned conversation is read whole; what is there is written down, what is not is pending again after
 * a second look. Nothing is sent.
 *
 * @throws SourceError, UsageError, StoreError
 */
export async function reconcileDestination(request: ReconcileRequest): Promise<Reconciled> {
  const { clock } = request;
  checkTarget(request);
  const startedMs = clock.monotonic();
  const store = openStore(request.store, { command: 'reconcile', nowMs: clock.now() });
  const lockTakenMs = clock.monotonic();
  try {
    await plan(store, { ...request, profile: profileOf(request), signal: request.stopping });
    const target = await openTarget(store, request);
    try {
      assertContentKept(store.db, target.id);
      return await new Reconciliation(store, target, request, { startedMs, lockTakenMs }).run();
    } finally {
      await target.close();
    }
  } finally {
    store.close();
  }
}

class Reconciliation {
  readonly #store: Store;
  readonly #target: Target;
  readonly #request: ReconcileRequest;
  readonly #startedMs: number;
  /** Nothing of an earlier process can have left after it. */
  readonly #lockTakenMs: number;
  readonly #requests: RequestCounts = noRequests();
  readonly #sum = noCounts();
  /** Conversations in which something has to be looked for once more. Eight bytes each. */
  readonly #again: number[] = [];

  /** @param at Monotonic. */
  constructor(
    store: Store,
    target: Target,
    request: ReconcileRequest,
    at: { readonly startedMs: number; readonly lockTakenMs: number },
  ) {
    this.#store = store;
    this.#target = target;
    this.#request = request;
    this.#startedMs = at.startedMs;
    this.#lockTakenMs = at.lockTakenMs;
  }

  async run(): Promise<Reconciled> {
    const { clock } = this.#request;
    const { id: destination, name, profile } = this.#target;
    const run = startRun(this.#store.db, {
      command: 'reconcile',
      destination,
      profile: profile.name,
      nowMs: clock.now(),
    });
    const error = await this.#read(run).catch((reason: unknown) => {
      if (reason instanceof DestinationError || this.#request.signal.aborted) return reason;
      throw reason;
    });
    closeSettledBatches(this.#store.db, destination);
    placeFollowUps(this.#store.db);
    const isStopped = error !== undefined || this.#request.stopping.aborted;
    const stopped =
      error instanceof DestinationError ? { code: error.code, message: error.message, hint: error.hint ?? null } : null;
    const end = { nowMs: clock.now(), requests: this.#requests, verify: null, stopped };
    endRun(this.#store.db, run, { ...end, exit: exitCodes.stopped });
    const report = collectReport(this.#store, {
      command: 'reconcile',
      nowMs: clock.now(),
      destination: { id: destination, name, profile },
      run,
      elapsedMs: clock.monotonic() - this.#startedMs,
    });
    const exit = isStopped ? exitCodes.stopped : exitOf(this.#sum, report.books);
    endRun(this.#store.db, run, { ...end, exit });
    return { report, exit, counted: { destination }, found: this.#sum };
  }

  async #read(run: number): Promise<void> {
    const { progress, clock, random, concurrency, stopping, signal, newMuids } = this.#request;
    const store = this.#store;
    const target = this.#target;
    const stage = progress.stage('Reading what is there');
    const onWait = (ms: number, why: string) =>
      stage.update({ done: this.#sum.conversations, waiting: why, waitMs: ms });
    const pace = target.openPace(onWait);
    try {
      if (hasOpenUndo(store.db, target.id)) throw undoUnfinished(target);
      const readPage = createReader({
        list: (query, abort) => target.client.listMessages(query, abort),
        pace,
        clock,
        random,
        counts: this.#requests,
        attemptsMax,
      });
      const there = new ThereReader(store, target, run, readPage, signal);
      const muidOf = storedMuids(store);
      const rowsOf = conversationRowsReader(store.db, target.id);
      const common = { store, destination: target.id, run, rowsOf, muidOf };
      const absent = absentRows({ ...common, met: there.met, newMuids });
      const findGenerations = generationFinder({ ...common, there });

      const adoptFollowUps = followUpAdopter({ store, destination: target.id, run, there, ...this.#noting() });

      const look = async (lane: Lane): Promise<ReconcileCounts> => {
        let counts = await there.look(lane);
        const again = async (adopted: number) => lookedAgain(counts, await there.look(lane), adopted);
        if (counts.extra > 0 && (await findGenerations(lane))) counts = await again(0);
        const adopted = counts.extra > 0 ? await adoptFollowUps(lane) : 0;
        return adopted > 0 ? again(adopted) : counts;
      };
      const settle = (lane: Lane, counts: ReconcileCounts) => {
        add(this.#sum, { ...counts, ...absent.putBack(lane), conversations: 1 });
        stage.update({ done: this.#sum.conversations });
      };
      const first = async (lane: Lane) => {
        const counts = await look(lane);
        if (absent.count(lane) > 0) {
          this.#again.push(lane.conversation);
          add(this.#sum, { ...noCounts(), found: counts.found });
        } else settle(lane, counts);
        there.met.clear(lane.conversation);
      };
      const second = async (lane: Lane) => {
        settle(lane, await look(lane));
        there.met.clear(lane.conversation);
      };

      const lanes = lanesReader(store, target);
      await inParallel(lanes.all(), concurrency, first, stopping);
      if (this.#again.length + this.#sum.unsent === 0 || stopping.aborted) return;
      await this.#waitForLatecomers(onWait);
      await inParallel(lanes.some(this.#again), concurrency, second, stopping);
    } finally {
      stage.finish();
      pace.close();
    }
  }

  /** How changes are noted that turn up: as the plan of this reconcile notes them. */
  #noting() {
    const { clock, drift: policy = 'report' } = this.#request;
    const { db } = this.#store;
    const { dataBytesMax } = this.#target.profile.limits;
    const when = { nowMs: clock.now(), plan: planNumber(db) };
    return { ...when, notes: new DriftNotes(db, { ...when, policy, dataBytesMax }) };
  }

  /**
   * What an earlier process sent may still arrive, also one whose store is lost: absent is believed after the grace, and
   * the next import, which looks again before it sends, cannot begin earlier.
   */
  async #waitForLatecomers(onWait: (ms: number, why: string) => void): Promise<void> {
    const { clock, signal } = this.#request;
    const waitMs = this.#lockTakenMs + this.#target.profile.graceLongMs - clock.monotonic();
    if (waitMs <= 0) return;
    onWait(waitMs, 'messages that are not there may still arrive');
    await clock.sleep(waitMs, signal);
  }
}

function lanesReader(store: Store, target: Target) {
  const personOf = peopleReader(store.db);
  const touched = touchedLanes(store.db, target.id, { since: undefined, insideOnly: false });
  const one = laneReader(store.db, target.id);
  return {
    *all(): Generator<Lane> {
      for (let after = 0; ; ) {
        const page = touched.after(after);
        for (const row of page) yield laneOf(row, personOf, undefined);
        const last = page.at(-1);
        if (!last) return;
        after = last.conversation;
      }
    },
    *some(conversations: readonly number[]): Generator<Lane> {
      for (const conversation of conversations) yield laneOf(one(conversation), personOf, undefined);
    },
  };
}

function add(sum: ReconcileCounts, counts: ReconcileCounts): void {
  for (const key of Object.keys(sum) as (keyof ReconcileCounts)[]) sum[key] += counts[key];
}

/** What a look wrote down is known to the next one, and so is what was adopted between them. */
const lookedAgain = (first: ReconcileCounts, second: ReconcileCounts, adopted: number): ReconcileCounts => ({
  ...second,
  found: second.found + first.found + adopted,
  confirmed: second.confirmed - first.found - adopted,
});

function exitOf(
  { different, extra, duplicated }: ReconcileCounts,
  { rejected, refused }: { readonly rejected: number; readonly refused: number },
): number {
  if (different + extra + duplicated > 0) return exitCodes.differences;
  return rejected + refused > 0 ? exitCodes.someFailed : exitCodes.done;
}

const undoUnfinished = ({ name }: Target) =>
  new DestinationError(`Cannot reconcile with ${name}: an undo there was interrupted`, {
    code: 'undo-unfinished',
    hint: 'Run "chatferry undo" first: it finds out what is gone',
  });
