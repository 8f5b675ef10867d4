import { type Dialect, type MockAnswer, type MockRequest, pageOf } from './mock-provider.ts';
import type { World, WorldConversation, WorldMessage } from './world.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const userOf = ({ id }: WorldConversation) => `user-${1 + (id % 3)}`;
const conversationOf = ({ id }: WorldConversation) => `conversation-${id}`;

interface Page {
  readonly rows: readonly object[];
  readonly next: { readonly href: string } | undefined;
}

function pageIn(all: readonly object[], { query, parts }: MockRequest): Page {
  const [number, size] = [Number(query.get('page') ?? 1), Math.min(Number(query.get('items_per_page') ?? 10), 50)];
  const { page, next } = pageOf(all, (number - 1) * size, size);
  const more = new URLSearchParams(query);
  more.set('page', String(number + 1));
  return { rows: page, next: next === undefined ? undefined : { href: `/${parts.join('/')}?${more}` } };
}

function list(name: string, all: readonly object[], request: MockRequest): MockAnswer {
  const { rows, next } = pageIn(all, request);
  return { json: { [name]: rows, links: { ...(next && { next_page: { ...next, rel: 'next' } }) } } };
}

function messageRow(conversation: WorldConversation, message: WorldMessage) {
  const isUser = message.author === conversation.members[0] && !message.isPrivate;
  return {
    ...{ id: `m${message.id}`, conversation_id: conversationOf(conversation), created_time: iso(message.at) },
    ...{ actor_type: isUser ? 'user' : 'agent', actor_id: isUser ? userOf(conversation) : `agent-${message.author}` },
    message_type: message.isPrivate ? 'private' : 'normal',
    ...{ message_parts: [{ text: { content: message.text } }], app_id: 'a', channel_id: 'c' },
  };
}

function answer(request: MockRequest, { people, conversations }: World): MockAnswer | undefined {
  const [version, kind, id, inside] = request.parts;
  if (version !== 'v2') return undefined;
  if (kind === 'agents') {
    const row = (person: (typeof people)[number]) => ({
      id: `agent-${person.id}`,
      first_name: person.name,
      role_id: 'AGENT',
    });
    return list('agents', people.map(row), request);
  }
  if (kind === 'users' && id === undefined) {
    if (!request.query.has('updated_from')) return { status: 400, json: { code: 400, message: 'a filter is needed' } };
    const row = (number: number) => ({ id: `user-${number}`, first_name: `User ${number}`, properties: [] });
    return list('users', [1, 2, 3].map(row), request);
  }
  if (kind === 'users') {
    const own = conversations.filter((conversation) => userOf(conversation) === id);
    return {
      json: {
        conversations: own.map((one) => ({
          id: conversationOf(one),
          link: { href: `/v2/conversations/${conversationOf(one)}` },
        })),
      },
    };
  }
  const found = conversations.find((conversation) => conversationOf(conversation) === id);
  if (!found) return undefined;
  if (inside === undefined) {
    const about = { conversation_id: conversationOf(found), status: 'resolved', created_time: iso(1_772_440_000_000) };
    return { json: { ...about, user_id: userOf(found), users: [{ id: userOf(found) }], properties: {} } };
  }
  const { rows, next } = pageIn(found.messages.map((message) => messageRow(found, message)).toReversed(), request);
  return { json: { messages: rows, ...(next && { link: { ...next, rel: 'next', method: 'GET' } }) } };
}

export const freshchatDialect: Dialect = {
  provider: 'freshchat',
  settings: { domain: 'harbour' },
  answer,
  idsIn: (rows) =>
    (rows as readonly { readonly id?: string }[]).flatMap(({ id }) =>
      id !== undefined && /^m\d+$/.test(id) ? [Number(id.slice(1))] : [],
    ),
};
