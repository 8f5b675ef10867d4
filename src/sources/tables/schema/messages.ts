import { z } from 'zod';
import { choiceOption } from '../../kit/options.ts';
import { columnSchema, markupSchema, plainValueSchema, timeSchema, unionFault, valueSchema } from './expressions.ts';

const separator = z
  .string()
  .min(1)
  .default(',')
  .describe('Separator of the elements if the list is text and not JSON. Default a comma.');

export const listSchema = z.lazy(() =>
  z
    .union([columnSchema, z.strictObject({ from: valueSchema, separator })], {
      error: unionFault('expected a column or { from, separator }'),
    })
    .describe(
      'A column that holds a list: an array, JSON, or text split by `separator`. { from: { template: "{a},{b}" } } makes one of columns.',
    ),
);

export type ListBinding = z.output<typeof listSchema>;

const attachmentSchema = z.lazy(() =>
  z.strictObject({
    list: columnSchema
      .optional()
      .describe(
        'A column that holds several files. The other keys are then paths inside each; plain elements are addresses.',
      ),
    separator,
    url: valueSchema.optional().describe('Address of the file.'),
    name: valueSchema.optional().describe('Name of the file. Default the end of its address.'),
    type: valueSchema.optional().describe('Media type: image/png.'),
    size: valueSchema.optional().describe('Size in bytes.'),
    id: valueSchema.optional().describe('Id of the file.'),
  }),
);

export type AttachmentBinding = z.output<typeof attachmentSchema>;

const reactionSchema = z.lazy(() =>
  z.strictObject({
    list: columnSchema
      .optional()
      .describe('A column that holds several reactions: objects, emoji, or one object of emoji with people or counts.'),
    separator,
    emoji: valueSchema.optional().describe('The emoji; { constant: "👍" } if a column counts one kind.'),
    users: columnSchema.optional().describe('Who reacted: a list of user ids.'),
    count: columnSchema.optional().describe('How many reacted. Default the number of users, else 1.'),
  }),
);

export type ReactionBinding = z.output<typeof reactionSchema>;

const words = z.array(z.string()).min(1);

const directionSchema = z.lazy(() =>
  z.strictObject({
    direction: columnSchema.describe('Column that says which of the two people of the conversation wrote: in or out.'),
    ours: words.describe('Its values where `us` wrote: [out].'),
    theirs: words.describe('Its values where `them` wrote: [in]. For any other value, no author is named.'),
    us: valueSchema.describe('Id of the one: the agent, or { constant: support }.'),
    them: valueSchema.describe('Id of the other: the customer.'),
  }),
);

const texts = z.union([z.string(), z.array(z.string())]);

const condition = z.lazy(() =>
  z.record(
    z.string(),
    z.union(
      [
        texts,
        z.strictObject({ prefix: texts.describe('How values begin: MSG#, or several of these.') }),
        z.strictObject({ filled: z.boolean().describe('true: rows that have a value; false: rows that have none.') }),
        z.strictObject({ any: z.literal(true).describe('Every row: the column was asked about and decides nothing.') }),
      ],
      { error: unionFault('expected a value, a list of values, { prefix }, { filled } or { any: true }') },
    ),
  ),
);

export type Condition = z.output<typeof condition>[string];

/** Which rows of a table count. Spread it into the section of one. */
export const filterShape = {
  only: condition
    .optional()
    .describe(
      'Rows that are read: those with these values, or with values that begin so: { prefix: "MSG#" }; with a value: { filled: true }, without one: { filled: false }; every row: { any: true }. Others are left out and counted.',
    ),
  skipWhen: condition
    .optional()
    .describe(
      'Rows that are left out and counted: those with one of these values, such as private notes. The same conditions as in only.',
    ),
} as const;

const pairSchema = z.lazy(() =>
  z.strictObject({
    between: z
      .array(
        z.union(
          [
            valueSchema,
            z.strictObject({ list: columnSchema.describe('Column that holds several people.'), separator }),
          ],
          { error: unionFault('expected a column, { template } or { list, separator }') },
        ),
      )
      .min(2)
      .describe(
        'All people of a chat without a room, in any order: [sender_id, recipient_id], or [from, { list: to }].',
      ),
  }),
);

