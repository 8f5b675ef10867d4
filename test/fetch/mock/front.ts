import type { Dialect, MockAnswer, MockRequest } from './mock-provider.ts';
import { hasFile, type World, type WorldConversation, type WorldMessage } from './world.ts';

/** Front gives what was asked for, up to 100; fewer make more pages. */
const conversationsMax = 3;
const api = 'https://harbour.api.frontapp.com';

const isMate = (id: number) => id % 2 === 0;
const idOf = (kind: string, id: number) => `${kind}_${id.toString(36)}`;
/** The last message moves a conversation. */
const dateOf = ({ messages }: WorldConversation) => messages.at(-1)?.id ?? 0;

/** The next page is at another host than the one that was asked. */
function list<T>(
  items: readonly T[],
  order: (item: T) => number,
  max: number,
  row: (item: T) => object,
  { query, parts }: MockRequest,
): MockAnswer {
  const isUp = query.get('sort_order') === 'asc';
  const token = query.get('page_token');
  const after = token === null ? undefined : Number(Buffer.from(token, 'hex').toString());
  const sorted = items.toSorted((first, second) => (isUp ? 1 : -1) * (order(first) - order(second)));
  const rest = sorted.filter((item) => after === undefined || (isUp ? order(item) > after : order(item) < after));
  const page = rest.slice(0, Math.min(max, Number(query.get('limit') ?? 50)));
  const address = `${api}/${parts.join('/')}`;
  const next =
    rest.length > page.length
      ? `${address}?limit=${page.length}&page_token=${Buffer.from(String(order(page.at(-1)!))).toString('hex')}`
      : null;
  return { json: { _pagination: { next }, _links: { self: address }, _results: page.map(row) } };
}

/** A list that has no pages. */
const whole = <T>(items: readonly T[], row: (item: T) => object, { parts }: MockRequest): MockAnswer => ({
  json: { _links: { self: `${api}/${parts.join('/')}` }, _results: items.map(row) },
});

const mateRow = (id: number) => ({
  ...{ _links: { self: `${api}/teammates/${idOf('tea', id)}`, related: {} }, id: idOf('tea', id) },
  ...{ email: `person-${id}@example.com`, username: `person${id}`, first_name: 'Person', last_name: String(id) },
  ...{ is_admin: false, is_available: true, is_blocked: false, custom_fields: {} },
});

const contactRow = (id: number) => ({
  ...{ _links: { self: `${api}/contacts/${idOf('crd', id)}`, related: {} }, id: idOf('crd', id), name: `Person ${id}` },
  ...{ description: null, avatar_url: null, is_spammer: false, links: [], groups: [], lists: [], custom_fields: {} },
  handles: [{ handle: `person-${id}@example.com`, source: 'email' }],
});

const recipientOf = (id: number, role: 'from' | 'to') => ({
  ...{ handle: `person-${id}@example.com`, name: `Person ${id}`, role },
  _links: { related: { contact: `${api}/contacts/${idOf('crd', id)}` } },
});

const customerOf = ({ members }: WorldConversation) => members.find((id) => !isMate(id))!;
const addressOf = ({ id }: WorldConversation) => `${api}/conversations/${idOf('cnv', id)}`;

const filesOf = (message: WorldMessage) =>
  hasFile(message)
    ? [
        {
          ...{ id: idOf('fil', message.id), filename: 'leak.txt', content_type: 'text/plain', size: 4, metadata: {} },
          url: `${api}/download/${idOf('fil', message.id)}`,
        },
      ]
    : [];

function messageRow(conversation: WorldConversation, message: WorldMessage) {
  const { id, author, text, at } = message;
  const customer = customerOf(conversation);
  const support = { handle: 'support@example.com', name: null, _links: { related: { contact: null } } };
  const recipients = isMate(author)
    ? [{ ...support, role: 'from' }, recipientOf(customer, 'to')]
    : [recipientOf(author, 'from'), { ...support, role: 'to' }];
  const related = { conversation: addressOf(conversation), message_replied_to: null };
  return {
    ...{ _links: { self: `${api}/messages/${idOf('msg', id)}`, related }, id: idOf('msg', id), type: 'email' },
    ...{ is_inbound: !isMate(author), created_at: at / 1000, blurb: '', body: `<p>${text}</p>`, text, subject: null },
    ...{ error_type: null, version: null, draft_mode: null, author: isMate(author) ? mateRow(author) : null },
    ...{ recipients, attachments: filesOf(message), signature: null, metadata: {} },
  };
}

const commentRow = (conversation: WorldConversation, { id, author, text, at }: WorldMessage) => ({
  ...{ _links: { self: `${api}/comments/${idOf('com', id)}`, related: { conversation: addressOf(conversation) } } },
  ...{ id: idOf('com', id), body: text, posted_at: at / 1000, author: mateRow(isMate(author) ? author : author + 1) },
  ...{ is_pinned: false, attachments: [] },
});

function conversationRow(one: WorldConversation) {
  const last = one.messages.findLast(({ isPrivate }) => !isPrivate);
  return {
    ...{ _links: { self: addressOf(one), related: {} }, id: idOf('cnv', one.id), subject: one.title },
    ...{ status: 'unassigned', assignee: null, recipient: recipientOf(customerOf(one), 'to'), tags: [], links: [] },
    ...{ custom_fields: {}, created_at: 1_772_440_000, is_private: false, scheduled_reminders: [] },
    last_message: last === undefined ? null : messageRow(one, last),
  };
}

function ofConversation(one: WorldConversation, part: string | undefined, request: MockRequest) {
  const order = ({ id }: WorldMessage) => id;
  const messages = one.messages.filter(({ isPrivate }) => isPrivate === (part === 'comments'));
  if (part === 'messages') return list(messages, order, 100, (message) => messageRow(one, message), request);
  if (part === 'comments') return whole(messages.toReversed(), (message) => commentRow(one, message), request);
  return undefined;
}

export const frontDialect: Dialect = {
  provider: 'front',
  settings: {},
  answer(request, { people, conversations }: World) {
    const [kind, of, part] = request.parts;
    if (!String(request.headers.authorization).startsWith('Bearer ')) return { status: 401, json: { message: 'no' } };
    const ids = people.map(({ id }) => id);
    if (kind === 'teammates') return whole(ids.filter(isMate), mateRow, request);
    if (kind === 'contacts')
      return list(
        ids.filter((id) => !isMate(id)),
        Number,
        100,
        contactRow,
        request,
      );
    if (kind === 'download') return { json: 'leak' };
    if (kind !== 'conversations') return undefined;
    if (of === undefined) return list(conversations, dateOf, conversationsMax, conversationRow, request);
    const conversation = conversations.find(({ id }) => idOf('cnv', id) === of);
    return conversation && ofConversation(conversation, part, request);
  },
  idsIn: (rows) =>
    (rows as readonly { readonly id: string }[]).flatMap(({ id }) =>
      /^(?:msg|com)_/.test(id) ? [Number.parseInt(id.slice(4), 36)] : [],
    ),
};
