import { z } from 'zod';
import { personal, userDetails } from './import-item.ts';
import { assumed, defineOperation, documented } from './operation.ts';
import { freeForm, sentSeconds } from './contract/fields.ts';

/** One user of an import. */
export const importUser = z.lazy(() =>
  z
    .looseObject({
      uid: z.string(),
      ...personal,
      deactivatedAt: sentSeconds.optional().describe('Since when the user is deactivated'),
    })
    .describe('A user to import'),
);

/** One group of an import. */
export const importGroup = z.lazy(() =>
  z
    .looseObject({
      guid: z.string(),
      name: z.string(),
      type: z.enum(['public', 'private', 'password'], 'expected "public", "private" or "password"'),
      icon: z.string().optional().describe('URL'),
      description: z.string().optional(),
      password: z.string().optional().describe('For a group of that type'),
      owner: z.string().optional().describe('uid; becomes a member with the scope `admin`'),
      createdAt: sentSeconds.optional(),
      metadata: freeForm.optional(),
      tags: z.array(z.string()).optional(),
      groupOwnerDetails: userDetails.optional().describe('Creates the owner, or updates it'),
    })
    .describe('A group to import'),
);

/** One membership of an import. */
export const importMember = z.lazy(() =>
  z
    .looseObject({
      memberId: z.string().describe('Equal to its key: `<guid>_member_<uid>`'),
      guid: z.string(),
      uid: z.string(),
      joinedAt: sentSeconds,
      scope: z
        .enum(['participant', 'moderator', 'admin'], 'expected "participant", "moderator" or "admin"')
        .optional()
        .describe('`participant` if not given'),
      isBanned: z.boolean().optional().describe('Whether the user is banned from the group'),
    })
    .describe('A member of a group to import'),
);

export type ImportUser = z.input<typeof importUser>;
export type ImportGroup = z.input<typeof importGroup>;
export type ImportMember = z.input<typeof importMember>;

const answered = z.lazy(() =>
  z.looseObject({
    data: z
      .record(
        z.string(),
        z.looseObject({
          success: z.boolean(),
          data: z.unknown().optional().describe('`data` in it is what was stored'),
          error: z.unknown().optional().describe('Why it is not: code and message'),
        }),
      )
      .describe('By the keys of the request'),
  }),
);

const shared = { area: 'Import', method: 'POST', rateClass: 'import', isSpecified: false } as const;
const rates = documented('50 items per request at most. The 60 requests per minute are those of messages, too.');

export const importUsers = defineOperation({
  ...shared,
  name: 'importUsers',
  summary: 'Imports users',
  path: '/v3/data_import/users',
  body: z.looseObject({ users: z.record(z.string(), importUser).describe('By uid') }),
  answer: answered,
  errors: ['ERR_IMPORT_INVALID_USER_FORMAT'],
  itemErrors: ['ERR_UID_ALREADY_EXISTS', 'ERR_BAD_REQUEST', 'ERR_IMPORT_INVALID_USER_FORMAT', 'ERR_ROLE_NOT_FOUND'],
  notes: [
    rates,
    documented('Users come before groups, members and messages.'),
    assumed('A user that exists stays as it is. A role has to exist before it is given.'),
  ],
});

export const importGroups = defineOperation({
  ...shared,
  name: 'importGroups',
  summary: 'Imports groups',
  path: '/v3/data_import/groups',
  body: z.looseObject({ groups: z.record(z.string(), importGroup).describe('By guid') }),
  answer: answered,
  errors: ['ERR_IMPORT_INVALID_GROUP_FORMAT'],
  itemErrors: ['ERR_GUID_ALREADY_EXISTS', 'ERR_BAD_REQUEST', 'ERR_IMPORT_INVALID_GROUP_FORMAT', 'ERR_UID_NOT_FOUND'],
  notes: [rates, assumed('A group that exists stays as it is. Its owner has to exist, or to be described.')],
});

export const importMembers = defineOperation({
  ...shared,
  name: 'importMembers',
  summary: 'Imports members of groups',
  path: '/v3/data_import/members',
  body: z.looseObject({ members: z.record(z.string(), importMember).describe('By `<guid>_member_<uid>`') }),
  answer: answered,
  errors: ['ERR_IMPORT_INVALID_MEMBER_FORMAT'],
  itemErrors: [
    'ERR_ALREADY_JOINED',
    'ERR_IMPORT_INVALID_JOINEDAT',
    'ERR_BAD_REQUEST',
    'ERR_IMPORT_INVALID_MEMBER_FORMAT',
    'ERR_UID_NOT_FOUND',
    'ERR_GUID_NOT_FOUND',
  ],
  notes: [
    rates,
    documented('`joinedAt` lies between the `createdAt` of the group and now.'),
    assumed('User and group have to exist. A user who is banned already has joined.'),
  ],
});