export type PairBinding = z.output<typeof pairSchema>;

const placeSchema = z.lazy(() => z.union([plainValueSchema, pairSchema]));

const firstConversationSchema = z.lazy(() =>
  z.strictObject({
    first: z
      .array(
        z.union([
          plainValueSchema,
          pairSchema,
          z.strictObject({
            when: condition.describe('Rows that it is for, as in only.'),
            take: placeSchema.describe('The conversation of these rows.'),
          }),
        ]),
      )
      .min(1)
      .describe('The first that has a value; { when, take } has one in some rows alone.'),
  }),
);

export const messagesSchema = z.lazy(() =>
  z.strictObject({
    id: valueSchema
      .optional()
      .describe(
        'Id of the message, unique in its conversation. Without it, one is made from conversation, author, time and text.',
      ),
    repeated: z
      .enum(['last', 'joined', 'all'])
      .optional()
      .describe(
        'Rows of one id: last (an edit history: the last version counts), joined (a row for each reaction or file: one message of all) or ' +
          'all (messages of their own). Default: ids are unique, and a row with the id of another one and another text is invalid.',
      ),
    conversation: z
      .union([valueSchema, pairSchema, firstConversationSchema], {
        error: unionFault(
          'expected a column, { from, values }, { constant }, { template }, { between: [one, other] } or { first: [one, another] }',
        ),
      })
      .describe(
        'Id of the conversation, or { between: [sender_id, recipient_id] } for the two people of a direct chat; { first } may contain both.',
      ),
    conversationName: valueSchema
      .optional()
      .describe('Name of the conversation, if no table of conversations gives it.'),
    kind: valueSchema
      .optional()
      .describe('message, system or call; other words count as system lines of that name. Default message.'),
    internal: valueSchema
      .optional()
      .describe(
        'Whether agents alone saw it: a flag, or note, side-conversation, automation or visible; translate others with { from, values }. Internal rows are skipped unless messages.internal is keep; a row with another word, or none, is invalid.',
      ),
    author: z
      .union([valueSchema, directionSchema], {
        error: unionFault(
          'expected a column, { from, values, otherwise }, { constant }, { template } or { direction, ours, theirs, us, them }',
        ),
      })
      .optional()
      .describe('Id of the author, or { direction, ours, theirs, us, them } if a column has the values in or out.'),
    authorName: valueSchema.optional().describe('Name of the author, for people without a row of their own.'),
    time: timeSchema.describe('When it was sent.'),
    text: z
      .union(
        [
          columnSchema,
          z.strictObject({
            from: valueSchema,
            markup: markupSchema,
          }),
        ],
        { error: unionFault('expected a column or { from, markup }') },
      )
      .optional()
      .describe('What was written.'),
    encrypted: z
      .enum(['skip', 'keep'])
      .optional()
      .describe(
        'Rows whose text looks encrypted: skip leaves them out and counts them, keep imports the ciphertext as it is.',
      ),
    reply: valueSchema
      .optional()
      .describe('Id of the message to whose thread this reply belongs. Empty and 0 mean none.'),
    quote: valueSchema.optional().describe('Id of the message that this one quotes. Empty and 0 mean none.'),
    attachments: z.array(attachmentSchema).optional().describe('Files: one rule for each column or list of columns.'),
    reactions: z
      .union([reactionSchema, z.array(reactionSchema)])
      .transform((rules) => (Array.isArray(rules) ? rules : [rules]))
      .optional()
      .describe('Reactions: one rule, or one for each column.'),
    edited: timeSchema
      .optional()
      .describe('When it was last edited, or a flag. The time of sending means "not edited".'),
    deleted: valueSchema.optional().describe('Whether it was deleted at the source: a flag, or the time of it.'),
    pinned: valueSchema.optional().describe('Whether it is pinned.'),
    custom: z.record(z.string(), valueSchema).optional().describe('Other facts to keep, by the name that they get.'),
    ...filterShape,
    order: choiceOption(
      ['oldest-first', 'newest-first'],
      'Order of the rows, which decides between messages of the same time. Default oldest-first.',
    ),
  }),
);

export type MessageBinding = z.output<typeof messagesSchema>;
export type FilterBinding = Pick<MessageBinding, keyof typeof filterShape>;
