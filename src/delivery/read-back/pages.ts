import type { ListMessagesQuery } from '../../service/messages.ts';
import type { ListedMessage, MessagePage } from '../../service/answer.ts';
import type { ReadOutcome } from '../../service/outcome.ts';

/** Reads one page. A caller that wants retries passes a function that already makes them. */
export type ListPage = (query: ListMessagesQuery, signal: AbortSignal) => Promise<ReadOutcome<MessagePage>>;

export interface Walk {
  /** Absent: everything that the key may see. */
  readonly conversationId?: string;
  /** Begins after the message with this id. */
  readonly fromId?: string;
  /** Sent along with `fromId` if the service named both. Unix seconds. */
  readonly fromSentAt?: number;
  /** Ids of the page before `fromId`, where there was one: their rows are dropped. */
  readonly seen?: readonly string[];
  /** Unix seconds. The service ignores `toTimestamp` without `fromTimestamp`. */
  readonly fromTimestamp?: number;
  readonly toTimestamp?: number;
  /** Messages per page, 1 to 1,000; 1,000 by default. */
  readonly limit?: number;
}

/**
 * Reads a conversation, or all of them, to the end, a page at a time, in the service's order. A failed page is yielded
 * and ends the walk.
 *
 * No documentation says how a listing ends or whether a page repeats the row of its cursor, so both are handled. Rows
 * of the page before are dropped by id. The walk ends at an empty page, at one that brings nothing new, or at a short
 * one after which the service names no next page. A full page of rows that were already read is not an end but a cursor
 * that does not advance: code `cursor_stuck`, because the rows after it cannot be reached.
 *
 * A time that the service names with its cursor is sent back to it, as part of a position in the order of times. It is
 * left out once rows have shown that the order is that of ids: there it could only filter, and hide messages that came
 * late and are old.
 */
export async function* walkConversation(
  list: ListPage,
  { conversationId, fromId, fromSentAt, seen: seenBefore = [], fromTimestamp, toTimestamp, limit = 1000 }: Walk,
  signal: AbortSignal,
): AsyncGenerator<ReadOutcome<readonly ListedMessage[]>> {
  const filter: ListMessagesQuery = {
    ...(conversationId !== undefined && { conversationId }),
    affix: 'append',
    limit,
    ...(fromTimestamp !== undefined && { fromTimestamp }),
    ...(toTimestamp !== undefined && { toTimestamp }),
  };
  let cursor: Pick<ListMessagesQuery, 'id' | 'sentAt'> = {
    ...(fromId !== undefined && { id: fromId }),
    ...(fromSentAt !== undefined && { sentAt: fromSentAt }),
  };
  let isByIds = false;
  let seen = new Set(fromId === undefined ? seenBefore : [fromId, ...seenBefore]);
  while (true) {
    const outcome = await list({ ...filter, ...cursor }, signal);
    if (outcome.kind === 'failed') return yield outcome;
    const page = outcome.value;
    const fresh = page.messages.filter(({ id }) => !seen.has(id));
    if (fresh.length > 0) yield { kind: 'answered', value: fresh };
    if (isLast(page, fresh.length, limit)) return;
    if (fresh.length === 0) return yield stuck(conversationId, cursor.id);
    seen = new Set(page.messages.map(({ id }) => id));
    isByIds ||= runAgainstTime(page.messages);
    cursor = cursorAfter(page, isByIds);
  }
}

function isLast({ messages, next, limit: usedLimit }: MessagePage, freshCount: number, limit: number): boolean {
  if (messages.length === 0) return true;
  const isShort = messages.length < Math.min(usedLimit ?? limit, limit);
  return isShort && (freshCount === 0 || next === undefined);
}

/** Returns the cursor that the service named, else the last row. A `sentAt` is included only if the service asked for it: it may filter. */
function cursorAfter({ messages, next }: MessagePage, isByIds: boolean): Pick<ListMessagesQuery, 'id' | 'sentAt'> {
  const id = next?.id ?? messages.at(-1)?.id;
  const sentAt = isByIds ? undefined : next?.sentAt;
  return { ...(id !== undefined && { id }), ...(sentAt !== undefined && { sentAt }) };
}

const runAgainstTime = (messages: readonly ListedMessage[]): boolean =>
  messages.some(({ sentAt }, index) => index > 0 && sentAt < messages[index - 1]!.sentAt);

function stuck(conversationId: string | undefined, id: string | undefined): ReadOutcome<never> {
  return {
    kind: 'failed',
    why: 'stop',
    code: 'cursor_stuck',
    detail: `The listing${conversationId === undefined ? '' : ` of "${conversationId}"`} repeats a full page after message ${id ?? 'none'}`,
  };
}
