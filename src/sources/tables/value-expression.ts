import { z } from 'zod';
import { unionFault } from './union-fault.ts';

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
        template: z.string().min(1).describe('Text with {column} in it; absent where all are absent.'),
      }),
    ],
    {
      error: unionFault('expected a column, { from, values, otherwise }, { constant } or { template }'),
    },
  )
  .describe('A column or path, { from, values, otherwise }, { constant } or { template }.');

export type ValueExpression = z.output<typeof valueSchema>;
