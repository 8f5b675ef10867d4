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
      'Where in the file the rows stand: JSON pointer of an array, or of an object whose values are rows. * stands for any key ' +
        'or index: /rooms/*. Needed where the file is one object with lists inside.',
    ),
  layout: z
    .enum(['lines', 'values', 'list'])
    .optional()
    .describe(
      'How rows stand in the file: lines (one on each line), values (one behind another), list (in an array or object). ' +
        'Default: what the beginning of the file shows.',
    ),
});

export type JsonTable = z.output<typeof jsonTableSchema>;

export const jsonOptionsSchema = z.strictObject({
  ...bindingShape,
  tables: tablesSchema(jsonTableSchema, '{ file: NAME }')
    .optional()
    .describe(
      'Which file and list holds what. Without it, every file holds messages: an array, or objects one behind another.',
    ),
});

export type JsonOptions = z.output<typeof jsonOptionsSchema>;
