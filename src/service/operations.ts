import { addFriends, blockUsers, removeFriends, unblockUsers } from './contract/relations.ts';
import { sendBotMessage, sendMessage } from './contract/send-message.ts';
import { deleteConversation, deleteGroup, getGroup, kickMember } from './contract/conversations.ts';
import { importMessages } from './import-item.ts';
import { updateApiKey } from './contract/keys.ts';
import { addReaction, listMessages, listUserMessages } from './contract/messages.ts';
import { deleteContactDetails, deleteSmsProvider, getContactDetails } from './contract/notifications.ts';
import type { Operation } from './operation.ts';
import { allowFeatures, deleteRole, listRestrictedFeatures } from './contract/roles.ts';
import { getMessageStats } from './contract/stats.ts';
import { activateUsers, deactivateUsers, updateAuthToken } from './contract/users.ts';

/** Every operation by its name, in the order of the specification. A description here is also that of the client's method. */
const byName = {
  /** Updates the name and scope of an API key. */
  updateApiKey,
  /** Updates the details of an auth token of a user. */
  updateAuthToken,
  /** Deactivates users. */
  deactivateUsers,
  /** Activates users that were deactivated. */
  activateUsers,
  /** Makes users friends of a user. */
  addFriends,
  /** Ends friendships of a user. */
  removeFriends,
  /** Blocks users for a user. */
  blockUsers,
  /** Unblocks users for a user. */
  unblockUsers,
  /** Lists the features that are restricted for a role. */
  listRestrictedFeatures,
  /** Allows a role features that were restricted. */
  allowFeatures,
  /** Deletes a role. */
  deleteRole,
  /** Returns a group. */
  getGroup,
  /** Deletes a group. */
  deleteGroup,
  /** Removes a member from a group. */
  kickMember,
  /** Sends a message. */
  sendMessage,
  /** Sends a message from a bot. */
  sendBotMessage,
  /** Imports messages with their original times. */
  importMessages,
  /** Lists messages, a page at a time. */
  listMessages,
  /** Lists the messages of a user, a page at a time. */
  listUserMessages,
  /** Adds a reaction of a user to a message. */
  addReaction,
  /** Deletes a conversation for all users. */
  deleteConversation,
  /** Returns how many messages were sent, delivered and read, in intervals of five minutes. */
  getMessageStats,
  /** Returns the addresses at which a user is notified by e-mail and text message. */
  getContactDetails,
  /** Deletes the addresses at which a user is notified by e-mail and text message. */
  deleteContactDetails,
  /** Deletes the custom SMS notification provider of the app. */
  deleteSmsProvider,
};

export type OperationName = keyof typeof byName;

/** The declarations, with the types of their schemas. */
export type Operations = typeof byName;

/** Every operation, in the order of the specification. */
export const operations: readonly Operations[OperationName][] = Object.values(byName);

/** The operation of that name. Names are checked by types: whatever comes from outside is looked for in `operations`. */
export const operationNamed = (name: OperationName): Operation => byName[name];
