import { z } from 'zod';
import { identifier, result, uidList } from './fields.ts';
import { assumed, defineOperation, documented, specified } from '../operation.ts';

const whoseFriends = z.object({ uid: identifier.describe('The user whose friends these are') });

export const addFriends = defineOperation({
  name: 'addFriends',
  summary: 'Makes users friends of a user',
  area: 'Friends',
  method: 'POST',
  path: '/v3/users/{uid}/friends',
  params: whoseFriends,
  body: z.strictObject({ accepted: uidList.describe('uids of the friends to be') }),
  answer: z.looseObject({
    data: z.looseObject({ accepted: z.record(z.string(), result).describe('By uid, what became of it') }),
  }),
  errors: ['ERR_UID_NOT_FOUND'],
  itemErrors: ['ERR_UID_NOT_FOUND', 'ERR_ALREADY_FRIEND', 'ERR_CANNOT_FORM_SELF_RELATION'],
  notes: [
    specified('The relation gets the status accepted immediately.'),
    documented('A user has 1,000 friends at most.'),
    assumed('The relation holds both ways.'),
  ],
});

export const removeFriends = defineOperation({
  name: 'removeFriends',
  summary: 'Ends friendships of a user',
  area: 'Friends',
  method: 'DELETE',
  path: '/v3/users/{uid}/friends',
  params: whoseFriends,
  body: z.strictObject({ friends: uidList.describe('uids of the friends') }),
  answer: z.looseObject({ data: result }),
  errors: ['ERR_UID_NOT_FOUND', 'ERR_NOT_A_FRIEND'],
  notes: [
    specified('There is one answer for the whole request.'),
    assumed('It is refused as a whole where one of the users is no friend.'),
  ],
});

const whoBlocks = z.object({ uid: identifier.describe('The user who blocks') });

const blockAnswer = z.lazy(() =>
  z.looseObject({ data: z.record(z.string(), result).describe('By uid, what became of it') }),
);

export const blockUsers = defineOperation({
  name: 'blockUsers',
  summary: 'Blocks users for a user',
  area: 'Blocked users',
  method: 'POST',
  path: '/v3/users/{uid}/blockedusers',
  params: whoBlocks,
  body: z.strictObject({ blockedUids: uidList.describe('uids of the users to block') }),
  answer: blockAnswer,
  errors: ['ERR_UID_NOT_FOUND'],
  itemErrors: ['ERR_UID_NOT_FOUND', 'ERR_CANNOT_BLOCK_SELF'],
  notes: [
    assumed('Blocking again is a success.'),
    assumed('10,000 uids per request at most, here and in all such lists.'),
  ],
});

export const unblockUsers = defineOperation({
  name: 'unblockUsers',
  summary: 'Unblocks users for a user',
  area: 'Blocked users',
  method: 'DELETE',
  path: '/v3/users/{uid}/blockedusers',
  params: whoBlocks,
  body: z.strictObject({ blockedUids: uidList.describe('uids of the users to unblock') }),
  answer: blockAnswer,
  errors: ['ERR_UID_NOT_FOUND'],
  itemErrors: ['ERR_UID_NOT_FOUND'],
  notes: [assumed('For a user that is not blocked `success` is false.')],
});
