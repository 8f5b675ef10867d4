import { z } from 'zod';
import type { Same } from '../lib/same.ts';
import { type LostPart, lostParts } from './lost-parts.ts';
import { type RelationRecord, relationSchema } from './relation.ts';

/**
 * The normalised chat: the records that every source adapter yields and the mapper reads. It includes data of sources
 * for which the service has no field.
 *
 * Between Chatferry's own functions records are trusted; the schemas check records that come from outside (tests,
 * `convert`). Times are epoch milliseconds, ids are strings in the platform's raw spelling, text is Markdown.
 */
export type ChatRecord = UserRecord | ConversationRecord | MessageRecord | RelationRecord;

/** Who and where, in the platform's raw spelling. Identity of a message: never a path, a zone or a converted text. */
export interface Origin {
  source: string;
  /** The platform's own id of the workspace, else `--workspace`, else empty. */
  workspace: string;
  conversation: string;
  /** Unique inside the conversation: Slack's `ts`, a snowflake. */
  id: string;
}

/** A value of JSON. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface UserRecord {
  kind: 'user';
  id: string;
  /** Name to show, never empty: display name, else full name, else handle, else id. */
  name: string;
  /** Login name. */
  handle?: string | undefined;
  email?: string | undefined;
  /** Telephone number, as the platform writes it. */
  phone?: string | undefined;
  avatarUrl?: string | undefined;
  role?: 'owner' | 'admin' | 'member' | 'guest' | 'single-conversation-guest' | 'bot' | undefined;
  isBot?: boolean | undefined;
  /** Deactivated or deleted at the source. */
  isDeleted?: boolean | undefined;
  createdAtMs?: number | undefined;
  link?: string | undefined;
  tags?: string[] | undefined;
  /** Free-form facts that the old system kept of the person, as the service's own metadata. */
  metadata?: Record<string, Json> | undefined;
  /** True if no file of the export describes this person: made from data in a message. */
  isPlaceholder?: boolean | undefined;
}

export interface ConversationRecord {
  kind: 'conversation';
  id: string;
  type: 'direct' | 'group-direct' | 'private' | 'public';
  /** Empty if the platform has none (direct conversations). */
  name: string;
  topic?: string | undefined;
  description?: string | undefined;
  iconUrl?: string | undefined;
  tags?: string[] | undefined;
  /** Free-form facts that the old system kept of the conversation. */
  metadata?: Record<string, Json> | undefined;
  creator?: string | undefined;
  createdAtMs?: number | undefined;
  isArchived?: boolean | undefined;
  /** User ids: no one who left or is banned. Two people in a direct conversation; one if a person writes to themselves. */
  members: string[];
  memberships?: Membership[] | undefined;
}

export interface Membership {
  user: string;
  scope?: 'admin' | 'moderator' | undefined;
  joinedAtMs?: number | undefined;
  /** Present: no member any more. */
  leftAtMs?: number | undefined;
  isBanned?: boolean | undefined;
}

export interface Attachment {
  id?: string | undefined;
  name: string;
  /** Absent if the export has the file's name but no address: deleted, hidden by a plan's limit, no access. */
  url?: string | undefined;
  /** Media type as the export says it. Without one the mapping derives it from kind, name and address (`findMediaType`). */
  mimeType?: string | undefined;
  /** The platform's own word for what the file is: `image`, `voice_message`. */
  kind?: string | undefined;
  sizeBytes?: number | undefined;
  /** Why there is no usable address: `deleted`, `hidden-by-limit`, `access-denied`, `external`. */
  unavailable?: string | undefined;
}

export interface Reaction {
  /** The emoji itself, or `:name:` for a custom one. */
  emoji: string;
  /** Who, as far as the export says. */
  users: string[];
  /** How many the platform counted; may be more than `users` names. */
  count: number;
}

