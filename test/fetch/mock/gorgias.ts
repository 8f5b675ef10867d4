import type { Dialect, MockAnswer, MockRequest } from './mock-provider.ts';
import type { World, WorldConversation, WorldMessage } from './world.ts';

const iso = (ms: number) => new Date(ms).toISOString().replace('Z', '000+00:00');
const isAgent = (id: number) => id % 2 === 0;
const cursorTo = (id: number) => Buffer.from(`next__${id}`).toString('base64');

/** The cursor names the row before the page: rows that are added in front move nothing. */
function list<Row extends { readonly id: number }>(rows: readonly Row[], { query, parts }: MockRequest): MockAnswer {
  const limit = Number(query.get('limit') ?? 30);
  if (!(limit >= 1 && limit <= 100)) return { status: 400, json: { error: { msg: 'limit' } } };
  const cursor = query.get('cursor');
  const from = cursor === null ? 0 : rows.findIndex(({ id }) => cursorTo(id) === cursor) + 1;
  const data = rows.slice(from, from + limit);
  const isLast = from + limit >= rows.length;
  const meta = { prev_cursor: cursor, next_cursor: isLast ? null : cursorTo(data.at(-1)!.id) };
  return { json: { object: 'list', uri: `/${parts.join('/')}`, data, meta } };
}

const ordered = <Row>(rows: readonly Row[], { query }: MockRequest): readonly Row[] =>
  query.get('order_by') === 'created_datetime:asc' ? rows : rows.toReversed();

const personOf = (id: number) => ({
  ...{ id, name: `Person ${id}`, firstname: 'Person', lastname: String(id), email: `person-${id}@example.com` },
  meta: null,
});

const listedPerson = ({ id }: World['people'][number]) => ({
  ...{ ...personOf(id), external_id: null, language: 'en', created_datetime: iso(1_735_689_600_000) },
  ...(isAgent(id) ? { active: true, role: { name: 'agent' } } : { note: null, data: null }),
});

const ticketRow = ({ id, title, members, messages }: WorldConversation) => ({
  ...{ id, subject: title, status: 'open', channel: 'email', from_agent: false, tags: [], trashed_datetime: null },
  ...{ customer: personOf(members.find((one) => !isAgent(one))!), assignee_user: null, spam: false },
  ...{ messages_count: messages.length, created_datetime: iso(1_772_440_000_000 + id) },
});

const messageRow = ({ id: ticket }: WorldConversation, { id, author, text, at, isPrivate }: WorldMessage) => ({
  ...{ id, ticket_id: ticket, public: !isPrivate, channel: isPrivate ? 'internal-note' : 'email', via: 'email' },
  ...{ from_agent: isPrivate || isAgent(author), sender: personOf(author), rule_id: null, attachments: [] },
  ...{ body_text: text, body_html: `<div>${text}</div>`, created_datetime: iso(at) },
  ...{ sent_datetime: isPrivate ? null : iso(at), failed_datetime: null, source: null },
});

export const gorgiasDialect: Dialect = {
  provider: 'gorgias',
  settings: { domain: 'harbour', user: 'bo@example.com' },
  answer(request, { people, conversations }) {
    const [, kind, ...more] = request.parts;
    if (!String(request.headers.authorization).startsWith('Basic ')) return { status: 401, json: { error: {} } };
    if (more.length > 0) return undefined;
    if (kind === 'users' || kind === 'customers') {
      const wanted = people.filter(({ id }) => isAgent(id) === (kind === 'users'));
      return list(wanted.map(listedPerson), request);
    }
    if (kind === 'tickets') return list(ordered(conversations.map(ticketRow), request), request);
    if (kind !== 'messages') return undefined;
    const rows = conversations.flatMap((one) => one.messages.map((message) => messageRow(one, message)));
    return list(
      ordered(
        rows.toSorted((one, other) => one.id - other.id),
        request,
      ),
      request,
    );
  },
  idsIn: (rows) =>
    (rows as readonly { readonly id: number; readonly ticket_id?: number }[]).flatMap((row) =>
      row.ticket_id === undefined ? [] : [row.id],
    ),
};
