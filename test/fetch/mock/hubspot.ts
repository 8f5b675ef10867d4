import type { Dialect, MockAnswer, MockRequest } from './mock-provider.ts';
import type { World, WorldConversation, WorldMessage } from './world.ts';

/** Whatever was asked for: a page may have fewer rows, and one more behind it. */
const [threadsMax, messagesMax] = [3, 40];

const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
const hex = (id: number) => id.toString(16).padStart(32, '0');
const actorOf = (id: number) => `${id % 2 === 0 ? 'A' : 'V'}-${id}`;
const isArchived = ({ id }: WorldConversation) => id % 4 === 0;
/** The list of messages has only the latest reply of these. */
const isCut = ({ id, isPrivate }: WorldMessage) => id % 11 === 0 && !isPrivate;

/** Pages behind the id in `after`, in the order of `items`; only the last page has no "paging". */
function list<T extends { readonly id: number }>(
  items: readonly T[],
  isBehind: (item: T, after: number) => boolean,
  max: number,
  row: (item: T) => object,
  { query }: MockRequest,
): MockAnswer {
  const after = query.get('after');
  const rest = after === null ? items : items.filter((item) => isBehind(item, Number(atob(after))));
  const page = rest.slice(0, Math.min(max, Number(query.get('limit') ?? 100)));
  const paging = rest.length > page.length && { paging: { next: { after: btoa(String(page.at(-1)!.id)), link: 'x' } } };
  return { json: { results: page.map(row), ...paging } };
}

const threadRow = (conversation: WorldConversation) => ({
  ...{ id: String(conversation.id), createdAt: iso(1_772_440_000_000), status: 'OPEN', inboxId: '1', spam: false },
  ...{ originalChannelId: '1002', originalChannelAccountId: '2', associatedContactId: '3' },
  ...{ latestMessageTimestamp: iso(conversation.messages.at(-1)?.at ?? 1_772_440_000_000) },
  archived: isArchived(conversation),
});

const messageRow = (thread: string, names: ReadonlyMap<number, string>) => (message: WorldMessage) => {
  const text = isCut(message) ? message.text.slice(0, 9) : message.text;
  const sender = { actorId: actorOf(message.author), name: names.get(message.author), senderField: 'FROM' };
  const common = {
    ...{ id: hex(message.id), conversationsThreadId: thread, createdAt: iso(message.at), updatedAt: iso(message.at) },
    ...{ createdBy: sender.actorId, client: { clientType: 'HUBSPOT' }, recipients: [], archived: false, text },
    ...{ richText: `<div>${text}</div>`, attachments: [] },
  };
  if (message.isPrivate) return { ...common, senders: [sender], type: 'COMMENT' };
  return {
    ...{ ...common, senders: [sender], type: 'MESSAGE', direction: 'INCOMING', channelId: '1002' },
    ...{ channelAccountId: '2', status: { statusType: 'RECEIVED' } },
    truncationStatus: isCut(message) ? 'TRUNCATED_TO_MOST_RECENT_REPLY' : 'NOT_TRUNCATED',
  };
};

function ofThread(of: string | undefined, [kind, id, part]: readonly string[], request: MockRequest, world: World) {
  const conversation = world.conversations.find((one) => String(one.id) === of);
  if (!conversation || kind !== 'messages') return undefined;
  const names = new Map(world.people.map((person) => [person.id, person.name]));
  const newestFirst = conversation.messages.toReversed();
  if (id === undefined)
    return list(newestFirst, (one, after) => one.id < after, messagesMax, messageRow(of!, names), request);
  const message = conversation.messages.find((one) => hex(one.id) === id);
  if (!message || part !== 'original-content') return undefined;
  return { json: { text: message.text, richText: `<div>${message.text}</div>` } };
}

export const hubspotDialect: Dialect = {
  provider: 'hubspot',
  settings: {},
  answer(request, world) {
    const [kind, of, ...rest] = request.parts.slice(3);
    if (!String(request.headers.authorization).startsWith('Bearer ')) return { status: 401, json: { message: 'no' } };
    if (kind === 'threads' && of === undefined) {
      const wanted = request.query.get('archived') === 'true';
      const threads = world.conversations.filter((one) => isArchived(one) === wanted);
      return list(threads, (one, after) => one.id > after, threadsMax, threadRow, request);
    }
    if (kind === 'threads') return ofThread(of, rest, request, world);
    const person = world.people.find(({ id }) => actorOf(id) === of);
    if (kind !== 'actors' || !person) return undefined;
    const type = of!.startsWith('A') ? 'AGENT' : 'VISITOR';
    return { json: { id: of, type, name: person.name, email: `person-${person.id}@example.com` } };
  },
  idsIn: (rows) =>
    (rows as readonly { readonly id: string; readonly conversationsThreadId?: string }[]).flatMap((row) =>
      row.conversationsThreadId === undefined ? [] : [Number.parseInt(row.id, 16)],
    ),
};
