import { z } from 'zod';
import { parsePointer } from '../../io/json/json-pointer.ts';
import { bindingShape, tableSchema, tablesSchema } from '../tables/schema/bindings.ts';

const jsonTableSchema = tableSchema.extend({
  list: z
    .string()
    .refine((text) => parsePointer(text) !== undefined, {
      error: 'expected a JSON pointer such as /data/messages, or "" for the whole file',
    })
    .optional()
    .describe(
      'Location of the rows in the file: JSON pointer of an array, or of an object whose values are rows. * matches any key ' +
        'or index: /rooms/*. Required if the file is one object with lists inside.',
    ),
  layout: z
    .enum(['lines', 'values', 'list'])
    .optional()
    .describe(
      'Layout of the rows in the file: lines (one per line), values (one after another), list (in an array or object). ' +
        'Default: detected from the beginning of the file.',
    ),
});

export type JsonTable = z.output<typeof jsonTableSchema>;

export const jsonOptionsSchema = z.lazy(() =>
  z.strictObject({
    ...bindingShape(),
    tables: tablesSchema(jsonTableSchema, '{ file: NAME }')
      .optional()
      .describe(
        'Which file and list holds what. Without it, every file holds messages: an array, or objects one behind another.',
      ),
  }),
);

export type JsonOptions = z.output<typeof jsonOptionsSchema>;
