import { hash } from 'node:crypto';

/** What can be read back of a message, as it was sent or as it is listed. */
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

/**
 * SHA-256 over everything of a message that `differingFields` compares: equal where that finds nothing. 22 characters of
 * base64url, 132 bits. It stands for a message whose content was forgotten; whoever has it and guesses the whole message
 * can see that the guess is right.
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
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
