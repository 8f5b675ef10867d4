import { DestinationError } from '../lib/errors.ts';
import { inLists, inParallel } from '../lib/flow/in-parallel.ts';
import type { PeopleOutcome } from '../service/outcome.ts';
import type { DeactivatedPerson } from '../store/deactivated.ts';
import type { Store } from '../store/open.ts';
import { noRequests } from './destination.ts';
import { undoUnfinished } from './import.ts';
import { partition } from './lanes/receipts.ts';
import { roundsMax } from './pace/limits.ts';
import { makeRequest } from './one-request.ts';
import type { PerformOptions } from './perform-actions.ts';
import { endOfSending, type ImportResult, openSendingSession } from './session.ts';
import type { Target } from './target.ts';

/**
 * Activates people whom an undo or an earlier import has deactivated, and of whom something is to be sent: the service refuses it, and
 * their import, too, until then. Asking twice changes nothing.
 *
 * @throws StoreError if the store cannot write. Everything else that can happen to a request is an outcome.
 */
export async function activatePeople(store: Store, target: Target, options: PerformOptions): Promise<ImportResult> {
  const requests = noRequests();
  const total = store.deactivated.collect(target.id);
  if (total === 0) return { requests, stopped: undefined };
  if (store.undo.hasOpen(target.id)) return { requests, stopped: undoUnfinished(target) };
  const session = openSendingSession(target, { ...options, counts: requests }, { name: 'Activating people', total });
  const { pausing, giveUp, clock } = session;

  /** Those whom the answer does not name are asked for one by one. */
  const activate = async (people: readonly DeactivatedPerson[]): Promise<void> => {
    for (let round = 1; ; round++) {
      const { outcome } = await makeRequest<PeopleOutcome>(
        {
          kind: 'action',
          name: 'an activation',
          pending: { muids: [] },
          intend: () => store.deactivated.intend(target.id, people),
          request: (client, signal) =>
            client.activatePeople(
              people.map(({ uid }) => uid),
              signal,
            ),
          reopen: async () => {},
        },
        session,
      );
      if (outcome.kind === 'unknown') {
        if (round === roundsMax) throw unanswered(outcome);
        continue;
      }
      const uids = outcome.kind === 'answered' ? outcome.uids : new Set<string>();
      const [active, others] = partition(people, ({ uid }) => uids.has(uid));
      await store.deactivated.receive(target.id, active, { run: options.runId, nowMs: clock.now() });
      if (people.length === 1 && outcome.kind === 'answered') await store.deactivated.receive(target.id, others);
      else if (people.length > 1) for (const person of others) await activate([person]);
      return session.advance(people.length === 1 ? 1 : active.length);
    }
  };

  return await endOfSending(session, requests, async () => {
    const guarded = (people: readonly DeactivatedPerson[]) =>
      activate(people).catch((error: unknown) => {
        giveUp(error);
        throw error;
      });
    const lists = inLists(store.deactivated.awaited(), target.profile.batchItemsMax);
    await inParallel(lists, options.concurrency, guarded, pausing);
  });
}

const unanswered = ({ code, detail }: { readonly code: string; readonly detail: string }) =>
  new DestinationError(
    `Stopped before the messages: the destination does not answer requests to activate people: ${code}: ${detail}`,
    { code, hint: 'Run the same command again when the service answers' },
  );
