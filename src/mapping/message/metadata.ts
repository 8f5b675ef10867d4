import { z } from 'zod';
import { changeKinds } from '../../model/change.ts';
import { type MessageRecord, messageSchema } from '../../model/records.ts';
import type { UnattachedFile } from './map-attachments.ts';

const pictureSchema = z.lazy(() =>
  z.strictObject({
    /** In pixels. */
    width: z.int().optional(),
    height: z.int().optional(),
    /** Address of a smaller picture. */
    thumbnail: z.string().optional(),
  }),
);

/**
 * Content of `data.metadata.chatferry` of an imported message: facts of the source for which the service has no field.
 * Published and versioned; the viewer, verify and reconcile read it. Raw source data is never stored in it.
 */
export const metadataSchema = z.lazy(() =>
  z.strictObject({
    v: z.literal(1),
    /** Our key: the muid, for listings that do not show muids. */
    key: z.string(),
    /** Muid of the message whose thread this one answers in. */
    thread: z.string().optional(),
    /** A reply that was also shown in the conversation itself. */
    broadcast: z.literal(true).optional(),
    /** Muid of the message that this one quotes. */
    quote: z.string().optional(),
    /** Unix seconds of the last edit; 0 if the source does not give the time. */
    edited: z.int().optional(),
    pinned: z.literal(true).optional(),
    deleted: z.literal(true).optional(),
    /** The platform's name of a line that no person wrote. */
    system: z.string().optional(),
    /** Kind of an internal message at the source: with `messages.internal: keep`. */
    internal: messageSchema.unwrap().shape.internal,
    /** Characters (UTF-16 units) of a text that was cut. */
    truncated: z.int().optional(),
    /** Number of messages that a long text was sent in: on the first of them. */
    parts: z.int().optional(),
    /** Which of them this is, from 2, and the muid of the first. */
    part: z.int().optional(),
    head: z.string().optional(),
    /** For a message that announces how an earlier one changed at the source: the muid of the earlier one, and the kind of change. */
    follows: z.string().optional(),
    change: z.enum(changeKinds).optional(),
    /** Files that have no address one could follow, and why. */
    files: z.array(z.strictObject({ name: z.string(), why: z.string() })).optional(),
    /** Known properties of pictures that were copied: `file` is the number of the attachment, from 0. */
    media: z.array(pictureSchema.unwrap().extend({ file: z.int() })).optional(),
    /** Uids of the people whom the text mentions. */
    mentions: z.array(z.string()).optional(),
    /** Addresses in the text that lead to other messages, and the muids of those. */
    links: z.array(z.strictObject({ url: z.string(), key: z.string() })).optional(),
    reactions: z
      .array(z.strictObject({ emoji: z.string(), count: z.int(), by: z.array(z.string()).optional() }))
      .optional(),
    /** Small facts of the platform that have no field of their own. */
    custom: z.record(z.string(), z.json()).optional(),
    /** Names of the parts that were dropped to stay below the destination's size limit. */
    dropped: z.array(z.string()).optional(),
  }),
);
export type Metadata = z.infer<typeof metadataSchema>;

/** Data that metadata needs from outside the record. */
export interface MetadataContext {
  readonly muid: string;
  readonly rootMuid: string | undefined;
  readonly quoteMuid: string | undefined;
  readonly isEditMarked: boolean;
  readonly keepMentions: boolean;
  readonly keepReactions: boolean;
  readonly keepCustom: boolean;
  readonly files: readonly UnattachedFile[];
  readonly links: readonly { readonly url: string; readonly key: string }[];
  uidOf(userId: string): string;
}

export function buildMetadata(record: MessageRecord, context: MetadataContext): Metadata {
  const metadata: Metadata = { v: 1, key: context.muid };
  if (context.rootMuid !== undefined) metadata.thread = context.rootMuid;
  if (record.isBroadcast) metadata.broadcast = true;
  if (context.quoteMuid !== undefined) metadata.quote = context.quoteMuid;
  if (record.edited && context.isEditMarked) metadata.edited = Math.floor((record.edited.atMs ?? 0) / 1000);
  if (record.isPinned) metadata.pinned = true;
  if (record.isDeleted) metadata.deleted = true;
  if (record.systemEvent) metadata.system = record.systemEvent;
  if (record.internal !== undefined) metadata.internal = record.internal;
  if (context.files.length > 0) metadata.files = [...context.files];
  if (context.keepMentions && record.mentions?.length) metadata.mentions = record.mentions.map(context.uidOf);
  if (context.links.length > 0) metadata.links = [...context.links];
  if (context.keepReactions && record.reactions?.length) {
    metadata.reactions = record.reactions.map(({ emoji, count, users }) => ({
      emoji,
      count,
      by: users.map(context.uidOf),
    }));
  }
  if (context.keepCustom && record.custom) metadata.custom = record.custom;
  return metadata;
}

/** The metadata as JSON. A muid needs no escaping. */
export function metadataJson(metadata: Metadata): string {
  for (const key in metadata) if (key !== 'v' && key !== 'key') return JSON.stringify(metadata);
  return `{"v":1,"key":"${metadata.key}"}`;
}

/**
 * Parts that may be dropped near the size limit, in this order; identity and origin never are. `reactedBy` is the list
 * of people behind each reaction; the counts stay.
 */
export const dropOrder = ['reactedBy', 'mentions', 'links', 'custom', 'reactions', 'files'] as const;

/** The same metadata without one part; the same object if it does not have it. */
export function dropPart(metadata: Metadata, part: (typeof dropOrder)[number]): Metadata {
  const dropped = [...(metadata.dropped ?? []), part];
  if (part === 'reactedBy') {
    if (!metadata.reactions?.some((reaction) => reaction.by?.length)) return metadata;
    return { ...metadata, reactions: metadata.reactions.map(({ emoji, count }) => ({ emoji, count })), dropped };
  }
  if (metadata[part] === undefined) return metadata;
  const { [part]: _, ...rest } = metadata;
  return { ...rest, dropped };
}
