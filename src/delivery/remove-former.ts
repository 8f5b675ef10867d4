import { DestinationError } from '../lib/errors.ts';
import { inParallel } from '../lib/flow/in-parallel.ts';
import type { ActionOutcome } from '../service/outcome.ts';
import type { LeavingMember } from '../store/arrivals.ts';
import type { Store } from '../store/open.ts';
import { noRequests } from './destination.ts';
import { undoUnfinished } from './import.ts';
import { makeRequest } from './one-request.ts';
import { roundsMax } from './pace/limits.ts';
import type { PerformOptions } from './perform-actions.ts';
import { endOfSending, type ImportResult, openSendingSession } from './session.ts';
import type { Target } from './target.ts';

/**
 * Removes people from groups of which they were members for the import alone, each once all messages that they wrote there have arrived:
 *
 *     imported ──intent──▶ leaving ──removed, or no member──▶ left ──messages are to be sent again──▶ pending
 *                             └──refused, or surely not applied──▶ imported
 *
 * @param which `unanswered`: only those of an earlier run, before anybody is made a member again.
 * @throws StoreError if the store cannot write. Everything else that can happen to a request is an outcome.
 */
export async function removeFormer(
  store: Store,
  target: Target,
  options: PerformOptions,
  which: 'ready' | 'unanswered',
): Promise<ImportResult> {
  const requests = noRequests();
  const total = target.profile.people === 'import' ? store.arrivals.collectLeaving(target.id, which) : 0;
  if (total === 0) return { requests, stopped: undefined };
  if (store.undo.hasOpen(target.id)) return { requests, stopped: undoUnfinished(target) };
  const session = openSendingSession(target, { ...options, counts: requests }, { name: 'Removing members', total });
  const { pausing, giveUp } = session;

  const remove = async ({ id, guid, uid }: LeavingMember): Promise<void> => {
    const receive = (receipt: Parameters<typeof store.arrivals.receiveLeave>[2]) =>
      store.arrivals.receiveLeave(target.id, id, receipt);
    // A request without an answer may be applied still: then it is not known that they are members.
    let isDoubtful = which === 'unanswered';
    for (let round = 1; ; round++) {
      const { outcome } = await makeRequest<ActionOutcome>(
        {
          kind: 'action',
          name: 'a removal',
          pending: { muids: [] },
          intend: () => store.arrivals.intendLeave(target.id, id),
          request: (client, signal) => client.removeMember(guid, uid, signal),
          reopen: async () => (isDoubtful ? undefined : await receive({ state: 'imported' })),
        },
        session,
      );
      if (outcome.kind === 'unknown') {
        if (round === roundsMax) throw unanswered(outcome);
        isDoubtful = true;
        continue;
      }
      const isGone = outcome.kind !== 'failed' || goneCodes.has(outcome.code);
      await receive(isGone ? { state: 'left' } : { state: 'imported', code: outcome.code, detail: outcome.detail });
      return session.advance(1);
    }
  };

  return await endOfSending(session, requests, async () => {
    const guarded = (member: LeavingMember) =>
      remove(member).catch((error: unknown) => {
        giveUp(error);
        throw error;
      });
    await inParallel(store.arrivals.leaving(), options.concurrency, guarded, pausing);
  });
}

const goneCodes: ReadonlySet<string> = new Set(['ERR_NOT_A_MEMBER', 'ERR_GUID_NOT_FOUND']);

const unanswered = ({ code, detail }: { readonly code: string; readonly detail: string }) =>
  new DestinationError(`Stopped: the destination does not answer requests to remove members: ${code}: ${detail}`, {
    code,
    hint: 'Run the same command again when the service answers',
  });
