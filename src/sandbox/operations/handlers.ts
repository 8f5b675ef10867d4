import * as conversations from './conversations.ts';
import * as importMessages from './import-messages.ts';
import * as keys from './keys.ts';
import * as messages from './messages.ts';
import * as notifications from './notifications.ts';
import * as relations from './relations.ts';
import * as roles from './roles.ts';
import * as sendMessage from './send-message.ts';
import * as stats from './stats.ts';
import * as users from './users.ts';
import type { Handlers } from './service.ts';

/** Who answers which operation: these modules export handlers under the names of their operations, and nothing else. */
export const handlers: Handlers = {
  ...conversations,
  ...importMessages,
  ...keys,
  ...messages,
  ...notifications,
  ...relations,
  ...roles,
  ...sendMessage,
  ...stats,
  ...users,
};
