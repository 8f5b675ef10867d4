import { DestinationError } from '../lib/errors.ts';
import { inParallel } from '../lib/flow/in-parallel.ts';
import type { ActionOutcome } from '../service/outcome.ts';
import type { Store } from '../store/open.ts';
import { noRequests } from './destination.ts';
import { undoUnfinished } from './import.ts';
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

  const activate = async ({ id: person, uid }: { readonly id: number; readonly uid: string }): Promise<void> => {
    const at = { destination: target.id, person };
    for (let round = 1; ; round++) {
      const { outcome } = await makeRequest<ActionOutcome>(
        {
          kind: 'action',
          name: 'an activation',
          pending: { muids: [] },
          intend: () => store.deactivated.intend(at),
          request: (client, signal) => client.activatePerson(uid, signal),
          reopen: async () => {},
        },
        session,
      );
      if (outcome.kind === 'unknown') {
        if (round === roundsMax) throw unanswered(outcome);
        continue;
      }
      if (outcome.kind !== 'failed') await store.deactivated.receive(at, { run: options.runId, nowMs: clock.now() });
      else if (outcome.code === 'ERR_UID_NOT_FOUND') await store.deactivated.receive(at, undefined);
      return session.advance(1);
    }
  };

  return await endOfSending(session, requests, async () => {
    const guarded = (person: { readonly id: number; readonly uid: string }) =>
      activate(person).catch((error: unknown) => {
        giveUp(error);
        throw error;
      });
    await inParallel(store.deactivated.awaited(), options.concurrency, guarded, pausing);
  });
}

const unanswered = ({ code, detail }: { readonly code: string; readonly detail: string }) =>
  new DestinationError(
    `Stopped before the messages: the destination does not answer requests to activate people: ${code}: ${detail}`,
    { code, hint: 'Run the same command again when the service answers' },
  );
