import { z } from 'zod';
import { mediaSchema, readingSchema, rulesSchema } from '../rules.ts';
import { docsLink } from '../../lib/docs-link.ts';

const object = z.record(z.string(), z.json());
const record = object.describe(
  `A record of ${docsLink('reference/sources/chatferry')}. If it is a message, omitted fields get made-up values.`,
);

/** Expected results that an example may give for its record. */
const outcomes = {
  payload: object
    .optional()
    .describe(
      'Expected result: the payload of a message, the details of a user or group. Keys that you omit are not compared.',
    ),
  parts: z
    .array(object)
    .optional()
    .describe('The same for a text that is split: the payload of each message, in order.'),
  sender: z.string().optional().describe("The sender's uid."),
  conversation: z.string().optional().describe("The guid of the message's group."),
  skipped: z.string().optional().describe('The rule by which the message is left out.'),
  invalid: z.string().optional().describe('The code with which the message is invalid.'),
};

const exampleSchema = z.lazy(() =>
  z
    .strictObject({
      name: z.string().min(1).describe('What it shows.'),
      given: z
        .array(record)
        .default([])
        .describe('Records that were read before: people, conversations, other messages.'),
      record: record.optional().describe('Record to map. Its kind is "message" if it names none.'),
      row: object.optional().describe('Instead of a record: a row of the table of messages, as "source" binds it.'),
      ...outcomes,
    })
    .refine(({ record, row }) => (record === undefined) !== (row === undefined), {
      error: 'expected either a record or a row',
    })
    .refine((example) => Object.keys(outcomes).some((key) => key in example), {
      error: `expected the result: ${Object.keys(outcomes).join(', ')}`,
    }),
);
export type Example = z.output<typeof exampleSchema>;

/** A whole mapping file: the rules, where files of messages are copied to, and examples that show what the rules do. */
export const mappingFileSchema = rulesSchema.extend({
  media: mediaSchema
    .optional()
    .describe(`Location to which the files of messages are copied; ${docsLink('guides/media')}.`),
  reading: readingSchema.optional(),
  examples: z
    .array(exampleSchema)
    .default([])
    .describe('Records and what becomes of them: "chatferry mapping test" runs them.'),
});
export type MappingFile = z.output<typeof mappingFileSchema>;
