import { z } from 'zod';
import { idFormats } from '../../kit/time/id-time.ts';
import { formatFault, timeFormats, zoneSchema } from '../../kit/time/time-reading.ts';

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
 *     author: { first: [sender_id, bot_id] }                        # the first that has a value
 */

const scalar = z.union([z.string(), z.number(), z.boolean()]);

export const columnSchema = z
  .string()
  .min(1)
  .describe('Name of a column (csv), or a path such as user.name or files.0.url (json).');

const translatedSchema = z.lazy(() =>
  z.strictObject({
    from: columnSchema,
    values: z.record(z.string(), scalar).optional().describe('Meaning of each value of the column.'),
    otherwise: scalar
      .optional()
      .describe('Meaning of any other value. Without it, a value that is not in the list stays unchanged.'),
  }),
);

const plainForms = () =>
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
  ] as const;

/** A value with one reading: an element of a list of alternatives. */
export const plainValueSchema = z.lazy(() =>
  z.union(plainForms(), {
    error: unionFault('expected a column, { from, values, otherwise }, { constant } or { template }'),
  }),
);

export const valueSchema = z.lazy(() =>
  z
    .union(
      [
        ...plainForms(),
        z.strictObject({ first: z.array(plainValueSchema).min(1).describe('The first that has a value.') }),
      ],
      {
        error: unionFault('expected a column, { from, values, otherwise }, { constant }, { template } or { first }'),
      },
    )
    .describe(
      'A column or path, { from, values, otherwise }, { constant }, { template } or { first: [one, another] }.',
    ),
);

export type ValueExpression = z.output<typeof valueSchema>;

const markups = ['plain', 'markdown', 'html', 'html-lines', 'bbcode', 'document'] as const;

export type Markup = (typeof markups)[number];

/** How a text is written: one way for all rows, or a column that says it of each. */
export const markupSchema = z.lazy(() =>
  z
    .union(
      [
        z.enum(markups),
        z.strictObject({
          from: columnSchema.describe('Column that says of each row how its text is written.'),
          values: z.record(z.string(), z.enum(markups)).optional().describe('Meaning of each value.'),
          otherwise: z
            .enum(markups)
            .optional()
            .describe(
              'How texts of any other value are written. Without it such rows are invalid; an empty cell means plain.',
            ),
        }),
      ],
      { error: unionFault(`expected ${markups.join(', ')} or { from, values, otherwise }`) },
    )
    .default('plain')
    .describe(
      'How the text is written: plain, markdown, html, html-lines where line breaks count as well, bbcode, document for the JSON of an editor; or { from, values, otherwise } for a column that says it. Default plain.',
    ),
);

/** Times: a column alone means ISO 8601; any other format, and a zone, need a place to be said. */

const format = z
  .string()
  .superRefine((text, context) => {
    const fault = formatFault(text);
    if (fault !== undefined) context.addIssue(`expected one of ${timeFormats.join(', ')} or a pattern: ${fault}`);
  })
  .default('iso')
  .describe(
    'iso (2024-03-01T12:00:00Z, also with a space), unix-s, unix-ms, unix-us, unix-ns, pubnub (17 digits), apple-s, apple-ns (since 2001), ' +
      'excel (days since 1900), julian, dotnet (/Date(…)/), dotnet-ticks, filetime, js (Tue Oct 31 2017 22:10:47 GMT+0100), the time in ' +
      `an id (${idFormats.join(', ')}, snowflake-EPOCH with the epoch in ms), or a pattern such as "dd.MM.yyyy HH:mm:ss". Default iso.`,
  );

const zone = zoneSchema.describe('Time zone of these times if they do not name their own: Europe/Berlin.');

export const timeSchema = z.lazy(() =>
  z
    .union(
      [
        columnSchema,
        z.strictObject({ from: valueSchema, format, zone }),
        z.strictObject({
          date: columnSchema.describe('Column of the day, if day and time of day are in two columns.'),
          time: columnSchema.describe('Column of the time of day.'),
          format: format.describe('How both look, joined by one space. Default iso.'),
          zone,
        }),
      ],
      { error: unionFault('expected a column, { from, format, zone } or { date, time, format, zone }') },
    )
    .describe('A column, { from, format, zone } or { date, time, format, zone }.'),
);

export type TimeBinding = z.output<typeof timeSchema>;
