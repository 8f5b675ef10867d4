import { blockUsers, unblockUsers } from './blocked-users.ts';
import { sendBotMessage } from './bots.ts';
import { deleteConversation } from './conversations.ts';
import { addFriends, removeFriends } from './friends.ts';
import { deleteGroup, getGroup, kickMember } from './groups.ts';
import { importMessages } from './import.ts';
import { updateApiKey } from './keys.ts';
import { listMessages, listUserMessages } from './messages.ts';
import { deleteContactDetails, deleteSmsProvider, getContactDetails } from './notifications.ts';
import type { Operation } from './operation.ts';
import { addReaction } from './reactions.ts';
import { allowFeatures, deleteRole, listRestrictedFeatures } from './roles.ts';
import { sendMessage } from './send-message.ts';
import { getMessageStats } from './stats.ts';
import { activateUsers, deactivateUsers, updateAuthToken } from './users.ts';

/** Every operation, in the order of the specification. */
export const operations = [
  updateApiKey,
  updateAuthToken,
  deactivateUsers,
  activateUsers,
  addFriends,
  removeFriends,
  blockUsers,
  unblockUsers,
  listRestrictedFeatures,
  allowFeatures,
  deleteRole,
  getGroup,
  deleteGroup,
  kickMember,
  sendMessage,
  sendBotMessage,
  importMessages,
  listMessages,
  listUserMessages,
  addReaction,
  deleteConversation,
  getMessageStats,
  getContactDetails,
  deleteContactDetails,
  deleteSmsProvider,
] as const;

export type OperationName = (typeof operations)[number]['name'];

/** The declaration of one operation, with the types of its schemas. */
export type Declared<Name extends OperationName> = Extract<(typeof operations)[number], { readonly name: Name }>;

const byName: ReadonlyMap<string, Operation> = new Map(operations.map((operation) => [operation.name, operation]));

/** The operation of that name. Names are checked by types: whatever comes from outside is looked for in `operations`. */
export function operationNamed(name: OperationName): Operation {
  return byName.get(name)!;
}
