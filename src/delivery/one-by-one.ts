import type { Store } from '../store/open.ts';
import { sendPending } from './import.ts';
import type { ImportOptions, ImportResult } from './sending.ts';
import type { Target } from './target.ts';

/**
 * Sends what earlier runs left quarantined, each message in a request of its own. One that stays unanswered `attemptsMax` times has failed,
 * whether or not others are answered: with this the user has decided that the destination is well.
 */
export async function sendOneByOne(store: Store, target: Target, options: ImportOptions): Promise<ImportResult> {
  store.delivery.chooseQuarantined(target.id);
  const alone = { ...target, profile: { ...target.profile, batchItemsMax: 1 } };
  return await sendPending(store, alone, { ...options, chosenOnly: true, oneByOne: true });
}
