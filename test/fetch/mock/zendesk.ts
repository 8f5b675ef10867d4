import type { Dialect, MockAnswer, MockRequest } from './mock-provider.ts';
import { hasFile, type World, type WorldConversation, type WorldMessage } from './world.ts';

const email = 'agent@example.com';
/** Zendesk gives 1,000; fewer make more pages. */
const exportSize = 3;
/** Above the ids of all others. Its comments are gone with it. */
const deletedTicket = 9_000_000;

const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
const cursorOf = (value: number) => Buffer.from(String(value)).toString('base64');
const behind = (cursor: string | null) => (cursor === null ? -1 : Number(Buffer.from(cursor, 'base64').toString()));
/** The last message moves a ticket to the end of the export. */
const changeOf = ({ messages }: WorldConversation) => messages.at(-1)?.id ?? 0;
const changedAt = ({ messages }: WorldConversation) => messages.at(-1)?.at ?? 0;

/** Rows that changed behind the cursor, the oldest change first: who changed in the meantime comes again. */
function exported<T>(
  key: string,
  items: readonly T[],
  order: (item: T) => number,
  row: (item: T) => object,
  { query, base, parts }: MockRequest,
): MockAnswer {
  const cursor = query.get('cursor');
  if (cursor === null && !/^\d+$/.test(query.get('start_time') ?? ''))
    return { status: 400, json: { error: 'InvalidValue', description: 'start_time is missing' } };
  const rest = items
    .filter((item) => order(item) > behind(cursor))
    .toSorted((first, second) => order(first) - order(second));
  const page = rest.slice(0, exportSize);
  const after_cursor = page.length === 0 ? cursor : cursorOf(order(page.at(-1)!));
  const after_url = `${base}/${parts.join('/')}?cursor=${after_cursor}`;
  const around = { after_url, after_cursor, before_url: null, before_cursor: null };
  return { json: { [key]: page.map(row), ...around, end_of_stream: rest.length <= exportSize } };
}

/** No profile changes here. */
const isFromStart = ({ query }: MockRequest) => query.get('start_time') === '0' || query.has('cursor');

const ticketRow = ({ id, title, members, messages }: WorldConversation) => ({
  ...{ id, url: `https://desk.zendesk.com/api/v2/tickets/${id}.json`, external_id: null, subject: title },
  ...{ raw_subject: title, description: messages[0]?.text ?? '', status: 'open', priority: null, type: null },
  ...{ requester_id: members[0], submitter_id: members[0], assignee_id: members[1], tags: [], custom_fields: [] },
  ...{ created_at: iso(1_772_440_000_000), updated_at: iso(messages.at(-1)?.at ?? 1_772_440_000_000) },
  ...{ is_public: true, via: { channel: 'web', source: { from: {}, to: {}, rel: null } } },
});

const userRow = ({ id, name }: World['people'][number]) => ({
  ...{ id, url: `https://desk.zendesk.com/api/v2/users/${id}.json`, name, email: `person-${id}@example.com` },
  ...{ role: id % 2 === 0 ? 'agent' : 'end-user', active: true, external_id: null, photo: null },
  ...{ created_at: iso(1_735_689_600_000), updated_at: iso(1_735_689_600_000), tags: [], notes: '', details: '' },
});

const commentRow = ({ id, author, text, at, isPrivate }: WorldMessage) => ({
  ...{ id, type: 'Comment', author_id: author, body: text, plain_body: text, html_body: `<p>${text}</p>` },
  ...{ public: !isPrivate, audit_id: 500_000 + id, via: { channel: 'web' }, created_at: iso(at) },
  metadata: { system: {}, custom: {} },
});

const filesOf = (message: WorldMessage, base: string) =>
  hasFile(message)
    ? [
        {
          ...{ id: 700_000 + message.id, file_name: 'leak.txt', content_type: 'text/plain', size: 4, deleted: false },
          content_url: `${base}/attachments/token/t${message.id}/?name=leak.txt`,
        },
      ]
    : [];

function comments({ messages }: WorldConversation, { query, base }: MockRequest, { people }: World): MockAnswer {
  const after = behind(query.get('page[after]'));
  const rest = messages.filter(({ id }) => id > after);
  const page = rest.slice(0, Number(query.get('page[size]') ?? 100));
  const has_more = rest.length > page.length;
  const rows = page.map((message) => ({ ...commentRow(message), attachments: filesOf(message, base) }));
  const authors = new Set(page.map(({ author }) => author));
  const users = query.get('include') === 'users' && people.filter(({ id }) => authors.has(id)).map(userRow);
  const after_cursor = page.length === 0 ? null : cursorOf(page.at(-1)!.id);
  const meta = { has_more, after_cursor, before_cursor: null };
  return {
    json: { comments: rows, ...(users && { users }), meta, links: { prev: null, next: has_more ? 'next' : null } },
  };
}

export const zendeskDialect: Dialect = {
  provider: 'zendesk',
  settings: { subdomain: 'desk', email },
  answer(request, world) {
    const [, , kind, of, list] = request.parts;
    const [scheme, credentials = ''] = String(request.headers.authorization).split(' ');
    const isAgent = Buffer.from(credentials, 'base64').toString().startsWith(`${email}/token:`);
    if (scheme !== 'Basic' || !isAgent) return { status: 401, json: { error: 'Couldn’t authenticate you' } };
    if (request.parts[0] === 'attachments') return { json: 'leak' };
    if (kind === 'incremental' && of === 'users' && list === 'cursor.json')
      return exported('users', isFromStart(request) ? world.people : [], ({ id }) => id, userRow, request);
    if (kind === 'incremental' && of === 'tickets' && list === 'cursor.json') {
      const deleted = { id: deletedTicket, title: 'SCRUBBED', members: [1, 2], messages: [] };
      const row = (one: WorldConversation) => ({ ...ticketRow(one), ...(one === deleted && { status: 'deleted' }) });
      const startMs = Number(request.query.get('start_time') ?? 0) * 1000;
      const changed = [...world.conversations, deleted].filter((one) => changedAt(one) >= startMs);
      return exported('tickets', changed, changeOf, row, request);
    }
    const conversation = world.conversations.find(({ id }) => String(id) === of);
    if (kind !== 'tickets' || list !== 'comments.json' || !conversation) return undefined;
    return comments(conversation, request, world);
  },
  idsIn: (rows) =>
    (rows as readonly { readonly id: number; readonly author_id?: number }[]).flatMap(({ id, author_id: author }) =>
      author === undefined ? [] : [id],
    ),
};
