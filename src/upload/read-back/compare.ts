import { isDeepStrictEqual } from 'node:util';
import type { ListedMessage } from '../../service/client/list-answer.ts';
import { contentDigest } from './content-digest.ts';

/** A message as it was sent: the fields that can be read back. */
export interface SentMessage {
  readonly sender: string;
  readonly receiver: string;
  readonly receiverType: string;
  /** Unix seconds. */
  readonly sentAt: number;
  readonly category: string;
  readonly type: string;
  readonly data: {
    readonly text?: string;
    readonly attachments?: readonly unknown[];
    readonly metadata?: { readonly chatferry?: unknown };
  };
  readonly tags?: readonly string[];
  /** Instead of category, type, data and tags, where the content was forgotten: `contentDigest` of the message. */
  readonly forgotten?: string;
}

/** The item of a request, read again: what `wireMessage` made. */
export function sentMessage(muid: string, wire: string): SentMessage {
  const item = (JSON.parse(`{${wire}}`) as Record<string, Omit<SentMessage, 'sentAt'> & { sentAt: string | number }>)[
    muid
  ]!;
  return { ...item, sentAt: Number(item.sentAt) };
}

/** Our own key in a listed message: its muid, or the key in its metadata where the listing shows no muids. */
export function keyOf(listed: ListedMessage): string | undefined {
  if (listed.muid) return listed.muid;
  const key = metadataOf(listed)?.key;
  return typeof key === 'string' ? key : undefined;
}

/**
 * The fields in which what stands there differs from what was sent; empty if it is the same.
 * What the service adds (entities, reactions, keys of its own in data and metadata) does not count. Of what was forgotten
 * only a digest is left: it differs as a whole, in its `content`.
 */
export function differingFields(sent: SentMessage, listed: ListedMessage): string[] {
  const { data } = listed;
  if (sent.forgotten !== undefined) return contentDigest(listed) === sent.forgotten ? [] : ['content'];
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

/** What stands there under our name in a message's metadata, whoever wrote it. */
export function metadataOf(listed: ListedMessage): Record<string, unknown> | undefined {
  const metadata = listed.data.metadata as Record<string, unknown> | undefined;
  const ours = metadata?.chatferry;
  return ours !== null && typeof ours === 'object' ? (ours as Record<string, unknown>) : undefined;
}
