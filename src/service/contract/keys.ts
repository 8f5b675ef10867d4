import { z } from 'zod';
import { identifier, seconds } from './fields.ts';
import { assumed, defineOperation, documented, specified } from '../operation.ts';

const apiKey = z.lazy(() =>
  z
    .looseObject({
      apiKey: z.string(),
      name: z.string().optional(),
      scope: z.string().optional().describe('`authOnly` or `fullAccess`'),
      createdAt: seconds.optional(),
    })
    .meta({ id: 'ApiKey', description: 'An API key' }),
);

export const updateApiKey = defineOperation({
  name: 'updateApiKey',
  summary: 'Updates the name and scope of an API key',
  area: 'API keys',
  method: 'PUT',
  path: '/v3/apikeys/{apiKey}',
  params: z.object({ apiKey: identifier.meta({ description: 'The key to update', isSecret: true }) }),
  body: z
    .strictObject({
      name: z.string().min(1).optional().describe('Label of the key'),
      scope: z
        .string()
        .min(1)
        .optional()
        .describe('`userauth` or `admin`; answers call them `authOnly` and `fullAccess`'),
    })
    .refine(({ name, scope }) => name !== undefined || scope !== undefined, 'expected "name" or "scope"'),
  answer: z.looseObject({ data: apiKey }),
  errors: ['ERR_APIKEY_NOT_FOUND', 'ERR_APIKEY_NO_SELF_ACTION'],
  notes: [
    specified('A request gives the scope as `userauth`, the answer shows it as `authOnly`.'),
    documented(
      'The other scope is `admin` in requests and `fullAccess` in answers. A name has 100 characters at most.',
    ),
    documented('A key cannot update itself.'),
    assumed('Either field may be left out and then stays as it is.'),
  ],
});
