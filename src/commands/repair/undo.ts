import type { ConversationRow } from '../../store/conversations.ts';
import type { Store } from '../../store/open.ts';
import { DestinationError, UsageError } from '../../lib/errors.ts';
import { inParallel } from '../../lib/flow/in-parallel.ts';
import { storedMuids } from '../../plan/merges.ts';
import { errorExitCode, exitCodes } from '../../model/exit-codes.ts';
import { openSession } from '../../delivery/session.ts';
import { noRequests, type RequestCounts } from '../../delivery/destination.ts';
import { knownDestination, type Target } from '../../delivery/target.ts';
import { chooseOnly } from '../check/choose-only.ts';
import { atTarget, beginRun, inSession, type Run, type Session, stoppedBy, withDefaults } from '../session.ts';
import { undoResult } from './undo-result.ts';
import { subjectsOf, takeBack } from './undo/roll-back.ts';
import type { Complete, UndoRequest } from '../requests.ts';
import type { UndoResult, Undone } from '../results.ts';

export async function undoDestination(given: UndoRequest): Promise<Undone> {
  const request = withDefaults(given);
  const { keepUsers = false, only } = request;
  return await inSession(request, 'undo', async (session) => {
    const { store } = session;
    const known = knownDestination(store, request);
    if (!known) throw nothingSent(request, store.destinations.latest()?.name);
    return await atTarget(session, request, async (target) => {
      const planned = () => {
        if (only) chooseOnly(store, target, only, 'undo');
        const run = beginRun(session, target.profile.name, target);
        const scope = { destination: target.id, run: run.id, insideOnly: only !== undefined, keepUsers };
        store.undo.plan(scope);
        return new Undo(session, target, request, run);
      };
      if (!request.dryRun) return await planned().run();
      const result = discarded(store, () => planned().result(null));
      return { runId: null, result, exit: exitCodes.done };
    });
  });
}

/** Works on the store and takes back everything that was written. */
function discarded<T>(store: Store, work: () => T): T {
  const end = new Error('Taken back');
  let result: T;
  const takenBack = store.transaction(() => {
    result = work();
    throw end;
  });
  try {
    takenBack();
  } catch (error) {
    if (error !== end) throw error;
  }
  return result!;
}

const nothingSent = ({ to, appId }: Complete<UndoRequest>, last: string | undefined) =>
  new UsageError(`Cannot undo at ${appId ?? to}: nothing of this store was ever sent there`, {
    hint: last === undefined ? 'There is nothing to roll back' : `The last destination was ${last}: name it with --to`,
  });

class Undo {
  readonly #store: Store;
  /** Nothing of an earlier process can have left after it. Monotonic. */
  readonly #lockTakenMs: number;
  readonly #target: Target;
  readonly #request: Complete<UndoRequest>;
  readonly #run: Run;
  readonly #counts: RequestCounts = noRequests();

  constructor({ store, lockTakenMs }: Session, target: Target, request: Complete<UndoRequest>, run: Run) {
    this.#store = store;
    this.#lockTakenMs = lockTakenMs;
    this.#target = target;
    this.#request = request;
    this.#run = run;
  }

  async run(): Promise<Undone> {
    const planned = this.result(null);
    const count = Object.values(planned.todo).reduce((sum, { calls }) => sum + calls, 0);
    if (count === 0) return this.#end();
    if (!(await this.#request.confirm(planned))) return { ...this.#end(), exit: exitCodes.usage };
    try {
      await this.#takeAllBack(count);
      return this.#end();
    } catch (error) {
      if (error instanceof DestinationError) return this.#end(error);
      if (this.#request.signal.aborted) return this.#end();
      throw error;
    }
  }

  /**
   * Who was deactivated can be neither asked about nor removed: that is undone first. People come last: whether they have messages left
   * is known only when the conversations are gone.
   */
  async #takeAllBack(count: number): Promise<void> {
    const { concurrency, stopping, signal } = this.#request;
    const store = this.#store;
    const target = this.#target;
    const connection = openSession(
      target,
      { ...this.#request, counts: this.#counts },
      { name: 'Taking back', total: count },
    );
    try {
      const subjectOf = subjectsOf(store, connection);
      const muidOf = storedMuids(store);
      store.conversations.collectUnplanned(target.id);
      const options = {
        ...connection,
        store,
        renewedMuid: (row: ConversationRow) => muidOf(row, row.generation + 1),
        // Nothing of an earlier process can have left after this one took the store.
        earlierGraceEndsAt: this.#lockTakenMs + target.profile.graceLongMs,
      };
      for (const kinds of [['deactivation'], ['group', 'conversation'], ['member'], ['person']]) {
        const calls = Iterator.from(store.undo.calls(target.id, ['planned', 'sent', 'gone']));
        await inParallel(
          calls.filter(({ kind }) => kinds.includes(kind)),
          concurrency,
          async (call) => {
            await takeBack(call, subjectOf(call), options, signal);
            connection.advance(1);
          },
          stopping,
        );
      }
    } finally {
      connection.close();
    }
  }

  #end(stopped?: DestinationError): Undone {
    const result = this.result(stopped ? stoppedBy(stopped) : null);
    const whole = result.left.length > 0 ? exitCodes.someFailed : exitCodes.done;
    const exit = stopped ? errorExitCode(stopped) : this.#request.stopping.aborted ? exitCodes.stopped : whole;
    this.#run.end(exit, { requests: this.#counts, stopped });
    return { runId: `r${this.#run.id}`, result, exit };
  }

  result(stopped: UndoResult['stopped']): UndoResult {
    const only = this.#request.only?.text ?? null;
    return undoResult(this.#store, this.#target, this.#run.id, { only, reads: this.#counts, stopped });
  }
}
