import { z } from 'zod';
import { listSchema } from './message-binding.ts';
import { timeSchema } from './time-binding.ts';
import { valueSchema } from './value-expression.ts';

export const usersSchema = z.strictObject({
  id: valueSchema.describe('Id by which messages name the person.'),
  name: valueSchema.optional().describe('Name to show. Default the handle, else the address before "@", else the id.'),
  handle: valueSchema.optional().describe('Login name.'),
  email: valueSchema.optional().describe('Mail address.'),
  avatarUrl: valueSchema.optional().describe('Address of the picture.'),
  role: valueSchema
    .optional()
    .describe('owner, admin, member, guest or bot; translate other words with { from, values }.'),
  isBot: valueSchema.optional().describe('Whether it is a bot.'),
  isDeleted: valueSchema
    .optional()
    .describe('Whether the account is deleted or deactivated: a flag, or the time of it.'),
  createdAt: timeSchema.optional().describe('When the account was made.'),
});

export type UserBinding = z.output<typeof usersSchema>;

export const conversationsSchema = z.strictObject({
  id: valueSchema.describe('Id by which messages name the conversation.'),
  type: valueSchema
    .optional()
    .describe('direct, group-direct, private or public; translate other words with { from, values }. Default private.'),
  name: valueSchema.optional().describe('Name to show. Default the id.'),
  topic: valueSchema.optional().describe('Topic.'),
  description: valueSchema.optional().describe('Description.'),
  creator: valueSchema.optional().describe('Id of the person who made it.'),
  members: listSchema.optional().describe('Ids of its members.'),
  createdAt: timeSchema.optional().describe('When it was made.'),
  isArchived: valueSchema.optional().describe('Whether it is archived: a flag, or the time of it.'),
});

export type ConversationBinding = z.output<typeof conversationsSchema>;
