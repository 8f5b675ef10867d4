import type { Handlers } from './service.ts';
import { addFriends, blockUsers, removeFriends, unblockUsers } from './relations.ts';
import { deleteConversation, deleteGroup, getGroup, kickMember } from './conversations.ts';
import { importMessages } from './import-messages.ts';
import { updateApiKey } from './keys.ts';
import { addReaction, listMessages, listUserMessages } from './messages.ts';
import { deleteContactDetails, deleteSmsProvider, getContactDetails } from './notifications.ts';
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
