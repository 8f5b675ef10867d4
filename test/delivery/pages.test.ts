import { describe, expect, it } from 'vitest';
import type { ListMessagesQuery } from '../../src/service/delivery-client.ts';
import type { ListedMessage, MessagePage } from '../../src/service/outcome.ts';
import type { ReadOutcome } from '../../src/service/outcome.ts';
import { type ListPage, type Walk, walkConversation } from '../../src/delivery/read-back.ts';

const never = new AbortController().signal;

function message(id: number): ListedMessage {
  const people = { sender: 'a', receiver: 'b', receiverType: 'user', conversationId: 'a_user_b' };
  return {
    id: String(id),
    ...people,
    category: 'message',
    type: 'text',
    sentAt: 1_700_000_000 + id,
    data: {},
    tags: [],
  };
}

/** How a listing of messages 1 to `count` behaves. */
interface Habits {
  readonly count: number;
  /** A page that begins after message n holds message n again. */
  readonly repeatsEdge?: boolean;
  /** Pages are no longer than this, whatever the query says. */
  readonly pageMax?: number;
  readonly says?: { readonly next?: 'always' | 'if more' | 'with sentAt'; readonly limit?: boolean };
  /** Whether it starts again from the beginning for any cursor. */
  readonly ignoresCursor?: boolean;
}

function listing(habits: Habits): { readonly list: ListPage; readonly queries: ListMessagesQuery[] } {
  const queries: ListMessagesQuery[] = [];
  const list: ListPage = async (query) => {
    queries.push(query);
    const after = habits.ignoresCursor ? 0 : Number(query.id ?? 0);
    const first = habits.repeatsEdge && after > 0 ? after : after + 1;
    const limit = Math.min(Number(query.limit), habits.pageMax ?? Infinity);
    const last = Math.min(first + limit - 1, habits.count);
    const messages = Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => message(first + index));
    return { kind: 'answered', value: { messages, ...meta(habits, messages, limit) } };
  };
  return { list, queries };
}

function meta({ says = {}, count }: Habits, messages: readonly ListedMessage[], limit: number): Partial<MessagePage> {
  const last = messages.at(-1);
  const hasNext = last && (says.next === 'if more' ? Number(last.id) < count : says.next !== undefined);
  const sentAt = says.next === 'with sentAt' && last ? { sentAt: last.sentAt } : {};
  return {
    ...(says.limit && { limit }),
    ...(hasNext && { next: { affix: 'append', id: last.id, ...sentAt } }),
  };
}

async function collect(list: ListPage, walk: Partial<Walk> = {}) {
  const ids: number[] = [];
  const failures: ReadOutcome<unknown>[] = [];
  for await (const page of walkConversation(list, { conversationId: 'a_user_b', limit: 3, ...walk }, never)) {
    if (page.kind === 'answered') ids.push(...page.value.map(({ id }) => Number(id)));
    else failures.push(page);
  }
  return { ids, failures };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('walkConversation()', () => {
  const habits: readonly [string, Omit<Habits, 'count'>][] = [
    ['says nothing about the next page', {}],
    ['names the next page only if there is one', { says: { next: 'if more' } }],
    ['always names a next page', { says: { next: 'always' } }],
    ['names the next page by id and time', { says: { next: 'with sentAt' } }],
    ['repeats the row of the cursor', { repeatsEdge: true }],
    ['repeats the row of the cursor and always names a next page', { repeatsEdge: true, says: { next: 'always' } }],
    ['caps its pages and names the next one', { pageMax: 2, says: { next: 'if more' } }],
    [
      'caps its pages, repeats the edge and says its limit',
      { pageMax: 2, repeatsEdge: true, says: { next: 'always', limit: true } },
    ],
    ['caps its pages and says its limit', { pageMax: 2, says: { limit: true } }],
  ];

  it.each(habits)('reads every message once, in order, from a service that %s', async (_, habit) => {
    for (const count of [0, 1, 2, 3, 4, 6, 7]) {
      expect(await collect(listing({ count, ...habit }).list)).toEqual({ ids: upTo(count), failures: [] });
    }
  });

  it('asks for the conversation, oldest first, with the times and the size of a page', async () => {
    const { list, queries } = listing({ count: 1 });
    await collect(list, { fromTimestamp: 5, toTimestamp: 9, limit: 1000 });
    expect(queries).toEqual([
      { conversationId: 'a_user_b', affix: 'append', limit: 1000, fromTimestamp: 5, toTimestamp: 9 },
    ]);
  });

  it('begins after the given message, which is not read again', async () => {
    expect(await collect(listing({ count: 7 }).list, { fromId: '5' })).toEqual({ ids: [6, 7], failures: [] });
    const { list } = listing({ count: 7, repeatsEdge: true });
    expect(await collect(list, { fromId: '5' })).toEqual({ ids: [6, 7], failures: [] });
  });

  it('sends a time with the cursor only if the service named one', async () => {
    const silent = listing({ count: 4 });
    await collect(silent.list);
    expect(silent.queries[1]).not.toHaveProperty('sentAt');
    const telling = listing({ count: 4, says: { next: 'with sentAt' } });
    await collect(telling.list);
    expect(telling.queries[1]).toMatchObject({ id: '3', sentAt: 1_700_000_003 });
  });

  it('omits the time if messages are ordered by id, because the service may filter by it', async () => {
    // Messages 2 to 7 came late, each older than the one before.
    const all = [1, 2, 3, 4, 5, 6, 7].map((id) => ({ ...message(id), sentAt: 1_700_000_000 - id }));
    const queries: ListMessagesQuery[] = [];
    const list: ListPage = async (query) => {
      queries.push(query);
      const passes = (one: ListedMessage) => query.sentAt === undefined || one.sentAt >= Number(query.sentAt);
      const messages = all.filter((one) => Number(one.id) > Number(query.id ?? 0) && passes(one)).slice(0, 3);
      const { id, sentAt } = messages.at(-1) ?? all.at(-1)!;
      return { kind: 'answered', value: { messages, next: { affix: 'append', id, sentAt } } };
    };
    expect(await collect(list)).toEqual({ ids: upTo(7), failures: [] });
    expect(queries.every((query) => query.sentAt === undefined)).toBe(true);
  });

  it('does not ask again if the service shows that the end is reached', async () => {
    const { list, queries } = listing({ count: 3, says: { next: 'if more' } });
    await collect(list, { limit: 1000 });
    expect(queries).toHaveLength(1);
  });

  it('fails if the same full page repeats, because the rest cannot be reached', async () => {
    const { ids, failures } = await collect(listing({ count: 9, ignoresCursor: true }).list);
    expect(ids).toEqual([1, 2, 3]);
    expect(failures).toMatchObject([{ kind: 'failed', why: 'stop', code: 'cursor_stuck' }]);
  });

  it('hands a failed page over and ends', async () => {
    const failed = { kind: 'failed', why: 'retry', code: 'http_502', detail: 'x' } as const;
    const { list } = listing({ count: 7 });
    let pages = 0;
    const { ids, failures } = await collect(async (query, signal) => (pages++ === 0 ? list(query, signal) : failed));
    expect(ids).toEqual([1, 2, 3]);
    expect(failures).toEqual([failed]);
    expect(pages).toBe(2);
  });
});
