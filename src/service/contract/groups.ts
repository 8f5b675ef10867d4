import { z } from 'zod';
import { onBehalfOf, seconds } from './fields.ts';
import { defineOperation } from './operation.ts';

export const group = z.looseObject({
  guid: z.string(),
  name: z.string().optional(),
  description: z.string().nullish(),
  icon: z.string().nullish(),
  /** `public`, `private` or `password`. */
  type: z.string().optional(),
  membersCount: z.number().optional(),
  conversationId: z.string().optional(),
  createdAt: seconds.optional(),
  owner: z.string().nullish(),
  tags: z.array(z.string()).optional(),
  /** These three are about the user for whom the request acts. */
  scope: z.string().optional(),
  joinedAt: seconds.optional(),
  hasJoined: z.boolean().optional(),
});

export type Group = z.output<typeof group>;

export const getGroup = defineOperation({
  name: 'getGroup',
  summary: 'Returns a group',
  method: 'GET',
  path: '/v3/groups/{guid}',
  params: z.object({ guid: z.string() }),
  headers: onBehalfOf,
  answer: z.looseObject({ data: group }),
});
