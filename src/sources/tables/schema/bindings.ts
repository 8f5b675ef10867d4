import { z } from 'zod';
import { consecutiveIdsSchema } from '../../kit/rows/consecutive-ids.ts';
import { zoneSchema } from '../../kit/time/time-reading.ts';
import { filterShape, listSchema, messagesSchema } from './messages.ts';
import { attachmentRowsSchema, editRowsSchema, membersSchema, reactionRowsSchema } from './children.ts';
import { timeSchema, unionFault, valueSchema } from './expressions.ts';

/**
 * Schemas for the part of a mapping's `source:` section that binds the columns or paths of a table. Formats (csv, json)
 * add settings of their own. docs/reference/sources/tables.md explains every key with an example.
 */

const usersSchema = z.lazy(() =>
  z.strictObject({
    id: valueSchema.describe('Id by which messages name the person.'),
    name: valueSchema
      .optional()
      .describe('Name to show. Default the handle, else the address before "@", else the id.'),
    handle: valueSchema.optional().describe('Login name.'),
    email: valueSchema.optional().describe('Mail address.'),
    phone: valueSchema.optional().describe('Telephone number.'),
    avatarUrl: valueSchema.optional().describe('Address of the picture.'),
    role: valueSchema
      .optional()
      .describe('owner, admin, member, guest or bot; translate other words with { from, values }.'),
    isBot: valueSchema.optional().describe('Whether it is a bot.'),
    isDeleted: valueSchema
      .optional()
      .describe('Whether the account is deleted or deactivated: a flag, or the time of it.'),
    createdAt: timeSchema.optional().describe('When the account was made.'),
    ...filterShape,
  }),
);

export type UserBinding = z.output<typeof usersSchema>;

const conversationsSchema = z.lazy(() =>
  z.strictObject({
    id: valueSchema.describe('Id by which messages name the conversation.'),
    type: valueSchema
      .optional()
      .describe(
        'direct, group-direct, private or public; translate other words with { from, values }. Default private.',
      ),
    name: valueSchema.optional().describe('Name to show. Default the id.'),
    topic: valueSchema.optional().describe('Topic.'),
    description: valueSchema.optional().describe('Description.'),
    creator: valueSchema.optional().describe('Id of the person who made it.'),
    members: listSchema.optional().describe('Ids of its members.'),
    createdAt: timeSchema.optional().describe('When it was made.'),
    isArchived: valueSchema.optional().describe('Whether it is archived: a flag, or the time of it.'),
    ...filterShape,
  }),
);

export type ConversationBinding = z.output<typeof conversationsSchema>;

/** One table of an export. Formats may add its location in the file (`list: /data/messages`). */
export const tableSchema = z.strictObject(
  {
    file: z
      .string()
      .min(1)
      .optional()
      .describe('Path in the export; * and ? match anything but "/", ** matches anything.'),
  },
  {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' && (keys as readonly string[]).includes('table')
        ? 'expected { file: NAME }: { table: NAME } is for databases'
        : undefined,
  },
);

export type Table = z.output<typeof tableSchema>;

const querySchema = z.lazy(() =>
  z.strictObject({
    query: z
      .string()
      .min(1)
      .describe(
        "One SELECT, in SQLite's SQL, over the tables of the export, each called by its file without the ending. Its columns are bound like those of a table.",
      ),
  }),
);

export type Query = z.output<typeof querySchema>;

/**
 * The `tables` key, for a format's own shape of table. Optional.
 *
 * @param shape How a table is written, for the message about one that is written otherwise.
 */
export const tablesSchema = <T extends z.ZodType>(table: T, shape: '{ file: NAME }' | '{ table: NAME }') => {
  const source = z.union([table, querySchema], { error: unionFault(`expected ${shape} or { query: SQL }`) });
  const orNone = z.union([z.literal('none').transform(() => undefined), source]);
  return z
    .strictObject({
      messages: source.optional().describe('Source of the messages: files, a table, or a query.'),
      users: orNone
        .optional()
        .describe('Source of the people: a file, a table, or a query; none if no table has them.'),
      conversations: orNone
        .optional()
        .describe('Source of the conversations: a file, a table, or a query; none if no table has them.'),
      members: source
        .optional()
        .describe('The file or table with a row for each member of a conversation, or a query.'),
      attachments: source.optional().describe('The file or table with a row for each file of a message, or a query.'),
      reactions: source.optional().describe('The file or table with a row for each reaction, or a query.'),
      edits: source.optional().describe('The file or table with a row for each edit of a message, or a query.'),
      ignored: z
        .array(z.string().min(1))
        .optional()
        .describe('Files or tables that name messages and stay behind, such as those of who has read what.'),
    })
    .optional()
    .describe(
      'Which file or table is which, for exports of several. Without it, every table of the export holds messages.',
    );
};

/** Options that bind the rows of every format. Spread it into the options of a source. */
export const bindingShape = () =>
  ({
    messages: messagesSchema.optional().describe('Which column of a message is what.'),
    users: usersSchema.optional().describe('Which column of a person is what.'),
    conversations: conversationsSchema.optional().describe('Which column of a conversation is what.'),
    members: membersSchema.optional().describe('Which column of a member is what.'),
    attachments: attachmentRowsSchema.optional().describe('Which column of a file is what, where files have a table.'),
    reactions: reactionRowsSchema.optional().describe('Which column of a reaction is what, if reactions have a table.'),
    edits: editRowsSchema.optional().describe('Which column of an edit is what, where edits have a table.'),
    nulls: z
      .array(z.string())
      .default(['\\N', 'NULL'])
      .describe(
        'Texts that mean "no value" if they are the whole cell. Default \\N and NULL; an empty cell always means it.',
      ),
    zone: zoneSchema.describe(
      'Time zone of times that do not say their own, such as Europe/Berlin. Default UTC, and the report says so.',
    ),
    consecutiveIds: consecutiveIdsSchema,
  }) as const;

const bindingsSchema = z.lazy(() => z.strictObject(bindingShape()));

/** Bindings as they are used: everything but `messages` may be absent. */
export type Bindings = z.output<typeof bindingsSchema>;
