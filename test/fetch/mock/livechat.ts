import { type Dialect, type MockAnswer, type MockRequest, pageOf } from './mock-provider.ts';
import type { World, WorldConversation, WorldMessage } from './world.ts';

/** Messages of a thread. One that has fewer goes on. */
const threadSize = 5;
/** Rows of a page, whatever limit is asked for: a server may give fewer. */
const pageSize = 20;
const chatOf = ({ id }: WorldConversation) => `CHAT${id}`;
const threadOf = (conversation: WorldConversation, number: number) => `THREAD${conversation.id}X${number}`;
const customerOf = ({ id }: WorldConversation) => `b7eff798-f8df-4364-8059-${String(id).padStart(12, '0')}`;
const agentOf = (id: number) => `agent-${id}@example.com`;
const iso = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z');
const access = { group_ids: [0] };

const eventOf = (conversation: WorldConversation, message: WorldMessage) => ({
  ...{ id: `E${message.id}`, created_at: iso(message.at), type: 'message', text: message.text },
  visibility: message.isPrivate ? 'agents' : 'all',
  author_id:
    message.author === conversation.members[0] && !message.isPrivate
      ? customerOf(conversation)
      : agentOf(message.author),
});

const usersOf = (conversation: WorldConversation) => [
  { id: customerOf(conversation), type: 'customer', name: conversation.title, present: false },
  ...conversation.members.map((id) => ({
    id: agentOf(id),
    type: 'agent',
    name: `Agent ${id}`,
    email: agentOf(id),
    visibility: 'all',
  })),
];

const threadsOf = (conversation: WorldConversation) =>
  Array.from({ length: Math.max(1, Math.ceil(conversation.messages.length / threadSize)) }, (_, index) => {
    const messages = conversation.messages.slice(index * threadSize, (index + 1) * threadSize);
    return {
      ...{
        id: threadOf(conversation, index),
        created_at: iso(1_772_440_000_000),
        active: messages.length < threadSize,
      },
      ...{ user_ids: usersOf(conversation).map(({ id }) => id), properties: {}, access },
      ...(index > 0 && { previous_thread_id: threadOf(conversation, index - 1) }),
      events: messages.map((message) => eventOf(conversation, message)),
    };
  });

const chatWith = (conversation: WorldConversation, thread: ReturnType<typeof threadsOf>[number]) => ({
  ...{ id: chatOf(conversation), users: usersOf(conversation), thread, properties: {}, access, is_followed: false },
});

/** Filters, limit and order only go with the first page; `page_id` remembers them. */
function list(name: string, rows: readonly object[], body: Readonly<Record<string, unknown>>): MockAnswer {
  if (body.page_id !== undefined && Object.keys(body).length > 1)
    return { status: 400, json: { error: { type: 'validation', message: 'page_id goes alone' } } };
  const { page, next } = pageOf(rows, Number(String(body.page_id ?? 0).split(' ')[0]), pageSize);
  const more = next !== undefined && { next_page_id: `${next} ${fromIn(body)}` };
  return { json: { [name]: page, found_chats: rows.length, ...more } };
}

/** The time of `filters.from`, also of the first page. */
const fromIn = ({ page_id: page, filters }: Readonly<Record<string, unknown>>): string =>
  String(page ?? ` ${(filters as { readonly from?: string } | undefined)?.from ?? ''}`).split(' ')[1]!;

function answer({ method, parts, body, headers }: MockRequest, { conversations }: World): MockAnswer | undefined {
  const asked = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (method !== 'POST' || headers['x-region'] !== 'fra')
    return { status: 421, json: { error: { type: 'misdirected_request' } } };
  const action = parts.at(-1);
  const all = conversations.flatMap((conversation) =>
    threadsOf(conversation).map((thread) => ({ conversation, thread })),
  );
  if (action === 'list_chats') {
    const row = ({ conversation, thread: { events: _, ...summary } }: (typeof all)[number]) => ({
      ...{
        id: chatOf(conversation),
        users: usersOf(conversation),
        last_thread_summary: summary,
        properties: {},
        access,
      },
    });
    return list('chats_summary', all.filter(({ thread }) => thread.active).map(row), asked);
  }
  const chats = all.map(({ conversation, thread }) => chatWith(conversation, thread));
  if (action === 'get_chat')
    return { json: chats.find(({ id, thread }) => id === asked.chat_id && thread.id === asked.thread_id) ?? {} };
  // Threads that ended since: which time the provider goes by is not documented.
  const isWanted = ({ thread }: (typeof chats)[number]) => (thread.events.at(-1)?.created_at ?? '') >= fromIn(asked);
  const ended = chats.filter((chat) => !chat.thread.active && isWanted(chat));
  const endOf = ({ thread }: (typeof ended)[number]) => Number(thread.events.at(-1)!.id.slice(1));
  return action === 'list_archives'
    ? list(
        'chats',
        ended.toSorted((a, b) => endOf(a) - endOf(b)),
        asked,
      )
    : undefined;
}

export const livechatDialect: Dialect = {
  provider: 'livechat',
  settings: { account: 'd24fa41d-bc16-41b8-a15b-9ca45ff7e0cf', region: 'fra' },
  answer,
  // A thread that ends while pages are read is in both lists.
  idsIn: (rows) => [
    ...new Set(
      (rows as readonly { readonly thread?: { readonly events: readonly { readonly id: string }[] } }[]).flatMap(
        ({ thread }) => (thread?.events ?? []).map(({ id }) => Number(id.slice(1))),
      ),
    ),
  ],
};
