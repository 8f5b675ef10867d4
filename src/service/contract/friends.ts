import { z } from 'zod';
import { identifier, result, uidList } from './fields.ts';
import { defineOperation } from './operation.ts';

const params = z.object({ uid: identifier.describe('The user whose friends these are') });

export const addFriends = defineOperation({
  name: 'addFriends',
  summary: 'Makes users friends of a user',
  area: 'Friends',
  method: 'POST',
  path: '/v3/users/{uid}/friends',
  params,
  body: z.strictObject({ accepted: uidList.describe('uids of the friends to be') }),
  answer: z.looseObject({
    data: z.looseObject({ accepted: z.record(z.string(), result).describe('By uid, what became of it') }),
  }),
  errors: ['ERR_UID_NOT_FOUND'],
  itemErrors: ['ERR_UID_NOT_FOUND', 'ERR_ALREADY_FRIEND', 'ERR_CANNOT_FORM_SELF_RELATION'],
  rateClass: 'standard',
  notes: [
    { from: 'specification', says: 'The relation has the status accepted at once.' },
    { from: 'public', says: 'A user has 1,000 friends at most.' },
    { from: 'assumed', says: 'The relation holds both ways.' },
  ],
  example: {
    parameters: { uid: 'ann' },
    body: { accepted: ['bob', 'nobody'] },
    answer: {
      data: {
        accepted: {
          bob: { success: true, message: 'The relation between ann and bob with status accepted was created' },
          nobody: { success: false, message: 'The user "nobody" does not exist' },
        },
      },
    },
  },
});

export const removeFriends = defineOperation({
  name: 'removeFriends',
  summary: 'Ends friendships of a user',
  area: 'Friends',
  method: 'DELETE',
  path: '/v3/users/{uid}/friends',
  params,
  body: z.strictObject({ friends: uidList.describe('uids of the friends') }),
  answer: z.looseObject({ data: result }),
  errors: ['ERR_UID_NOT_FOUND', 'ERR_NOT_A_FRIEND'],
  rateClass: 'standard',
  notes: [
    { from: 'specification', says: 'There is one answer for the whole request.' },
    { from: 'assumed', says: 'It is refused as a whole where one of the users is no friend.' },
  ],
  example: {
    parameters: { uid: 'ann' },
    body: { friends: ['bob'] },
    answer: { data: { success: true, message: 'The friends were removed' } },
  },
});
