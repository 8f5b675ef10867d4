import type { Store } from '../store/open.ts';
import { DestinationError } from '../lib/errors.ts';
import { Lanes } from './lanes/queue.ts';
import { loadLanes } from './lanes.ts';
import type { ImportOptions, ImportResult } from './session.ts';
import { openSending, type Sending } from './lanes/sending.ts';
import { sendLanes } from './lanes/send-lanes.ts';
import { noRequests } from './destination.ts';
import type { Target } from './target.ts';
import { inParallel } from '../lib/flow/in-parallel.ts';

/**
 * Sends what is pending at the target: oldest first inside a conversation, many conversations side by side.
 *
 * One loop decides what begins (lanes/send-lanes.ts). The steps of a message, each a file:
 *
 *     unconfirmed    what an earlier run sent without an answer is read back, at once and after the grace   read-back.ts
 *     lane        the queue of its conversation, opened with a look at what stands there                 lanes.ts, lanes/open-lane.ts
 *     batch       the longest run of one lane, filled up from others                                     lanes/batches.ts
 *     retry       repeats what surely changed nothing; the breaker waits for a destination that is down  pace/with-retry.ts, pace/breaker.ts
 *     pace        evenly spaced slots, shared by all processes                                           pace.ts
 *     intent      on disk before the first byte leaves                                                   pace/with-attempt-log.ts
 *     permit      in a fleet: asked whether another worker has taken this over                               pace/with-permits.ts
 *     request     in flight, as one of as many as the destination bears                                  pace/adaptive-concurrency.ts
 *     outcome     answered, unknown or not applied: receipts, a read-back, again, or in halves           lanes/deliver-batch.ts
 *     suspects    what is absent although others were stored is tried with new messages                        lanes/suspects.ts
 *     quarantine  what stays unanswered waits, and is tried in halves while other requests succeed       lanes/quarantine.ts
 *     receipt     written down; the first ones of a run also prove that messages can be read back        lanes/receipts.ts, read-back/proof.ts
 *     read-back   without an answer it is looked for, at once and after the grace                        read-back.ts
 *
 * Actions follow the messages (perform-actions.ts), then what was sent is read back and compared (src/delivery/verify/):
 * `sendAndVerify` calls all three.
 *
 * @returns Why it stopped early, if it did; messages not reached stay pending, messages without an answer stay unconfirmed.
 * @throws StoreError if the store cannot write; everything else that can happen to a request is an outcome.
 */
export async function sendPending(store: Store, target: Target, options: ImportOptions): Promise<ImportResult> {
  leaveOut(store, target, options);
  if (isKnownToBeDone(store, target)) return { requests: noRequests(), stopped: undefined };
  const { clear, doubtful, pendingCount } = loadLanes(store, target.id, options.chosenOnly);
  if (pendingCount === 0) {
    if (!options.chosenOnly) store.totals.keep(doneName(target), 'yes');
    return { requests: noRequests(), stopped: undefined };
  }
  store.assertSound?.();
  if (store.undo.hasOpen(target.id)) return { requests: noRequests(), stopped: undoUnfinished(target) };
  const sending = openSending(store, target, options, pendingCount);
  try {
    if (options.trackUsers) await trackUsers(sending);
    const stopped = await sendLanes(sending, new Lanes(clear), doubtful);
    store.batches.closeFinished(target.id);
    return { requests: sending.session.counts, stopped };
  } finally {
    sending.session.close();
    sending.flight.claims.close();
  }
}

/** Returns whether nothing was pending or unconfirmed at the last check, and nothing has changed since. */
const isKnownToBeDone = ({ totals }: Store, target: Target) => totals.kept(doneName(target)) !== undefined;

const doneName = ({ id }: Pick<Target, 'id'>) => `nothing pending at ${id}`;

/** Leaves out planned messages that must not be sent there. */
function leaveOut(store: Store, target: Target, { runId, outOfOrder }: ImportOptions): void {
  store.checks.purge.assertContentKept(target.id);
  store.failures.refuseOutsiders(target.id, runId);
  store.failures.refuseLateParts(target.id, runId);
  store.messages.followUps.dropVoid(target.id);
  if (outOfOrder === 'reject') store.failures.refuseTooLate(target.id, runId, store.lanes.deliveredPlaces(target.id));
}

/** A request to delete that may still be applied would take what is sent now with it. */
export const undoUnfinished = ({ name }: Target) =>
  new DestinationError(
    `Cannot send to ${name}: an undo there was interrupted, and may still delete messages that are sent now`,
    { code: 'undo-unfinished', needsPerson: true, hint: 'Run "chatferry undo" first: it checks what was deleted' },
  );

/**
 * Sends what earlier runs left quarantined, each message in a request of its own. One that stays unanswered `attemptsMax` times has failed,
 * whether or not others are answered: with this the user has decided that the destination is well.
 */
export async function sendOneByOne(store: Store, target: Target, options: ImportOptions): Promise<ImportResult> {
  store.lanes.chooseQuarantined(target.id);
  const alone = { ...target, profile: { ...target.profile, batchItemsMax: 1 } };
  return await sendPending(store, alone, { ...options, chosenOnly: true, oneByOne: true });
}

/**
 * Asks the destination about everybody of whom nothing arrived there yet, before anything is sent: whom it did not know,
 * an undo may deactivate. One read a person, once at a destination; without an answer nothing is written down.
 */
async function trackUsers({ store, options, session }: Sending): Promise<void> {
  const { target, ask, signal } = session;
  await inParallel(
    store.people.unaskedAt(target.id),
    options.concurrency,
    async ({ id, uid }) => {
      const found = await ask((abort) => target.client.listUserMessages(uid, abort), signal);
      if (found.kind === 'answered') store.people.noteBefore(target.id, id, true);
      else if (found.why === 'not-found') store.people.noteBefore(target.id, id, false);
    },
    options.stopping,
  );
}
