import type { ActionRow } from '../../checkpoint/delivery/action-rows.ts';
import type { ActionKind } from '../../model/action.ts';
import type { DeliveryClient, Observed } from '../../service/client/delivery-client.ts';
import type { ActionOutcome } from '../../service/client/outcome.ts';

type Ask = (action: ActionRow, client: DeliveryClient, signal: AbortSignal) => Promise<Observed<ActionOutcome>>;

/** One request for one action. */
export const actionRequests: Readonly<Record<ActionKind, Ask>> = {
  friends: ({ uid, otherUid }, client, signal) => client.addFriend(uid, otherUid, signal),
  reactions: ({ serverId, reaction, uid }, client, signal) => client.addReaction(serverId!, reaction, uid, signal),
  blocks: ({ uid, otherUid }, client, signal) => client.blockUser(uid, otherUid, signal),
  deactivations: ({ uid }, client, signal) => client.deactivatePerson(uid, signal),
};
