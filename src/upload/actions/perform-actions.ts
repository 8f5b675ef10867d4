import { ActionJournal } from '../../checkpoint/delivery/action-journal.ts';
import { countReadyActions } from '../../checkpoint/delivery/action-counts.ts';
import { type ActionRow, actionRowsReader, busyPeople } from '../../checkpoint/delivery/action-rows.ts';
import { reopenRefused } from '../../checkpoint/delivery/reopen-refused.ts';
import type { Store } from '../../checkpoint/base/store.ts';
import { hasOpenUndo } from '../../checkpoint/repair/undo-calls.ts';
import { DestinationError } from '../../lib/errors.ts';
import { actionKinds } from '../../model/action.ts';
import { noRequests } from '../pace/counts.ts';
import { NotSent } from '../pace/destination.ts';
import { ActionRounds } from './action-rounds.ts';
import { type ImportOptions, type ImportResult, undoUnfinished } from '../import.ts';
import { attemptsMax, breakerOf } from '../sending-line.ts';
import type { Target } from '../target.ts';

/** What performing actions needs to know of an import. */
export type PerformOptions = Pick<
  ImportOptions,
  'runId' | 'lockTakenAtMs' | 'concurrency' | 'clock' | 'random' | 'progress' | 'stopping' | 'signal'
>;

/**
 * Does what follows the messages, as far as they have arrived: friends, reactions, blocks, and at last deactivations of
 * people of whom nothing else is left to do. What an earlier run left without an answer is found out.
 *
 * @throws StoreError if the store cannot write; everything else that can happen to a request is an outcome.
 */
export async function performActions(store: Store, target: Target, options: PerformOptions): Promise<ImportResult> {
  const requests = noRequests();
  const { clock, progress, stopping, signal } = options;
  reopenRefused(store.db, target.id);
  const readyCount = countReadyActions(store.db, target.id);
  if (readyCount === 0) return { requests, stopped: undefined };
  if (hasOpenUndo(store.db, target.id)) return { requests, stopped: undoUnfinished(target) };
  const stage = progress.stage('Actions', { total: readyCount });
  let done = 0;
  const onWait = (waitMs: number, waiting: string) => stage.update({ done, waiting, waitMs });
  const pace = target.openPace(onWait);
  const giveUp = new AbortController();
  const pausing = AbortSignal.any([stopping, signal, giveUp.signal]);
  const line = { target, pace, clock, random: options.random, counts: requests, onWait, pausing };
  const breaker = breakerOf(line);
  const journal = new ActionJournal(store, target.id, options.runId);
  const rowsOf = actionRowsReader(store.db, target.id);
  const rounds = new ActionRounds({
    ...{ rowsOf, journal, breaker, attemptsMax, client: target.client },
    ...{ ...line, concurrency: options.concurrency, signal, profile: target.profile },
    // Nothing of an earlier process can have left after this one took the store.
    earlierGraceEndsAt:
      clock.monotonic() - Math.max(clock.now() - options.lockTakenAtMs, 0) + target.profile.graceLongMs,
    giveUp: (reason) => giveUp.abort(reason),
    onDone: () => stage.update({ done: ++done }),
  });
  try {
    for (const kind of actionKinds) {
      const busy = kind === 'deactivations' ? busyPeople(store.db, target.id) : undefined;
      await rounds.perform(kind, (action: ActionRow) => busy === undefined || !busy.has(action.person));
    }
    return { requests, stopped: undefined };
  } catch (error) {
    if (error instanceof DestinationError) return { requests, stopped: error };
    const isOfStopping = error instanceof NotSent || (pausing.aborted && error === pausing.reason);
    if (isOfStopping || signal.aborted) return { requests, stopped: undefined };
    throw error;
  } finally {
    stage.finish();
    pace.close();
  }
}
