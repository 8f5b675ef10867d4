import { isObject } from '../lib/maps/objects.ts';
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DeliveryChange } from '../store/batches.ts';
import type { ListedMessage } from '../service/outcome.ts';

/** Fields of a message that can be read back, as it was sent or as it is listed. */
export interface Comparable {
  readonly sender: string;
  readonly receiver: string;
  readonly receiverType: string;
  /** Unix seconds. */
  readonly sentAt: number;
  readonly category: string;
  readonly type: string;
  readonly data: { readonly text?: unknown; readonly attachments?: unknown; readonly metadata?: unknown };
  readonly tags?: readonly string[] | undefined;
}

export interface SentMessage extends Comparable {
  readonly data: {
    readonly text?: string;
    readonly attachments?: readonly unknown[];
    readonly metadata?: { readonly chatferry?: unknown };
  };
  /** Replaces category, type, data and tags if the content was purged: `contentDigest` of the message. */
  readonly purged?: string;
}

/** The item of a request, read again: what `wireMessage` made. */
export function sentMessage(muid: string, wire: string): SentMessage {
  const item = (JSON.parse(`{${wire}}`) as Record<string, Omit<SentMessage, 'sentAt'> & { sentAt: string | number }>)[
    muid
  ]!;
  return { ...item, sentAt: Number(item.sentAt) };
}

/** Returns Chatferry's key in a listed message: its muid, or the key in its metadata if the listing shows no muids. */
export function keyOf(listed: ListedMessage): string | undefined {
  if (listed.muid) return listed.muid;
  const key = metadataOf(listed)?.key;
  return typeof key === 'string' ? key : undefined;
}

/** Fields of a stored message that a listing shows as well. */
export interface Written {
  readonly sender: { readonly uid: string };
  readonly receiver: string;
  readonly lane: { readonly receiverType: string };
  readonly sentAtMs: number;
  /** JSON. */
  readonly payload: string;
}

/**
 * Returns whether the listed message is exactly what was sent, to the letter: then nothing differs, and no JSON need be
 * read for that. A service that returns keys in another order fails this check although nothing differs:
 * `differingFields` decides.
 */
export function isWrittenSo({ sender, receiver, lane, sentAtMs, payload }: Written, listed: ListedMessage): boolean {
  if (sender.uid !== listed.sender || receiver !== listed.receiver || lane.receiverType !== listed.receiverType)
    return false;
  if (Math.floor(sentAtMs / 1000) !== listed.sentAt) return false;
  const { category, type, tags, data } = listed;
  const ours = metadataOf(listed);
  const written = {
    category,
    type,
    data: { text: data.text, attachments: data.attachments, ...(ours && { metadata: { chatferry: ours } }) },
    ...(tags.length > 0 && { tags }),
  };
  return JSON.stringify(written) === payload;
}

/**
 * Returns the fields in which the listed message differs from the sent one; empty if they are the same. Fields that the
 * service adds (entities, reactions, keys of its own in data and metadata) do not count. Only a digest is left of
 * purged content: it differs as a whole, in its `content`.
 */
export function differingFields(sent: SentMessage, listed: ListedMessage): string[] {
  const { data } = listed;
  if (sent.purged !== undefined) return contentDigest(listed) === sent.purged ? [] : ['content'];
  const same: Readonly<Record<string, boolean>> = {
    sender: sent.sender === listed.sender,
    receiver: sent.receiver === listed.receiver,
    receiverType: sent.receiverType === listed.receiverType,
    sentAt: sent.sentAt === listed.sentAt,
    category: sent.category === listed.category,
    type: sent.type === listed.type,
    text: (sent.data.text ?? '') === (data.text ?? ''),
    attachments: isDeepStrictEqual(sent.data.attachments ?? [], data.attachments ?? []),
    metadata: isDeepStrictEqual(sent.data.metadata?.chatferry, metadataOf(listed)),
    tags: isDeepStrictEqual([...(sent.tags ?? [])].sort(), [...(listed.tags ?? [])].sort()),
  };
  return Object.keys(same).filter((field) => !same[field]);
}

/** Returns the value under Chatferry's name in a message's metadata, whatever program wrote it. */
export function metadataOf(listed: ListedMessage): Record<string, unknown> | undefined {
  const metadata = listed.data.metadata as Record<string, unknown> | undefined;
  const ours = metadata?.chatferry;
  return ours !== null && typeof ours === 'object' ? (ours as Record<string, unknown>) : undefined;
}

/** Whether a listed message says that a member was removed by us. @param wasRemoved Whether the one with this uid was. */
export function isOwnRemoval({ category, data }: ListedMessage, wasRemoved: (uid: string) => boolean): boolean {
  if (category !== 'action' || data.action !== 'kicked') return false;
  const uid = ['entities', 'on', 'entity', 'uid'].reduce<unknown>((at, key) => isObject(at) && at[key], data);
  return typeof uid === 'string' && wasRemoved(uid.toLowerCase());
}

/** A message that is there with other content than ours: refused, and left as it is. */
export const differentContent = (seq: number, serverId: string, fields: readonly string[]): DeliveryChange => ({
  seq,
  state: 'failed',
  serverId,
  code: 'different-content',
  detail: `already there with another ${fields.join(', ')}`,
});

/**
 * Returns the SHA-256 of everything in a message that `differingFields` compares: equal if that finds no difference. 22
 * characters of base64url, 132 bits. It stands for a message whose content was purged; a person who has it and guesses
 * the whole message can see that the guess is right.
 */
export function contentDigest({ data, tags, ...message }: Comparable): string {
  const { sender, receiver, receiverType, sentAt, category, type } = message;
  const metadata = data.metadata as { readonly chatferry?: unknown } | null | undefined;
  const ours = metadata?.chatferry;
  const content = [
    ...[sender, receiver, receiverType, sentAt, category, type, data.text ?? '', data.attachments ?? []],
    ...[typeof ours === 'object' ? ours : null, [...(tags ?? [])].sort()],
  ];
  return hash('sha256', JSON.stringify(content, sortedKeys), 'base64url').slice(0, 22);
}

/** A service may give an object's keys in another order. */
const sortedKeys = (_: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** A reaction of a listed message. */
export interface ShownReaction {
  readonly reaction: string;
  readonly count: number;
  /** Present only if the listing was read as a particular user. */
  readonly reactedByMe?: boolean;
}

/** Returns the reactions that a listing shows for a message. Returns undefined if it shows none, which may mean that it never does. */
export function shownReactions({ data }: Pick<ListedMessage, 'data'>): ShownReaction[] | undefined {
  if (!Array.isArray(data.reactions)) return undefined;
  return data.reactions.flatMap((entry: unknown) => {
    const { reaction, count, reactedByMe } = (entry ?? {}) as Partial<Record<keyof ShownReaction, unknown>>;
    if (typeof reaction !== 'string') return [];
    return {
      reaction,
      count: typeof count === 'number' ? count : 1,
      ...(typeof reactedByMe === 'boolean' && { reactedByMe }),
    };
  });
}
