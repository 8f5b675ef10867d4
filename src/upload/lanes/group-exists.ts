import type { DeliveryClient } from '../../service/client/delivery-client.ts';
import type { Ask } from '../read-back/ask.ts';

/**
 * Whether a destination has a group; undefined where it does not say.
 *
 * Asked once for a group, before the first message to it: an undo deletes no group that was there before. An import goes
 * on without the answer; what is not known to be ours is left alone later.
 */
export function groupExistsReader(client: Pick<DeliveryClient, 'getGroup'>, ask: Ask) {
  return async (guid: string, signal: AbortSignal): Promise<boolean | undefined> => {
    const outcome = await ask((abort) => client.getGroup(guid, abort), signal);
    if (outcome.kind === 'answered') return true;
    return outcome.why === 'not-found' ? false : undefined;
  };
}
