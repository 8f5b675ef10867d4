import type { ConversationCheck } from '../check.ts';

export const conversationArchived: ConversationCheck = {
  code: 'conversation-archived',
  severity: 'information',
  title: 'Archived conversations',
  explanation: 'The service has no archive: the conversation is open at the destination.',
  remedy: 'Leave it out with conversations.exclude, if nobody needs it.',
  find: ({ id, name, isArchived }) => (isArchived ? `${name || id} is archived` : undefined),
};
