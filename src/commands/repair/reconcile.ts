import type { Store } from '../../store/open.ts';
import { DestinationError, UsageError } from '../../lib/errors.ts';
import { inParallel } from '../../lib/flow/in-parallel.ts';
import { DriftNotes } from '../../plan/drift-notes.ts';
import { storedMuids } from '../../plan/merges.ts';
import { addUpMessages } from '../../report/tally.ts';
import { errorExitCode, exitCodes } from '../../model/exit-codes.ts';
import type { Totals } from '../../model/totals.ts';
import { expectedLanes, type Lane } from '../../delivery/lanes.ts';
import { type DestinationSession, openSession } from '../../delivery/session.ts';
import { noRequests, type RequestCounts } from '../../delivery/destination.ts';
import { checkTarget, type Target } from '../../delivery/target.ts';
import { isReadingConfirmed } from '../confirm-reading.ts';
import { planInto } from '../prepare/plan.ts';
import { atTarget, beginRun, endReported, inSession, type Session, withDefaults } from '../session.ts';
import { absentRows, generationFinder } from './reconcile/absent.ts';
import { followUpAdopter } from './reconcile/adopt-follow-ups.ts';
import { ConversationReader, noCounts } from './reconcile/conversation-reader.ts';
import type { Complete, ReconcileRequest } from '../requests.ts';
import type { ReconcileCounts, Reconciled } from '../results.ts';

export async function reconcileDestination(given: ReconcileRequest): Promise<Reconciled> {
  const request = withDefaults(given);
  checkTarget(request);
  return await inSession(request, 'reconcile', async (session) => {
    await planInto(session, request);
    if (!(await isReadingConfirmed(session, request)))
      throw new UsageError('Cannot reconcile: nobody has confirmed how the rows are read', {
        hint: 'Look at it with "chatferry plan", and confirm it there',
      });
    return await atTarget(session, request, async (target) => {
      session.store.checks.purge.assertContentKept(target.id);
      return await new Reconciliation(session, target, request).run();
    });
  });
}

class Reconciliation {
  readonly #session: Session;
  readonly #store: Store;
  readonly #target: Target;
  readonly #request: Complete<ReconcileRequest>;
  readonly #requests: RequestCounts = noRequests();
  readonly #sum = noCounts();

  constructor(session: Session, target: Target, request: Complete<ReconcileRequest>) {
    this.#session = session;
    this.#store = session.store;
    this.#target = target;
    this.#request = request;
  }

