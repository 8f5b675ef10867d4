import { z } from 'zod';
import { columnSchema, timeSchema, valueSchema } from './expressions.ts';
import { filterShape } from './messages.ts';

/** Tables whose rows belong to a row of another: members of a conversation; files, reactions and edits of a message. */

const message = valueSchema.describe('Id of the message that the row belongs to.');

export const membersSchema = z.lazy(() =>
  z.strictObject({
    conversation: valueSchema.describe('Id of the conversation.'),
    user: valueSchema.describe('Id of the person.'),
    role: valueSchema
      .optional()
      .describe(
        'owner, admin, moderator or member; translate other words with { from, values }. The first owner made the conversation, if its own table does not say who did.',
      ),
    joinedAt: timeSchema.optional().describe('When the person joined.'),
    leftAt: timeSchema
      .optional()
      .describe('When the person left, or a flag: then it is no member any more. Empty for members.'),
    isBanned: valueSchema.optional().describe('Whether the person is banned: a flag, or the time of it.'),
    ...filterShape,
  }),
);

export type MemberBinding = z.output<typeof membersSchema>;

export const attachmentRowsSchema = z.lazy(() =>
  z.strictObject({
    message,
    url: valueSchema.optional().describe('Address of the file.'),
    name: valueSchema.optional().describe('Name of the file. Default the end of its address.'),
    type: valueSchema.optional().describe('Media type: image/png.'),
    size: valueSchema.optional().describe('Size in bytes.'),
    id: valueSchema.optional().describe('Id of the file.'),
    order: columnSchema
      .optional()
      .describe(
        'Column by which the files of a message are sorted, numbers as numbers. Default the order of the rows.',
      ),
    ...filterShape,
  }),
);

export type AttachmentRowBinding = z.output<typeof attachmentRowsSchema>;

export const reactionRowsSchema = z.lazy(() =>
  z.strictObject({
    message,
    user: valueSchema.optional().describe('Id of the person who reacted.'),
    emoji: valueSchema.describe('The emoji.'),
    ...filterShape,
  }),
);

export type ReactionRowBinding = z.output<typeof reactionRowsSchema>;

export const editRowsSchema = z.lazy(() =>
  z.strictObject({
    message,
    time: timeSchema.describe('When it was edited. The latest counts.'),
    ...filterShape,
  }),
);

export type EditRowBinding = z.output<typeof editRowsSchema>;
