import { formatCount } from '../lib/text/count.ts';
import type { Store } from '../store/open.ts';
import { DestinationError } from '../lib/errors.ts';
import type { VerifyResult } from '../model/totals.ts';
import { addRequests, type RequestCounts } from './destination.ts';
import { sendPending } from './import.ts';
import type { ImportOptions } from './sending.ts';
import type { Target } from './target.ts';
import { verify, type VerifyOptions } from './verify.ts';

export interface RepairOptions extends ImportOptions, Pick<VerifyOptions, 'insideOnly'> {
  readonly counts: RequestCounts;
  /** Asked with the number of messages to send again; `false` sends nothing. Not asked for the embedded sandbox. */
  readonly confirm?: ((missing: number, destination: string) => Promise<boolean>) | undefined;
}

/**
 * Sends what the verification before found missing, and nothing else that is pending, as an import would; then reads those
 * conversations again.
 *
 * @param found What that verification came to.
 * @returns The counts of all conversations that it read, as they are then.
 * @throws DestinationError if it stopped before everything missing was sent: what is left is pending, and an import sends it.
 */
export async function repairMissing(
  store: Store,
  target: Target,
  found: VerifyResult,
  options: RepairOptions,
): Promise<VerifyResult> {
  // Requests are added once, when all are sent.
  const { counts, ...sending } = options;
  const { runId, confirm, insideOnly } = options;
  const count = store.repair.chooseMissing(target.id, insideOnly);
  if (count === 0) return found.missing > 0 ? { ...found, repaired: 0 } : found;
  assertSomethingShown(found, target, insideOnly);
  if (confirm && !target.isEmbedded && !(await confirm(count, target.name))) return { ...found, repaired: 0 };
  store.repair.putBackChosen(target.id);
  const { requests, stopped } = await sendPending(store, target, { ...sending, chosenOnly: true });
  addRequests(counts, requests);
  if (stopped) throw stopped;
  await verify(store, target, { ...options, since: runId - 1, keepsOthers: true });
  return {
    ...store.delivery.sumOfChecks(target.id, insideOnly ? 'inside' : 'whole'),
    repaired: store.repair.countChosenDelivered(target.id),
  };
}

/** Throws if nothing at all is shown. Absence then proves nothing: the destination may simply not list what it has. */
function assertSomethingShown({ same, different }: VerifyResult, { name }: Target, insideOnly = false): void {
  if (same + different > 0) return;
  const ours = insideOnly ? 'no message that --only finds' : 'no message of ours';
  throw new DestinationError(`Cannot repair: ${name} shows ${ours}, so missing messages cannot be determined`, {
    code: 'nothing-shown',
    hint: insideOnly
      ? 'Run "chatferry verify --repair" with a wider --only, or without it'
      : 'If it was emptied, run "chatferry reconcile EXPORT" and then "chatferry import"; else find out why it lists nothing',
  });
}

/**
 * Resolves unconfirmed messages, as an import would, and sends nothing. One of them may occupy the position of a
 * missing message, and an earlier repair that was cut off may have left it.
 *
 * @throws DestinationError if they cannot be resolved.
 */
export async function resolveUnconfirmed(store: Store, target: Target, options: RepairOptions): Promise<void> {
  const { counts, ...sending } = options;
  if (store.repair.countUnconfirmed(target.id) === 0) return;
  store.delivery.chooseMessages([]);
  const { requests, stopped } = await sendPending(store, target, { ...sending, chosenOnly: true });
  addRequests(counts, requests);
  if (stopped) throw stopped;
  assertNothingUnconfirmed(store.repair.countUnconfirmed(target.id));
}

function assertNothingUnconfirmed(count: number): void {
  if (count === 0) return;
  throw new DestinationError(
    `Cannot repair while ${formatCount(count)} messages are unconfirmed: it is not known yet whether they arrived`,
    {
      code: 'unconfirmed',
      hint: 'Run "chatferry import": it shows why they cannot be confirmed',
    },
  );
}
