import type { ConversationCheck } from '../check.ts';

export const conversationCreatedInFuture: ConversationCheck = {
  code: 'conversation-created-in-future',
  severity: 'information',
  title: 'Conversations that were created in the future',
  explanation: 'The time at which the conversation was created lies ahead of now.',
  remedy: 'Check the time format of the source.',
  find: ({ createdAtMs }, { nowMs }) =>
    createdAtMs !== undefined && createdAtMs > nowMs ? `${createdAtMs} ms` : undefined,
};
