import { z } from 'zod';
import { group } from './entities.ts';
import { identifier, onBehalfOf, onBehalfOfRequired, result } from './fields.ts';
import { assumed, defineOperation, documented } from '../operation.ts';

const whichGroup = z.object({ guid: identifier.describe('The group') });

export const getGroup = defineOperation({
  name: 'getGroup',
  summary: 'Returns a group',
  area: 'Groups',
  method: 'GET',
  path: '/v3/groups/{guid}',
  params: whichGroup,
  headers: onBehalfOf,
  answer: z.looseObject({ data: group }),
  errors: ['ERR_GUID_NOT_FOUND', 'ERR_UID_NOT_FOUND', 'ERR_GROUP_NOT_JOINED'],
  notes: [
    assumed('`scope`, `joinedAt` and `hasJoined` are there only with `onBehalfOf`.'),
    assumed('A private group is shown to its members only.'),
  ],
});

export const deleteGroup = defineOperation({
  name: 'deleteGroup',
  summary: 'Deletes a group',
  area: 'Groups',
  method: 'DELETE',
  path: '/v3/groups/{guid}',
  params: whichGroup,
  headers: onBehalfOf,
  answer: z.looseObject({ data: result }),
  errors: ['ERR_GUID_NOT_FOUND', 'ERR_UID_NOT_FOUND', 'ERR_GROUP_NO_ADMIN_SCOPE'],
  rateClass: 'core',
  notes: [
    documented('With `onBehalfOf` the user must be an admin of the group.'),
    assumed('Its members leave it, and its messages are no longer listed.'),
  ],
});

export const kickMember = defineOperation({
  name: 'kickMember',
  summary: 'Removes a member from a group',
  area: 'Groups',
  method: 'DELETE',
  path: '/v3/groups/{guid}/members/{uid}',
  params: whichGroup.extend({ uid: identifier.describe('The member') }),
  headers: onBehalfOf,
  answer: z.looseObject({ data: result }),
  errors: [
    'ERR_GUID_NOT_FOUND',
    'ERR_UID_NOT_FOUND',
    'ERR_NOT_A_MEMBER',
    'ERR_GROUP_NOT_JOINED',
    'ERR_GROUP_NO_MODERATOR_SCOPE',
    'ERR_GROUP_NO_CLEARANCE',
    'ERR_GROUP_NO_SELF_ACTION',
  ],
  rateClass: 'core',
  notes: [
    documented('With `onBehalfOf` the user must have a scope above that of the member, and be another.'),
    assumed('The group receives a message of category `action`.'),
  ],
});

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
  notes: [assumed('The muids of its messages stay taken.')],
  deprecated:
    'The specification names a reset operation for user or group conversations instead, and does not show it.',
});
