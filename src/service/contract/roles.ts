import { z } from 'zod';
import { idsPerRequestMax, perPageMax } from '../profiles.ts';
import { identifier, integerParameter, pagination, result, seconds } from './fields.ts';
import { assumed, defineOperation, documented, specified } from '../operation.ts';

const params = z.object({ role: identifier.describe('Name of the role') });

const restrictedFeature = z
  .looseObject({
    key: z.string().describe('`u.` and the name of the feature'),
    title: z.string().optional(),
    description: z.string().nullish(),
    path: z.string().optional().describe('Path template of the restricted operation'),
    createdAt: seconds.optional(),
  })
  .meta({ id: 'RestrictedFeature', description: 'A feature that users of a role may not use' });

export const listRestrictedFeatures = defineOperation({
  name: 'listRestrictedFeatures',
  summary: 'Lists the features that are restricted for a role',
  area: 'Roles',
  method: 'GET',
  path: '/v3/roles/{role}/restrictedfeatures',
  params,
  query: z.object({
    page: integerParameter(1, Number.MAX_SAFE_INTEGER, 'expected 1 or more')
      .optional()
      .describe('Number of the page, from 1; 1 if not given'),
    perPage: integerParameter(1, perPageMax)
      .optional()
      .describe(`Features per page: 1 to ${perPageMax}, 100 if not given`),
  }),
  answer: z.looseObject({ data: z.array(restrictedFeature), meta: z.looseObject({ pagination }).optional() }),
  errors: ['ERR_ROLE_NOT_FOUND'],
  notes: [
    specified('The list comes in pages; a sample shows 100 per page.'),
    assumed('`page` and `perPage`: the specification shows no parameter that names a page.'),
  ],
});

export const allowFeatures = defineOperation({
  name: 'allowFeatures',
  summary: 'Allows a role features that were restricted',
  area: 'Roles',
  method: 'DELETE',
  path: '/v3/roles/{role}/restrictedfeatures',
  params,
  body: z
    .strictObject({
      featuresToAllow: z
        .array(z.string().min(1))
        .min(1)
        .max(idsPerRequestMax)
        .optional()
        .describe('Keys of the features'),
      allowAll: z.boolean().optional().describe('Allows every feature'),
    })
    .refine(
      ({ featuresToAllow, allowAll }) => featuresToAllow !== undefined || allowAll === true,
      'expected "featuresToAllow", or "allowAll": true',
    ),
  answer: z.looseObject({ data: result }),
  errors: ['ERR_ROLE_NOT_FOUND'],
  notes: [
    documented(
      '`featuresToAllow` is a list of keys, `allowAll` a boolean; the specification does not show their types.',
    ),
  ],
});

export const deleteRole = defineOperation({
  name: 'deleteRole',
  summary: 'Deletes a role',
  area: 'Roles',
  method: 'DELETE',
  path: '/v3/roles/{role}',
  params,
  answer: z.looseObject({ data: result }),
  errors: ['ERR_ROLE_NOT_FOUND', 'ERR_ROLE_DELETE_DENIED'],
  notes: [
    documented('The role `default` cannot be deleted.'),
    assumed('Users of the role have the role `default` afterwards.'),
  ],
});
