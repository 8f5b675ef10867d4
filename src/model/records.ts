import { z } from 'zod';
import { lostParts } from './lost-parts.ts';
import { relationSchema } from './relation.ts';

/**
 * The normalised chat: the records that every source adapter yields and the mapper reads. It includes data of sources
 * for which the service has no field.
 *
 * Between Chatferry's own functions records are trusted; the schemas check records that come from outside (tests,
 * `convert`). Times are epoch milliseconds, ids are strings in the platform's raw spelling, text is Markdown.
 */

/** Who and where, in the platform's raw spelling. Identity of a message: never a path, a zone or a converted text. */
export const originSchema = z.strictObject({
  source: z.string(),
  /** The platform's own id of the workspace, else `--workspace`, else empty. */
  workspace: z.string(),
  conversation: z.string(),
  /** Unique inside the conversation: Slack's `ts`, a snowflake. */
  id: z.string().min(1),
});
export type Origin = z.infer<typeof originSchema>;

export const userSchema = z.strictObject({
  kind: z.literal('user'),
  id: z.string().min(1),
  /** Name to show, never empty: display name, else full name, else handle, else id. */
  name: z.string().min(1),
  /** Login name. */
  handle: z.string().optional(),
  email: z.string().optional(),
  avatarUrl: z.string().optional(),
  role: z.enum(['owner', 'admin', 'member', 'guest', 'single-conversation-guest', 'bot']).optional(),
  isBot: z.boolean().optional(),
  /** Deactivated or deleted at the source. */
  isDeleted: z.boolean().optional(),
  createdAtMs: z.int().optional(),
  /** Free-form facts that the old system kept of the person, as the service's own metadata. */
  metadata: z.record(z.string(), z.json()).optional(),
  /** True if no file of the export describes this person: made from data in a message. */
  isPlaceholder: z.boolean().optional(),
});
export type UserRecord = z.infer<typeof userSchema>;

export const conversationSchema = z.strictObject({
  kind: z.literal('conversation'),
  id: z.string().min(1),
  type: z.enum(['direct', 'group-direct', 'private', 'public']),
  /** Empty if the platform has none (direct conversations). */
  name: z.string(),
  topic: z.string().optional(),
  description: z.string().optional(),
  iconUrl: z.string().optional(),
  /** Free-form facts that the old system kept of the conversation. */
  metadata: z.record(z.string(), z.json()).optional(),
  creator: z.string().optional(),
  createdAtMs: z.int().optional(),
  isArchived: z.boolean().optional(),
  /** User ids. Two people in a direct conversation; one if a person writes to themselves. */
  members: z.array(z.string()),
});
export type ConversationRecord = z.infer<typeof conversationSchema>;

export const attachmentSchema = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  /** Absent if the export has the file's name but no address: deleted, hidden by a plan's limit, no access. */
  url: z.string().optional(),
  mimeType: z.string().optional(),
  sizeBytes: z.int().nonnegative().optional(),
  /** Why there is no usable address: `deleted`, `hidden-by-limit`, `access-denied`, `external`. */
  unavailable: z.string().optional(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

export const reactionSchema = z.strictObject({
  /** The emoji itself, or `:name:` for a custom one. */
  emoji: z.string().min(1),
  /** Who, as far as the export says. */
  users: z.array(z.string()),
  /** How many the platform counted; may be more than `users` names. */
  count: z.int().nonnegative(),
});
export type Reaction = z.infer<typeof reactionSchema>;

export const messageSchema = z.strictObject({
  kind: z.literal('message'),
  origin: originSchema,
  /** Orders messages of the same millisecond: Slack's `ts` with its microseconds. Compared by code unit. */
  sortKey: z.string(),
  sentAtMs: z.int(),
  /** Id of the user who wrote it. Absent if the export does not name the author. */
  author: z.string().optional(),
  /** Details of the author in the message itself, for authors that no file names. */
  authorDetails: z
    .strictObject({ name: z.string().optional(), avatarUrl: z.string().optional(), isBot: z.boolean().optional() })
    .optional(),
  /** Markdown; may be empty where there are attachments. */
  text: z.string(),
  /** Users whom the text mentions, each once, in order. The text shows them as `@Name`. */
  mentions: z.array(z.string()).optional(),
  attachments: z.array(attachmentSchema).optional(),
  reactions: z.array(reactionSchema).optional(),
  /** `id` of the message whose thread this one answers in (same conversation). Absent on the thread's root. */
  threadRoot: z.string().optional(),
  /** A reply that was also shown in the conversation itself. */
  isBroadcast: z.boolean().optional(),
  /** `id` of the message that this one quotes. */
  quoteOf: z.string().optional(),
  /** Addresses in the text that lead to other messages: of which conversation, and their `id`. */
  links: z.array(z.strictObject({ url: z.string(), conversation: z.string(), id: z.string().min(1) })).optional(),
  edited: z.strictObject({ atMs: z.int().optional(), by: z.string().optional() }).optional(),
  /**
   * Which of several versions of the message is the later one, where exports overlap. A new time alone is no change of the message.
   * `changedAtMs`: the row's own update time, which every change moves. `markedAtMs`: the latest change that the row dates, such as a
   * reaction; others may be later. `exportedAtMs`: when the export was made, by its own words.
   */
  version: z
    .strictObject({
      changedAtMs: z.int().optional(),
      markedAtMs: z.int().optional(),
      exportedAtMs: z.int().optional(),
    })
    .optional(),
  /** Deleted at the source; the remaining content is in `text`. */
  isDeleted: z.boolean().optional(),
  /** Written by the platform, not by a person: the platform's name of the event, such as `channel_join`. */
  systemEvent: z.string().optional(),
  /**
   * The platform marks it as seen by some people only: a private note, a conversation of agents next to the one with the customer, or a
   * step of a bot, trigger or macro. Never sent unless the mapping says `messages.internal: keep`.
   */
  internal: z.enum(['note', 'side-conversation', 'automation']).optional(),
  /** A call or huddle in the conversation. */
  call: z
    .strictObject({
      startedAtMs: z.int().optional(),
      endedAtMs: z.int().optional(),
      participants: z.array(z.string()).optional(),
    })
    .optional(),
  isPinned: z.boolean().optional(),
  /** Labels of the message. */
  tags: z.array(z.string()).optional(),
  /** Small facts of the platform that no other field holds. Goes to `data.metadata` when a mapping asks for it. */
  custom: z.record(z.string(), z.json()).optional(),
  /** Parts that the source could not migrate, each with its count: counted in the report, never sent. */
  lost: z.partialRecord(z.enum(lostParts), z.int().positive()).optional(),
});
export type MessageRecord = z.infer<typeof messageSchema>;

export const recordSchema = z.discriminatedUnion('kind', [
  userSchema,
  conversationSchema,
  messageSchema,
  relationSchema,
]);
export type ChatRecord = z.infer<typeof recordSchema>;
