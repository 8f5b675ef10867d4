import { type Dialect, type MockRequest, pageOf } from './mock-provider.ts';
import type { World, WorldConversation, WorldMessage, WorldPerson } from './world.ts';

/** Parts of one conversation that Intercom gives: the newest. */
const partsMax = 500;
/** Rows of a page, whatever is asked for: lists of a small world have several pages. */
const pageMax = 4;
const idOf = (person: number) => `6762f1261bb69f9f2193${String(person).padStart(4, '0')}`;
const seconds = (ms: number) => Math.floor(ms / 1000);
/** People with even numbers are agents. */
const isAdmin = (person: number) => person % 2 === 0;

const admin = ({ id, name }: WorldPerson) => ({
  ...{ type: 'admin', id: String(id), name, email: `person-${id}@example.com` },
  ...{ away_mode_enabled: false, away_mode_reassign: false, has_inbox_seat: true, team_ids: [] },
});

const contact = ({ id, name }: WorldPerson) => ({
  ...{ type: 'contact', id: idOf(id), external_id: `person-${id}`, role: 'user', name },
  email: `person-${id}@example.com`,
});

/** A note is by an agent, whatever its author in the world. */
function authorOf({ author, isPrivate }: WorldMessage) {
  const id = isPrivate && !isAdmin(author) ? 2 : author;
  const identity = isAdmin(id) ? { type: 'admin', id: String(id) } : { type: 'user', id: idOf(id) };
  return { ...identity, name: `Person ${id}`, email: `person-${id}@example.com` };
}

/** The first message that a customer may see; a conversation without one is not there yet. */
const sourceOf = ({ messages }: WorldConversation) => messages.find(({ isPrivate }) => !isPrivate);

function conversationRow(conversation: WorldConversation) {
  const source = sourceOf(conversation)!;
  return {
    ...{ type: 'conversation', id: String(conversation.id), title: conversation.title },
    ...{ created_at: seconds(source.at), updated_at: seconds(conversation.messages.at(-1)!.at) },
    source: {
      ...{ type: 'conversation', id: String(source.id), delivered_as: 'customer_initiated', subject: '' },
      ...{ body: `<p>${source.text}</p>`, author: authorOf(source), attachments: [], url: null, redacted: false },
    },
    contacts: {
      type: 'contact.list',
      contacts: conversation.members
        .filter((member) => !isAdmin(member))
        .map((id) => ({ type: 'contact', id: idOf(id), external_id: `person-${id}` })),
    },
    ...{ state: 'open', open: true, read: true, statistics: null, conversation_rating: null, custom_attributes: {} },
  };
}

function withParts(conversation: WorldConversation) {
  const source = sourceOf(conversation);
  const parts = conversation.messages
    .filter((message) => message !== source)
    .map((message) => ({
      ...{ type: 'conversation_part', id: String(message.id), part_type: message.isPrivate ? 'note' : 'comment' },
      ...{ body: `<p>${message.text}</p>`, created_at: seconds(message.at), updated_at: seconds(message.at) },
      ...{ author: authorOf(message), attachments: [], external_id: null, redacted: false },
    }));
  return {
    ...conversationRow(conversation),
    conversation_parts: {
      type: 'conversation_part.list',
      conversation_parts: parts.slice(-partsMax),
      total_count: parts.length,
    },
  };
}

/** @param after Cursor, which is where the next page begins. */
function list(rows: readonly object[], asked: number, after: string | undefined, name: string, type: string) {
  const size = Math.min(asked, pageMax);
  const { page, next } = pageOf(rows, Number(after ?? 0), size);
  const pages = {
    ...{ type: 'pages', page: 1, per_page: size, total_pages: Math.ceil(rows.length / size) },
    ...(next !== undefined && { next: { per_page: size, starting_after: String(next) } }),
  };
  return { json: { type, [name]: page, total_count: rows.length, pages } };
}

interface Search {
  readonly query: { readonly value: readonly { readonly value: number }[] };
  readonly sort?: { readonly field: string; readonly order: string };
  readonly pagination: { readonly per_page: number; readonly starting_after?: string };
}

function search({ body }: MockRequest, { conversations }: World) {
  const { query, sort, pagination } = body as Search;
  const rows = conversations
    .filter((one) => sourceOf(one) !== undefined)
    .map(conversationRow)
    .filter(({ updated_at }) => updated_at > query.value[0]!.value);
  // The conversation that changed last comes first, unless another order is asked for.
  if (sort?.field !== 'created_at') rows.sort((one, other) => other.updated_at - one.updated_at);
  return list(rows, pagination.per_page, pagination.starting_after, 'conversations', 'conversation.list');
}

export const intercomDialect: Dialect = {
  provider: 'intercom',
  settings: {},
  answer(request, world) {
    const [kind, id] = request.parts;
    if (request.headers['intercom-version'] !== '2.15') return { status: 400, json: { type: 'error.list' } };
    if (kind === 'admins')
      return { json: { type: 'admin.list', admins: world.people.filter((one) => isAdmin(one.id)).map(admin) } };
    if (kind === 'contacts') {
      const rows = world.people.filter((one) => !isAdmin(one.id)).map(contact);
      return list(rows, 50, request.query.get('starting_after') ?? undefined, 'data', 'list');
    }
    if (kind !== 'conversations') return undefined;
    if (request.method === 'POST') return search(request, world);
    const conversation = world.conversations.find((one) => String(one.id) === id);
    return conversation && { json: withParts(conversation) };
  },
  idsIn: (rows) =>
    (rows as readonly ReturnType<typeof withParts>[])
      .filter(({ type }) => type === 'conversation')
      .flatMap((row) => [row.source.id, ...row.conversation_parts.conversation_parts.map((part) => part.id)])
      .map(Number),
};
