import { z } from 'zod';
import { identifier, result, uidList } from './fields.ts';
import { defineOperation } from './operation.ts';

const params = z.object({ uid: identifier.describe('The user who blocks') });

const answer = z.looseObject({ data: z.record(z.string(), result).describe('By uid, what became of it') });

export const blockUsers = defineOperation({
  name: 'blockUsers',
  summary: 'Blocks users for a user',
  area: 'Blocked users',
  method: 'POST',
  path: '/v3/users/{uid}/blockedusers',
  params,
  body: z.strictObject({ blockedUids: uidList.describe('uids of the users to block') }),
  answer,
  errors: ['ERR_UID_NOT_FOUND'],
  itemErrors: ['ERR_UID_NOT_FOUND', 'ERR_CANNOT_BLOCK_SELF'],
  rateClass: 'standard',
  notes: [{ from: 'assumed', says: 'Blocking again is a success.' }],
  example: {
    parameters: { uid: 'ann' },
    body: { blockedUids: ['bob'] },
    answer: { data: { bob: { success: true, message: 'The user "bob" is blocked' } } },
  },
});

export const unblockUsers = defineOperation({
  name: 'unblockUsers',
  summary: 'Unblocks users for a user',
  area: 'Blocked users',
  method: 'DELETE',
  path: '/v3/users/{uid}/blockedusers',
  params,
  body: z.strictObject({ blockedUids: uidList.describe('uids of the users to unblock') }),
  answer,
  errors: ['ERR_UID_NOT_FOUND'],
  itemErrors: ['ERR_UID_NOT_FOUND'],
  rateClass: 'standard',
  notes: [{ from: 'assumed', says: 'For a user that is not blocked `success` is false.' }],
  example: {
    parameters: { uid: 'ann' },
    body: { blockedUids: ['bob'] },
    answer: { data: { bob: { success: true, message: 'The user "bob" is unblocked' } } },
  },
});
