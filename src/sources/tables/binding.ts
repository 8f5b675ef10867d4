import { z } from 'zod';
import { consecutiveIdsSchema } from '../kit/consecutive-ids.ts';
import { messagesSchema } from './message-binding.ts';
import { conversationsSchema, usersSchema } from './people-binding.ts';
import { zoneSchema } from '../kit/time-reading.ts';

/**
 * The part of a mapping's `source:` section that says which column or path of a table is what.
 * Formats (csv, json) add settings of their own beside it. docs/sources/tables.md explains every key with an example.
 */

/** One table of an export. Formats may add where in the file it stands (`list: /data/messages`). */
export const tableSchema = z.strictObject({
  file: z
    .string()
    .min(1)
    .optional()
    .describe('Path in the export; * and ? stand for anything but "/", ** for anything.'),
});

export type Table = z.output<typeof tableSchema>;

/** The `tables` key, for a format's own shape of table. Optional. */
export const tablesSchema = <T extends z.ZodType>(table: T) =>
  z
    .strictObject({
      messages: table.optional().describe('The files that hold messages.'),
      users: table.optional().describe('The file that holds people.'),
      conversations: table.optional().describe('The file that holds conversations.'),
    })
    .optional()
    .describe('Which file is which, for exports of several. Without it, every table of the export holds messages.');

/** What the rows of every format are bound by. Spread it into the options of a source. */
export const bindingShape = {
  messages: messagesSchema.optional().describe('Which column of a message is what.'),
  users: usersSchema.optional().describe('Which column of a person is what.'),
  conversations: conversationsSchema.optional().describe('Which column of a conversation is what.'),
  nulls: z
    .array(z.string())
    .default(['\\N', 'NULL'])
    .describe(
      'Texts that stand for "no value" when a cell is exactly that. Default \\N and NULL; an empty cell is always one.',
    ),
  zone: zoneSchema.describe(
    'Time zone of times that do not say their own, such as Europe/Berlin. Default UTC, and the report says so.',
  ),
  consecutiveIds: consecutiveIdsSchema,
} as const;

const bindingsSchema = z.strictObject(bindingShape);

/** Bindings as they are used: everything but `messages` may be absent. */
export type Bindings = z.output<typeof bindingsSchema>;
