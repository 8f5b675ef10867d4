import { type Dialect, type MockRequest, pageOf } from './mock-provider.ts';
import type { World, WorldConversation, WorldMessage, WorldPerson } from './world.ts';

const account = 1;
/** Rows of a page, as in Chatwoot. Those of conversations are fewer: a small world has several pages. */
const sizes = { messages: 20, contacts: 15, conversations: 4 };
const seconds = (ms: number) => Math.floor(ms / 1000);
/** People with even numbers are agents. */
const isAgent = (person: number) => person % 2 === 0;

const agent = ({ id, name }: WorldPerson) => ({
  ...{ id, account_id: account, availability_status: 'offline', auto_offline: true, confirmed: true },
  ...{ email: `person-${id}@example.com`, available_name: name, name, role: 'agent', thumbnail: '' },
});

const contact = ({ id, name }: WorldPerson) => ({
  ...{
    id,
    name,
    email: `person-${id}@example.com`,
    phone_number: `+45600000${id}`,
    identifier: `person-${id}`,
    thumbnail: '',
  },
  ...{ additional_attributes: {}, availability_status: 'offline', blocked: false, custom_attributes: {} },
});

/** A note is by an agent, whatever its author in the world. */
function senderOf({ author, isPrivate }: WorldMessage) {
  const id = isPrivate && !isAgent(author) ? 2 : author;
  const person = { id, name: `Person ${id}` };
  return isAgent(id)
    ? { id, name: person.name, available_name: person.name, avatar_url: '', type: 'user' }
    : { ...contact(person), type: 'contact' };
}

function messageRow(conversation: WorldConversation, message: WorldMessage) {
  const sender = senderOf(message);
  return {
    ...{ id: message.id, content: message.text, account_id: account, inbox_id: 3, conversation_id: conversation.id },
    ...{ message_type: sender.type === 'user' ? 1 : 0, content_type: 'text', content_attributes: {}, status: 'sent' },
    ...{ created_at: seconds(message.at), updated_at: seconds(message.at), private: message.isPrivate, sender },
  };
}

function conversationRow(conversation: WorldConversation) {
  const { id, members, messages } = conversation;
  const customer = members.find((member) => !isAgent(member))!;
  const last = messages.at(-1)!;
  return {
    ...{ id, account_id: account, inbox_id: 3, status: 'open', labels: [], muted: false, custom_attributes: {} },
    ...{ messages: [messageRow(conversation, last)], can_reply: true, unread_count: 0, additional_attributes: {} },
    ...{ created_at: seconds(messages[0]!.at), last_activity_at: seconds(last.at) },
    meta: { sender: contact({ id: customer, name: `Person ${customer}` }), channel: 'Channel::Api' },
  };
}

const pageIn = <T>({ query }: MockRequest, rows: readonly T[], size: number) =>
  pageOf(rows, (Number(query.get('page') ?? 1) - 1) * size, size).page;

function conversationsOf(request: MockRequest, { conversations }: World) {
  if (request.query.get('status') !== 'all') return { json: { data: { meta: {}, payload: [] } } };
  const rows = conversations.filter(({ messages }) => messages.length > 0).map(conversationRow);
  if (request.query.get('sort_by') !== 'created_at_asc')
    rows.sort((one, other) => other.last_activity_at - one.last_activity_at);
  const meta = { mine_count: 0, unassigned_count: rows.length, assigned_count: 0, all_count: rows.length };
  return { json: { data: { meta, payload: pageIn(request, rows, sizes.conversations) } } };
}

function messagesOf({ query }: MockRequest, conversation: WorldConversation) {
  const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
  const older = conversation.messages.filter(({ id }) => id < before);
  const payload = older.slice(-sizes.messages).map((message) => messageRow(conversation, message));
  return { json: { meta: { labels: [], additional_attributes: {} }, payload } };
}

export const chatwootDialect: Dialect = {
  provider: 'chatwoot',
  settings: { address: 'https://desk.example.com', account: String(account) },
  answer(request, world) {
    const [kind, id, list] = request.parts.slice(4);
    if (request.headers.api_access_token === undefined) return { status: 401, json: { error: 'Invalid Access Token' } };
    if (kind === 'agents') return { json: world.people.filter((one) => isAgent(one.id)).map(agent) };
    if (kind === 'contacts') {
      const rows = world.people.filter((one) => !isAgent(one.id)).map(contact);
      const meta = { count: rows.length, current_page: request.query.get('page') ?? '1' };
      return { json: { meta, payload: pageIn(request, rows, sizes.contacts) } };
    }
    if (kind !== 'conversations') return undefined;
    if (id === undefined) return conversationsOf(request, world);
    const conversation = world.conversations.find((one) => String(one.id) === id);
    return conversation && list === 'messages' ? messagesOf(request, conversation) : undefined;
  },
  idsIn: (rows) =>
    (rows as readonly Partial<ReturnType<typeof messageRow>>[])
      .filter(({ message_type }) => message_type !== undefined)
      .map(({ id }) => id!),
};