  async run(): Promise<Reconciled> {
    const { stopping, signal } = this.#request;
    const { id: destination, profile } = this.#target;
    const run = beginRun(this.#session, profile.name, this.#target);
    const error = await this.#read(run.id).catch((reason: unknown) => {
      if (reason instanceof DestinationError || signal.aborted) return reason;
      throw reason;
    });
    this.#store.batches.closeFinished(destination);
    this.#store.messages.followUps.place();
    const isStopped = error !== undefined || stopping.aborted;
    const stopped = error instanceof DestinationError ? error : undefined;
    return endReported(run, { requests: this.#requests, stopped }, () => {
      const tally = addUpMessages(this.#store, destination);
      const report = this.#session.report({ destination: this.#target, run: run.id, tally });
      const whole = isStopped ? exitCodes.stopped : exitOf(this.#sum, report.totals);
      const exit = stopped ? errorExitCode(stopped) : whole;
      return { report, exit, counted: { destination, tally }, found: this.#sum };
    });
  }

  async #read(run: number): Promise<void> {
    const { concurrency, stopping, signal } = this.#request;
    const connection = openSession(
      this.#target,
      { ...this.#request, counts: this.#requests },
      { name: 'Reading the destination' },
    );
    try {
      if (this.#store.undo.hasOpen(this.#target.id)) throw undoUnfinished(this.#target);
      const reader = new ConversationReader(this.#store, connection, run, signal);
      const { laneOf, laneAt } = expectedLanes(this.#store, this.#target);
      const planned = this.#store.lanes.all(this.#target.id);
      /** Conversations in which something has to be looked for once more. Eight bytes each. */
      const again: number[] = [];
      const check = this.#looking(reader, () => connection.advance(1));
      const first = async (lane: Lane) => {
        if ((await check(lane, 'first')) === 'once more') again.push(lane.conversation);
      };
      await inParallel(Iterator.from(planned.all()).map(laneOf), concurrency, first, stopping);
      if (again.length + this.#sum.unsent === 0 || stopping.aborted) return;
      await this.#waitForLatecomers(connection);
      const second = async (lane: Lane) => void (await check(lane, 'last'));
      await inParallel(again.values().map(laneAt), concurrency, second, stopping);
    } finally {
      connection.close();
    }
  }

  /** One look at a conversation, and at what is unknown there; then the store is corrected, unless it is to be looked at once more. */
  #looking(reader: ConversationReader, onDone: () => void) {
    const { newMuids = false } = this.#request;
    const muidOf = storedMuids(this.#store);
    const absent = absentRows(reader, muidOf, newMuids);
    const findGenerations = generationFinder(reader, muidOf);
    const adoptFollowUps = followUpAdopter(reader, this.#noting());
    const check = async (lane: Lane): Promise<ReconcileCounts> => {
      let counts = await reader.check(lane);
      const again = async (adopted: number) => addSecondPass(counts, await reader.check(lane), adopted);
      if (counts.extra > 0 && (await findGenerations(lane))) counts = await again(0);
      const adopted = counts.extra > 0 ? await adoptFollowUps(lane) : 0;
      return adopted > 0 ? again(adopted) : counts;
    };
    return async (lane: Lane, which: 'first' | 'last'): Promise<'done' | 'once more'> => {
      const counts = await check(lane);
      const isOnceMore = which === 'first' && absent.count(lane) > 0;
      if (isOnceMore) add(this.#sum, { ...noCounts(), found: counts.found });
      else {
        add(this.#sum, { ...counts, ...absent.putBack(lane), conversations: 1 });
        onDone();
      }
      reader.seen.clear(lane.conversation);
      return isOnceMore ? 'once more' : 'done';
    };
  }

  /** How changes are noted that turn up: as the plan of this reconcile notes them. */
  #noting() {
    const { clock, drift: policy = 'report' } = this.#request;
    const store = this.#store;
    const { dataBytesMax } = this.#target.profile.limits;
    const when = { nowMs: clock.now(), plan: store.facts.planNumber() };
    return { ...when, notes: new DriftNotes(store, { ...when, policy, dataBytesMax }) };
  }

  /**
   * Messages sent by an earlier process may still arrive, even if its store is lost. So a message counts as absent only
   * after the grace period, and the next import, which checks again before it sends, cannot begin earlier.
   */
  async #waitForLatecomers({ clock, onWait }: DestinationSession): Promise<void> {
    const { signal } = this.#request;
    const waitMs = this.#session.lockTakenMs + this.#target.profile.graceLongMs - clock.monotonic();
    if (waitMs <= 0) return;
    onWait(waitMs, 'messages that are not there may still arrive');
    await clock.sleep(waitMs, signal);
  }
}

function add(sum: ReconcileCounts, counts: ReconcileCounts): void {
  for (const key of Object.keys(sum) as (keyof ReconcileCounts)[]) sum[key] += counts[key];
}

/** The second check knows what the first one recorded, and what was adopted between them. */
const addSecondPass = (first: ReconcileCounts, second: ReconcileCounts, adopted: number): ReconcileCounts => ({
  ...second,
  found: second.found + first.found + adopted,
  confirmed: second.confirmed - first.found - adopted,
});

function exitOf(
  { different, extra, duplicated }: ReconcileCounts,
  { invalid, failed }: Pick<Totals, 'invalid' | 'failed'>,
): number {
  if (different + extra + duplicated > 0) return exitCodes.differences;
  return invalid + failed > 0 ? exitCodes.someFailed : exitCodes.done;
}

const undoUnfinished = ({ name }: Target) =>
  new DestinationError(`Cannot reconcile with ${name}: an undo there was interrupted`, {
    code: 'undo-unfinished',
    needsPerson: true,
    hint: 'Run "chatferry undo" first: it checks what was deleted',
  });
