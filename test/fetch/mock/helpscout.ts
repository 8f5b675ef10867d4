import type { Dialect, MockAnswer, MockRequest } from './mock-provider.ts';
import { hasFile, type World, type WorldConversation, type WorldMessage } from './world.ts';

/** Help Scout gives 25 conversations; fewer make more pages. */
const sizes = { users: 50, customers: 50, conversations: 3, threads: 50 } as const;

const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
const isUser = (id: number) => id % 2 === 0;

/** An answer with a page of rows. One without rows has no "_embedded", and the last one no "next". */
function list(name: keyof typeof sizes, rows: readonly object[], { query, parts }: MockRequest): MockAnswer {
  const size = sizes[name];
  const number = Number(query.get('page') ?? 1);
  const page = rows.slice((number - 1) * size, number * size);
  const address = `https://api.helpscout.net/${parts.join('/')}`;
  const totalPages = Math.ceil(rows.length / size);
  const at = (page: number) => ({ href: `${address}?page=${page}` });
  const next = number < totalPages && { next: at(number + 1) };
  return {
    json: {
      ...(page.length > 0 && { _embedded: { [name]: page } }),
      _links: { self: at(number), first: at(1), last: at(totalPages), ...next, page: { href: `${address}{?page}` } },
      page: { size, totalElements: rows.length, totalPages, number },
    },
  };
}

const personOf = (id: number) => ({
  ...{ id, type: isUser(id) ? 'user' : 'customer', first: 'Person', last: String(id) },
  email: `person-${id}@example.com`,
});

const listedPerson = ({ id }: World['people'][number]) => ({
  ...{ id, firstName: 'Person', lastName: String(id), createdAt: iso(1_735_689_600_000), photoUrl: null },
  ...(isUser(id)
    ? { email: `person-${id}@example.com`, role: 'user', timezone: 'Europe/Lisbon', type: 'user' }
    : { gender: 'Unknown', _embedded: { emails: [{ id, value: `person-${id}@example.com`, type: 'work' }] } }),
});

const customerOf = ({ members }: WorldConversation) => personOf(members.find((id) => !isUser(id))!);

const conversationRow = (one: WorldConversation) => ({
  ...{ id: one.id, number: one.id, threads: one.messages.length, type: 'email', folderId: 1, mailboxId: 2 },
  ...{ status: 'active', state: 'published', subject: one.title, preview: '', createdBy: customerOf(one) },
  ...{
    createdAt: iso(1_772_440_000_000),
    tags: [],
    cc: [],
    bcc: [],
    customFields: [],
    primaryCustomer: customerOf(one),
  },
});

const fileOf = ({ id }: WorldMessage) => ({
  ...{ id: 700_000 + id, filename: 'leak.txt', mimeType: 'text/plain', width: 0, height: 0, size: 4 },
  _links: { data: { href: `https://api.helpscout.net/v2/conversations/1/attachments/${700_000 + id}/data` } },
});

const threadRow = (conversation: WorldConversation) => (message: WorldMessage) => ({
  ...{ id: message.id, status: 'active', state: 'published', action: { type: 'default', associatedEntities: {} } },
  ...{ type: message.isPrivate ? 'note' : isUser(message.author) ? 'message' : 'customer', savedReplyId: 0 },
  ...{ body: message.text, source: { type: 'web', via: isUser(message.author) ? 'user' : 'customer' } },
  ...{ customer: isUser(message.author) ? customerOf(conversation) : personOf(message.author) },
  ...{ createdBy: personOf(message.author), to: [], cc: [], bcc: [], createdAt: iso(message.at) },
  ...{ _embedded: { attachments: hasFile(message) ? [fileOf(message)] : [] }, _links: {} },
});

export const helpscoutDialect: Dialect = {
  provider: 'helpscout',
  settings: {},
  answer(request, { people, conversations }) {
    const [, kind, of, part] = request.parts;
    if (!String(request.headers.authorization).startsWith('Bearer ')) return { status: 401, json: { error: 'no' } };
    if (kind === 'users' || kind === 'customers') {
      const wanted = people.filter(({ id }) => isUser(id) === (kind === 'users'));
      return list(kind, wanted.map(listedPerson), request);
    }
    if (kind !== 'conversations') return undefined;
    if (of === undefined) {
      // Only those that are active, unless a status is named: here every third is closed.
      const isAll = request.query.get('status') === 'all';
      const sinceMs = Date.parse(request.query.get('modifiedSince') ?? '1970-01-01');
      const isWanted = ({ id, messages }: WorldConversation) =>
        (isAll || id % 3 !== 0) && (messages.at(-1)?.at ?? 0) >= sinceMs;
      const wanted = conversations.filter(isWanted);
      return list('conversations', wanted.toReversed().map(conversationRow), request);
    }
    const conversation = conversations.find(({ id }) => String(id) === of);
    if (part === 'attachments' && request.parts[5] === 'file') return { json: 'leak' };
    if (!conversation || part !== 'threads') return undefined;
    return list('threads', conversation.messages.toReversed().map(threadRow(conversation)), request);
  },
  idsIn: (rows) =>
    (rows as readonly { readonly id: number; readonly savedReplyId?: number }[]).flatMap((row) =>
      row.savedReplyId === undefined ? [] : [row.id],
    ),
};
