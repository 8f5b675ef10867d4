import { z } from 'zod';
import { idsPerRequestMax, secondsMax } from '../profiles.ts';

/** An id that the service made: a string by its documentation, tolerated as a number. */
export const serverId = z.lazy(() =>
  z
    .union([z.string(), z.number()], 'expected a string or a number')
    .transform(String)
    .describe('Made by the service, ascending in the order of arrival'),
);

/** Unix seconds as they are sent: the specification shows strings, the hosted service's schema integers. Both are accepted. */
export const sentSeconds = z.lazy(() =>
  z
    .union(
      [z.int().min(0).max(secondsMax), z.string().regex(/^\d{1,10}$/)],
      'expected Unix seconds, ten digits at most',
    )
    .describe('Unix seconds, as a string or a number'),
);

/** Unix seconds as they are answered. */
export const seconds = z.number().describe('Unix seconds');

/** Unix seconds of a cursor: an integer by its documentation; the hosted service repeats what the request said, as text. */
export const cursorSeconds = z.lazy(() =>
  z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^\d{1,10}$/)
          .transform(Number),
      ],
      'expected Unix seconds',
    )
    .describe('Unix seconds; on an empty page the hosted service answers them as text'),
);

/** An id that is a number on the wire. Long numbers are read as text; text is accepted if no digit gets lost. */
export const integerId = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
  z.int(),
);

const integer = z.union(
  [
    z.int(),
    z
      .string()
      .regex(/^-?\d{1,15}$/)
      .transform(Number),
  ],
  'expected an integer',
);

export const integerParameter = (min: number, max: number, sentence = `expected ${min} to ${max}`) =>
  integer.pipe(z.int().min(min, sentence).max(max, sentence));

/** A time of a query string, in Unix seconds. */
export const secondsParameter = integerParameter(0, secondsMax, 'expected Unix seconds, ten digits at most');

/** A flag of a query string. */
export const booleanParameter = z
  .union(
    [z.boolean(), z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')],
    'expected true or false',
  )
  .pipe(z.boolean());

/** A list of a query string. How it is spelled there is a matter of the profile. */
export const listParameter = z.array(z.string());

export const identifier = z.string().min(1, 'expected an id, found nothing');

/** Whom a request acts for. */
export const onBehalfOf = z.object({
  onBehalfOf: identifier.optional().describe('uid of the user for whom the request acts'),
});

export const onBehalfOfRequired = z.object({
  onBehalfOf: identifier.describe('uid of the user for whom the request acts'),
});

/** Identifiers that an operation is applied to, one after the other. */
export const uidList = z
  .array(identifier)
  .min(1, 'expected at least one uid')
  .max(idsPerRequestMax, `expected ${idsPerRequestMax} uids at most`);

/** `metadata` and its like: any object. */
export const freeForm = z.looseObject({});

/** Result of a request, or of one identifier in it. */
export const result = z.lazy(() =>
  z
    .looseObject({
      success: z.boolean(),
      message: z.string().optional().describe('The action done, or why it was not done'),
    })
    .meta({ id: 'Result', description: 'Result of a request, or of one identifier in it' }),
);

/** `meta.pagination` of lists that come in numbered pages. */
export const pagination = z.lazy(() =>
  z
    .looseObject({
      total: z.number().describe('Of all pages'),
      count: z.number().describe('On this page'),
      per_page: z.number(),
      current_page: z.number(),
      total_pages: z.number(),
    })
    .meta({ id: 'Pagination', description: 'Position of an answer in a list of numbered pages' }),
);
