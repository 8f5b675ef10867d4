import type { Handlers } from '../http/handler.ts';
import { blockUsers, unblockUsers } from './blocked-users.ts';
import { deleteConversation } from './conversations.ts';
import { addFriends, removeFriends } from './friends.ts';
import { deleteGroup, getGroup, kickMember } from './groups.ts';
import { importMessages } from './import-messages.ts';
import { updateApiKey } from './keys.ts';
import { listMessages, listUserMessages } from './messages.ts';
import { deleteContactDetails, deleteSmsProvider, getContactDetails } from './notifications.ts';
import { addReaction } from './reactions.ts';
import { allowFeatures, deleteRole, listRestrictedFeatures } from './roles.ts';
import { sendBotMessage, sendMessage } from './send-message.ts';
import { getMessageStats } from './stats.ts';
import { activateUsers, deactivateUsers, updateAuthToken } from './users.ts';

/** Who answers which operation. */
export const handlers: Handlers = {
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
};
