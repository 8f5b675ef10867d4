import { z } from 'zod';
import { hello } from './examples.ts';
import { identifier, onBehalfOfRequired } from './fields.ts';
import { message } from './message.ts';
import { defineOperation } from './operation.ts';

export const addReaction = defineOperation({
  name: 'addReaction',
  summary: 'Adds a reaction of a user to a message',
  area: 'Messages',
  method: 'POST',
  path: '/v3/messages/{id}/reactions/{reaction}',
  params: z.object({
    id: identifier.describe('Id that the service gave the message'),
    reaction: identifier.describe('An emoji, or any text'),
  }),
  headers: onBehalfOfRequired,
  answer: z.looseObject({ data: message }),
  errors: ['ERR_UID_NOT_FOUND', 'ERR_MESSAGE_ID_NOT_FOUND', 'ERR_MESSAGE_NO_ACCESS'],
  rateClass: 'standard',
  notes: [
    {
      from: 'specification',
      says: '`data.reactions` of the answer lists every reaction with its count, and `reactedByMe`.',
    },
    { from: 'assumed', says: 'The same reaction of the same user again changes nothing.' },
  ],
  example: {
    parameters: { id: '41', reaction: '👍', onBehalfOf: 'bob' },
    answer: {
      data: { ...hello, data: { ...hello.data, reactions: [{ reaction: '👍', count: 1, reactedByMe: true }] } },
    },
  },
});
