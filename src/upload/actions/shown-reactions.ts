import type { ActionRow } from '../../checkpoint/delivery/action-rows.ts';
import type { DeliveryClient } from '../../service/client/delivery-client.ts';
import type { ListedMessage } from '../../service/client/list-answer.ts';
import type { AskOptions } from '../read-back/ask.ts';
import { createReader, readConversation } from '../read-back/reader.ts';

/** A reaction of a listed message. */
export interface ShownReaction {
  readonly reaction: string;
  readonly count: number;
  /** Only where the listing was read as somebody. */
  readonly reactedByMe?: boolean;
}

/** What a listing shows of a message's reactions; nothing where it shows none, which may mean that it never does. */
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

/** The id that the service gave a message, its conversation there, and when it was sent, in epoch ms. */
export type Whereabouts = Pick<ActionRow, 'serverId' | 'conversationId' | 'sentAtMs'>;

/**
 * Looks a message up in the listing of the second in which it was sent: no operation reads a single one.
 *
 * @param uid Whose view it is; absent: that of the app.
 * @throws DestinationError if the listing cannot be read.
 */
export async function findListed(
  { serverId, conversationId, sentAtMs }: Whereabouts,
  client: DeliveryClient,
  asking: AskOptions,
  signal: AbortSignal,
  uid?: string,
): Promise<ListedMessage | undefined> {
  const second = Math.floor((sentAtMs ?? 0) / 1000);
  const window = { fromTimestamp: Math.max(second - 1, 0), toTimestamp: second + 1 };
  const readPage = createReader({ list: (query, abort) => client.listMessages(query, abort, uid), ...asking });
  const walk = { ...(conversationId !== null && { conversationId }), ...window };
  for await (const page of readConversation(readPage, walk, signal)) {
    const found = page.find(({ id }) => id === serverId);
    if (found) return found;
  }
  return undefined;
}
