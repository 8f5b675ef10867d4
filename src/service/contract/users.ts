import { z } from 'zod';
import { freeForm, identifier, seconds, uidList } from './fields.ts';
import { assumed, defineOperation, documented, specified } from '../operation.ts';

export const updateAuthToken = defineOperation({
  name: 'updateAuthToken',
  summary: 'Updates the details of an auth token of a user',
  area: 'Users',
  method: 'PUT',
  path: '/v3/users/{uid}/auth_tokens/{authToken}',
  params: z.object({
    uid: identifier.describe('Owner of the token'),
    authToken: identifier.meta({
      description: 'The token: the uid, an underscore, a generated suffix',
      isSecret: true,
    }),
  }),
  body: z.strictObject({
    platform: z.string().optional().describe('Such as `ios`'),
    userAgent: z.string().optional(),
    appInfo: freeForm.optional().describe('Free-form'),
  }),
  answer: z.looseObject({
    data: z.looseObject({ uid: z.string(), authToken: z.string(), createdAt: seconds.optional() }),
  }),
  errors: ['ERR_UID_NOT_FOUND', 'ERR_AUTH_TOKEN_NOT_FOUND', 'ERR_AUTHTOKEN_NOT_ACCESSIBLE'],
  notes: [
    specified('The answer does not repeat platform, user agent and app info.'),
    documented('A body `[]` is taken for `{}`.'),
    assumed('A field that is left out stays as it is.'),
  ],
});

export const deactivateUsers = defineOperation({
  name: 'deactivateUsers',
  summary: 'Deactivates users',
  area: 'Users',
  method: 'DELETE',
  path: '/v3/users',
  body: z.strictObject({ uidsToDeactivate: uidList.describe('uids of the users') }),
  answer: z.looseObject({ data: z.looseObject({ deactivatedUids: z.array(z.string()) }) }),
  rateClass: 'core',
  notes: [
    documented('A deactivated user is then answered like one that does not exist: `ERR_UID_NOT_FOUND`.'),
    assumed('uids that do not exist are left out of the answer. An empty list is refused.'),
  ],
});

export const activateUsers = defineOperation({
  name: 'activateUsers',
  summary: 'Activates users that were deactivated',
  area: 'Users',
  method: 'PUT',
  path: '/v3/users',
  body: z.strictObject({ uidsToActivate: uidList.describe('uids of the users') }),
  answer: z.looseObject({
    data: z.looseObject({ nonDeactivatedUids: z.array(z.string()).describe('The users that are active now') }),
  }),
  rateClass: 'core',
  notes: [
    assumed(
      'A user that is active already is listed too. uids that do not exist are left out. An empty list is refused.',
    ),
  ],
});
