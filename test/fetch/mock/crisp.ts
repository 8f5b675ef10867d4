import { type Dialect, type MockAnswer, type MockRequest, pageOf } from './mock-provider.ts';
import type { World, WorldConversation, WorldMessage } from './world.ts';

const website = '8c842203-7ed8-4e29-a608-7cf78a7d2fcc';
const sessionOf = ({ id }: WorldConversation) => `session_7c1e${String(id).padStart(4, '0')}`;
/** Two messages of one millisecond would be torn apart by the end of a page. */
const timeOf = ({ id, at }: WorldMessage) => at + (id % 2) * 500;
/** More digits than a number holds. */
const fingerprintOf = ({ id }: WorldMessage) => `17724429${String(id).padStart(10, '0')}`;
const pageSize = 20;

function messageRow(conversation: WorldConversation, message: WorldMessage) {
  const isVisitor = message.author === conversation.members[0] && !message.isPrivate;
  const user = isVisitor ? sessionOf(conversation) : `operator-${message.author}`;
  return {
    ...{ session_id: sessionOf(conversation), website_id: website, type: message.isPrivate ? 'note' : 'text' },
    ...{ from: isVisitor ? 'user' : 'operator', origin: 'chat', content: message.text, timestamp: timeOf(message) },
    ...{ fingerprint: `#${fingerprintOf(message)}#`, read: '', delivered: 'chat', stamped: true, automated: false },
    ...{ preview: [], mentions: [], edited: false, translated: false, user: { user_id: user, nickname: user } },
  };
}

/** The latest messages before a time, the oldest of them first. 206: there are older ones. */
function messagesOf(conversation: WorldConversation, { query }: MockRequest): MockAnswer {
  const before = Number(query.get('timestamp_before') ?? Number.MAX_SAFE_INTEGER);
  const older = conversation.messages.filter((message) => timeOf(message) < before);
  const data = older.slice(-pageSize).map((message) => messageRow(conversation, message));
  const json = JSON.stringify({ error: false, reason: 'listed', data }).replaceAll(/"#(\d+)#"/g, '$1');
  return { status: older.length > pageSize ? 206 : 200, json };
}

const conversationRow = (conversation: WorldConversation) => {
  const last = conversation.messages.at(-1);
  return {
    ...{ session_id: sessionOf(conversation), website_id: website, state: 'resolved', status: 2, participants: [] },
    ...{ created_at: 1_772_440_000_000, updated_at: last ? timeOf(last) : 1_772_440_000_000, assigned: {} },
    ...{ meta: { nickname: `Visitor ${conversation.id}`, email: '', segments: [], data: {} } },
  };
};

function answer(request: MockRequest, { people, conversations }: World): MockAnswer | undefined {
  const { parts, headers, query } = request;
  if (headers['x-crisp-tier'] !== 'plugin')
    return { status: 401, json: { error: true, reason: 'invalid_session', data: {} } };
  const [kind, id, inside] = parts.slice(3);
  if (kind === 'operators') {
    const rows = people.map((person) => ({
      type: 'operator',
      details: {
        user_id: `operator-${person.id}`,
        first_name: person.name,
        last_name: 'Lind',
        email: null,
        role: 'member',
      },
    }));
    return { json: { error: false, reason: 'listed', data: rows } };
  }
  if (kind === 'conversations') {
    const size = Number(query.get('per_page') ?? 20);
    const latest = (conversation: WorldConversation) => conversation.messages.at(-1)?.id ?? 0;
    const ordered = conversations.toSorted((a, b) => latest(b) - latest(a));
    const { page } = pageOf(ordered, (Number(id) - 1) * size, size);
    return { json: { error: false, reason: 'listed', data: page.map(conversationRow) } };
  }
  const found = conversations.find((conversation) => sessionOf(conversation) === id);
  return found && inside === 'messages' ? messagesOf(found, request) : undefined;
}

export const crispDialect: Dialect = {
  provider: 'crisp',
  settings: { identifier: '7c3ef21c-1e04-41ce-8c06-5605c346f73e', website },
  answer,
  idsIn: (rows) =>
    (rows as readonly { readonly fingerprint?: number; readonly content: string }[]).flatMap(
      ({ fingerprint, content }) => (fingerprint === undefined ? [] : [Number(/\d+/.exec(content)![0])]),
    ),
};
