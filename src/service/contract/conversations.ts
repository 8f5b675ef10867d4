import { z } from 'zod';
import { identifier, onBehalfOfRequired, result } from './fields.ts';
import { defineOperation } from './operation.ts';

export const deleteConversation = defineOperation({
  name: 'deleteConversation',
  summary: 'Deletes a conversation for all users',
  area: 'Conversations',
  method: 'DELETE',
  path: '/v3/conversations/{conversationId}',
  params: z.object({
    conversationId: identifier.describe('`<uid>_user_<uid>`, the uids in ascending order, or `group_<guid>`'),
  }),
  headers: onBehalfOfRequired,
  answer: z.looseObject({ data: result }),
  errors: ['ERR_UID_NOT_FOUND', 'ERR_CONVERSATION_NOT_FOUND', 'ERR_CONVERSATION_NOT_ACCESSIBLE'],
  rateClass: 'standard',
  notes: [{ from: 'assumed', says: 'The muids of its messages stay taken.' }],
  deprecated:
    'The specification names a reset operation for user or group conversations instead, and does not show it.',
  example: {
    parameters: { conversationId: 'ann_user_bob', onBehalfOf: 'ann' },
    answer: { data: { success: true, message: 'The conversation was deleted for all users' } },
  },
});
