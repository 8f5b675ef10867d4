import { z } from 'zod';
import { patternFault } from '../../kit/time/time-pattern.ts';
import { timeFormats, zoneSchema } from '../../kit/time/time-reading.ts';

/**
 * For keys that may be written in several ways: what is wrong inside the way that was meant, if one fits but for that;
 * else which ways there are.
 *
 * @param expected `expected a column or { from, separator }`.
 */
export const unionFault =
  (expected: string) =>
  (issue: z.core.$ZodRawIssue): string => {
    const ways = issue.code === 'invalid_union' ? (issue.errors as readonly (readonly z.core.$ZodIssue[])[]) : [];
    // A fault at the top says that another way was meant.
    const meant = ways.find((faults) => faults.length > 0 && faults.every(({ path }) => path.length > 0));
    return meant ? meant.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') : expected;
  };

/**
 * The small language in which a mapping says where a value comes from:
 *
 *     author: user_id                                               # a column, or a path such as user.id
 *     kind: { from: type, values: { m: message, s: system } }       # the column's values, translated
 *     conversation: { constant: general }
 *     authorName: { template: "{first_name} {last_name}" }
 */

const scalar = z.union([z.string(), z.number(), z.boolean()]);

export const columnSchema = z
  .string()
  .min(1)
  .describe('Name of a column (csv), or a path such as user.name or files.0.url (json).');

const translatedSchema = z.strictObject({
  from: columnSchema,
  values: z.record(z.string(), scalar).optional().describe('What each value of the column stands for.'),
  otherwise: scalar
    .optional()
    .describe('What any other value stands for. Without it, a value that is not in the list stays as it is.'),
});

export const valueSchema = z
  .union(
    [
      columnSchema,
      translatedSchema,
      z.strictObject({ constant: scalar.describe('The same value for every row.') }),
      z.strictObject({
        template: z
          .string()
          .min(1)
          .describe(
            'Text with {column} in it, and {:file} for the path of the file; absent where all columns are absent.',
          ),
      }),
    ],
    {
      error: unionFault('expected a column, { from, values, otherwise }, { constant } or { template }'),
    },
  )
  .describe('A column or path, { from, values, otherwise }, { constant } or { template }.');

export type ValueExpression = z.output<typeof valueSchema>;

/** Times: a column alone means ISO 8601; any other format, and a zone, need a place to be said. */

const format = z
  .string()
  .superRefine((text, context) => {
    const fault = (timeFormats as readonly string[]).includes(text) ? undefined : patternFault(text);
    if (fault !== undefined) context.addIssue(`expected one of ${timeFormats.join(', ')} or a pattern: ${fault}`);
  })
  .default('iso')
  .describe(
    'iso (2024-03-01T12:00:00Z, also with a space), unix-s, unix-ms, unix-us, unix-ns, pubnub (17 digits), excel (days since 1900), ' +
      'dotnet (/Date(…)/), or a pattern such as "dd.MM.yyyy HH:mm:ss". Default iso.',
  );

const zone = zoneSchema.describe('Time zone of these times where they do not say their own: Europe/Berlin.');

export const timeSchema = z
  .union(
    [
      columnSchema,
      z.strictObject({ from: valueSchema, format, zone }),
      z.strictObject({
        date: columnSchema.describe('Column of the day, where day and time of day stand in two columns.'),
        time: columnSchema.describe('Column of the time of day.'),
        format: format.describe('How both look, joined by one space. Default iso.'),
        zone,
      }),
    ],
    { error: unionFault('expected a column, { from, format, zone } or { date, time, format, zone }') },
  )
  .describe('A column, { from, format, zone } or { date, time, format, zone }.');

export type TimeBinding = z.output<typeof timeSchema>;
