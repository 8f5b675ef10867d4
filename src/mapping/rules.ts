import { z } from 'zod';
import { idPattern } from '../service/limits.ts';

/**
 * The mapping file: what a user may decide about how records become payloads.
 * Every default is the first of its list. Published as JSON Schema, so editors can check and complete it.
 */

const ids = z.record(
  z.string(),
  z.string().regex(idPattern, { error: 'expected 1 to 100 characters of a-z, 0-9, - and _' }),
);

const people = z
  .strictObject({
    uid: z
      .string()
      .default('{id}')
      .describe('Template of a person\'s uid. Fields: {id}, {handle}, {name}, {email}. Default "{id}".'),
    uids: ids.default({}).describe('Uids by hand, by the id that the export uses. They win over the template.'),
    unknownAuthors: z
      .enum(['placeholder', 'reject'])
      .default('placeholder')
      .describe('Authors that no file of the export describes: make a placeholder person, or reject their messages.'),
    bots: z.enum(['keep', 'skip']).default('keep').describe('Messages written by bots: keep or skip them.'),
  })
  .describe('People become users.');

const conversations = z
  .strictObject({
    guid: z
      .string()
      .default('{id}')
      .describe('Template of a group\'s guid. Fields: {id}, {name}, {type}. Default "{id}".'),
    guids: ids.default({}).describe('Guids by hand, by the id that the export uses.'),
    exclude: z.array(z.string()).default([]).describe('Conversations to leave out, by id or name.'),
    outsiders: z
      .enum(['group', 'reject'])
      .default('group')
      .describe('A third person writes in a direct conversation: make it a group, or reject what they wrote.'),
  })
  .describe('Conversations become groups, or one-to-one chats.');

const messages = z
  .strictObject({
    system: z
      .enum(['skip', 'keep'])
      .default('skip')
      .describe('Lines the platform wrote (joins, topics): skip or keep them.'),
    calls: z.enum(['skip', 'keep']).default('skip').describe('Calls and huddles: skip them, or keep them as text.'),
    deleted: z
      .enum(['skip', 'keep'])
      .default('skip')
      .describe('Messages deleted at the source: skip, or keep what is left.'),
    empty: z
      .enum(['reject', 'skip'])
      .default('reject')
      .describe('Messages with neither text nor a usable attachment: reject or skip them.'),
    reactions: z.enum(['metadata', 'drop']).default('metadata').describe('Reactions: keep in metadata, or drop them.'),
    threads: z.enum(['metadata', 'flat']).default('metadata').describe('Thread links: keep in metadata, or drop them.'),
    custom: z
      .enum(['metadata', 'drop'])
      .default('metadata')
      .describe('Facts of the platform that have no field of their own: keep in metadata, or drop them.'),
    tags: z
      .array(z.string())
      .default([])
      .describe(
        'Tags that every message gets. {custom.NAME} stands for such a fact: "ticket-{custom.ticket}"; a tag whose fact a message does not have is left out.',
      ),
  })
  .describe('Messages become payloads.');

export const rulesSchema = z
  .strictObject({
    version: z.literal(1).default(1).describe('Version of this file format.'),
    source: z.record(z.string(), z.json()).default({}).describe("The source adapter's own options."),
    people: people.prefault({}),
    conversations: conversations.prefault({}),
    messages: messages.prefault({}),
  })
  .describe('A Chatferry mapping: how an export becomes messages of the service.');

export type Rules = z.output<typeof rulesSchema>;

export const defaultRules: Rules = rulesSchema.parse({});