export interface MessageRecord {
  kind: 'message';
  origin: Origin;
  /** Orders messages of the same millisecond: Slack's `ts` with its microseconds. Compared by code unit. */
  sortKey: string;
  sentAtMs: number;
  /** Id of the user who wrote it. Absent if the export does not name the author. */
  author?: string | undefined;
  /** Details of the author in the message itself, for authors that no file names. */
  authorDetails?:
    | { name?: string | undefined; avatarUrl?: string | undefined; isBot?: boolean | undefined }
    | undefined;
  /** Markdown; may be empty where there are attachments. */
  text: string;
  /** Users whom the text mentions, each once, in order. The text shows them as `@Name`. */
  mentions?: string[] | undefined;
  attachments?: Attachment[] | undefined;
  reactions?: Reaction[] | undefined;
  /** `id` of the message whose thread this one answers in (same conversation). Absent on the thread's root. */
  threadRoot?: string | undefined;
  /** A reply that was also shown in the conversation itself. */
  isBroadcast?: boolean | undefined;
  /** `id` of the message that this one quotes. */
  quoteOf?: string | undefined;
  /** Addresses in the text that lead to other messages: of which conversation, and their `id`. */
  links?: { url: string; conversation: string; id: string }[] | undefined;
  edited?: { atMs?: number | undefined; by?: string | undefined } | undefined;
  /** @internal Which of several versions of the message is the later one, where exports overlap. A new time alone is no change of the message. */
  version?:
    | {
        /** The row's own update time, which every change moves. */
        changedAtMs?: number | undefined;
        /** The latest change that the row dates, such as a reaction; others may be later. */
        markedAtMs?: number | undefined;
        /** When the export was made, by its own words. */
        exportedAtMs?: number | undefined;
      }
    | undefined;
  /** Deleted at the source; the remaining content is in `text`. */
  isDeleted?: boolean | undefined;
  /** Written by the platform, not by a person: the platform's name of the event, such as `channel_join`. */
  systemEvent?: string | undefined;
  /**
   * Seen by some people only: a private note, a conversation of agents next to that with the customer, or a step of a bot, trigger or
   * macro; `restricted`: data of the app or a rule of the platform hid it from some. Never sent unless the mapping says
   * `messages.internal: keep`, or `messages.restricted: keep`.
   */
  internal?: 'note' | 'side-conversation' | 'automation' | 'restricted' | undefined;
  /** A call or huddle in the conversation. */
  call?:
    | { startedAtMs?: number | undefined; endedAtMs?: number | undefined; participants?: string[] | undefined }
    | undefined;
  isPinned?: boolean | undefined;
  /** Labels of the message. */
  tags?: string[] | undefined;
  /** Small facts of the platform that no other field holds. Goes to `data.metadata` when a mapping asks for it. */
  custom?: Record<string, Json> | undefined;
  /** @internal Parts that the source could not migrate, each with its count: counted in the report, never sent. */
  lost?: Partial<Record<LostPart, number>> | undefined;
  /** @internal Fields of a row without text that hold something which nothing reads: it is no blank message, and no rule for those drops it. */
  unread?: string[] | undefined;
}

const text = z.string().optional();
const texts = z.array(z.string()).optional();
const flag = z.boolean().optional();
const time = z.int().optional();
const facts = z.record(z.string(), z.json()).optional();

const originSchema = z.lazy(() =>
  z.strictObject({
    source: z.string(),
    workspace: z.string(),
    conversation: z.string(),
    id: z.string().min(1),
  }),
);

export const userSchema = z.lazy(() =>
  z.strictObject({
    kind: z.literal('user'),
    id: z.string().min(1),
    name: z.string().min(1),
    handle: text,
    email: text,
    phone: text,
    avatarUrl: text,
    role: z.enum(['owner', 'admin', 'member', 'guest', 'single-conversation-guest', 'bot']).optional(),
    isBot: flag,
    isDeleted: flag,
    createdAtMs: time,
    link: text,
    tags: texts,
    metadata: facts,
    isPlaceholder: flag,
  }),
);

export const conversationSchema = z.lazy(() =>
  z.strictObject({
    kind: z.literal('conversation'),
    id: z.string().min(1),
    type: z.enum(['direct', 'group-direct', 'private', 'public']),
    name: z.string(),
    topic: text,
    description: text,
    iconUrl: text,
    tags: texts,
    metadata: facts,
    creator: text,
    createdAtMs: time,
    isArchived: flag,
    members: z.array(z.string()),
    memberships: z
      .array(
        z.strictObject({
          user: z.string(),
          scope: z.enum(['admin', 'moderator']).optional(),
          joinedAtMs: time,
          leftAtMs: time,
          isBanned: flag,
        }),
      )
      .optional(),
  }),
);

const attachmentSchema = z.lazy(() =>
  z.strictObject({
    id: text,
    name: z.string(),
    url: text,
    mimeType: text,
    kind: text,
    sizeBytes: z.int().nonnegative().optional(),
    unavailable: text,
  }),
);

const reactionSchema = z.lazy(() =>
  z.strictObject({
    emoji: z.string().min(1),
    users: z.array(z.string()),
    count: z.int().nonnegative(),
  }),
);

export const messageSchema = z.lazy(() =>
  z.strictObject({
    kind: z.literal('message'),
    origin: originSchema,
    sortKey: z.string(),
    sentAtMs: z.int(),
    author: text,
    authorDetails: z.strictObject({ name: text, avatarUrl: text, isBot: flag }).optional(),
    text: z.string(),
    mentions: texts,
    attachments: z.array(attachmentSchema).optional(),
    reactions: z.array(reactionSchema).optional(),
    threadRoot: text,
    isBroadcast: flag,
    quoteOf: text,
    links: z.array(z.strictObject({ url: z.string(), conversation: z.string(), id: z.string().min(1) })).optional(),
    edited: z.strictObject({ atMs: time, by: text }).optional(),
    version: z.strictObject({ changedAtMs: time, markedAtMs: time, exportedAtMs: time }).optional(),
    isDeleted: flag,
    systemEvent: text,
    internal: z.enum(['note', 'side-conversation', 'automation', 'restricted']).optional(),
    call: z.strictObject({ startedAtMs: time, endedAtMs: time, participants: texts }).optional(),
    isPinned: flag,
    tags: texts,
    custom: facts,
    lost: z.partialRecord(z.enum(lostParts), z.int().positive()).optional(),
    unread: texts,
  }),
);

export const recordSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [userSchema, conversationSchema, messageSchema, relationSchema]),
);

true satisfies Same<z.output<typeof recordSchema>, ChatRecord>;
