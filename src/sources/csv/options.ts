import { z } from 'zod';
import { choiceOption } from '../kit/options.ts';
import { isEncoding } from '../../io/text-encoding.ts';
import { bindingShape, tableSchema, tablesSchema } from '../tables/schema/bindings.ts';

/** How the files are written. Each says itself what it is, as far as these do not. */
const fileShape = {
  encoding: z
    .string()
    .refine((label) => label === 'auto' || isEncoding(label), {
      error: 'expected auto, utf-8, utf-16le, windows-1252, …',
    })
    .default('auto')
    .describe(
      'Encoding of the text: utf-8, utf-16le, windows-1252, windows-1251, … Default auto: by the bytes of each file.',
    ),
  delimiter: z
    .string()
    .min(1)
    .default('auto')
    .describe(
      'Separator of the fields: a character, or tab. Default auto: comma, semicolon, tab or bar, depending on which makes a table.',
    ),
  quote: z
    .string()
    .refine((text) => text === 'none' || text.length === 1, { error: 'expected one character, or none' })
    .default('"')
    .describe('Quote character around fields that contain delimiters; none if there is none. Default ".'),
  escape: z
    .string()
    .length(1)
    .optional()
    .describe(
      'Character that escapes a quote inside such a field: \\ for dumps of MySQL. Default: the quote character itself, doubled.',
    ),
  escapes: choiceOption(
    ['none', 'backslash'],
    'Whether \\n, \\t, \\\\ in fields represent a line end, a tab and a backslash, as COPY of PostgreSQL and mysql --batch write them. Fields are then not quoted. Default none: a backslash is a character.',
  ),
  header: z
    .union([z.literal('auto'), z.boolean()])
    .default('auto')
    .describe(
      'Whether the first row holds the names. Default auto: unless it holds numbers or times. Without, they are "column 1", …',
    ),
} as const;

export const csvOptionsSchema = z.lazy(() =>
  z.strictObject({
    ...fileShape,
    tables: tablesSchema(tableSchema, '{ file: NAME }'),
    ...bindingShape(),
  }),
);

export type CsvOptions = z.output<typeof csvOptionsSchema>;

/** Options that decide how a file is read, whatever is bound to it. */
export type FileOptions = Pick<CsvOptions, keyof typeof fileShape>;

/** The file's settings alone, for a section whose rest may still be wrong or unfinished. */
export const fileOptionsSchema = z.lazy(() => z.object(fileShape));
