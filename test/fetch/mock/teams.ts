import { type Dialect, type MockRequest, pageOf } from './mock-provider.ts';
import type { World, WorldConversation, WorldMessage } from './world.ts';

const guid = (kind: string, number: number) => `${kind.repeat(8)}-0000-4000-8000-${String(number).padStart(12, '0')}`;
const team = guid('b', 1);
/** Ids of messages are times; those of a world begin here. */
const firstId = 1_772_442_000_000;
const iso = (ms: number) => new Date(ms).toISOString();

/** Every third conversation is a channel: of its messages, each fourth begins a thread. */
const isChannel = ({ id }: WorldConversation): boolean => id % 3 === 0;
const idOf = (conversation: WorldConversation) =>
  `19:${'c'.repeat(8)}${conversation.id}@thread.${isChannel(conversation) ? 'tacv2' : 'v2'}`;

/** One channel of each kind. */
const kindOf = ({ id }: WorldConversation) => (id === 3 ? 'standard' : id % 2 === 0 ? 'private' : 'shared');

function list(items: readonly object[], { query, base, parts }: MockRequest) {
  // Pages of a mock are small, so that a few hundred messages are many.
  const size = Math.min(Number(query.get('$top') ?? 20), 20);
  const { page, next } = pageOf(items, Number(query.get('$skiptoken') ?? 0), size);
  const more = new URLSearchParams([...query].filter(([name]) => name !== '$skiptoken'));
  const link = `${base}/${parts.map(encodeURIComponent).join('/')}?${more}&$skiptoken=${next}`;
  return { json: { '@odata.context': 'x', ...(next !== undefined && { '@odata.nextLink': link }), value: page } };
}

const chatRow = (conversation: WorldConversation) => ({
  ...{ id: idOf(conversation), topic: conversation.title, chatType: 'group', tenantId: 't', webUrl: null },
  ...{ createdDateTime: iso(firstId - 1000), lastUpdatedDateTime: iso(firstId - 1000), onlineMeetingInfo: null },
});

const channelRow = (conversation: WorldConversation) => ({
  ...{ id: idOf(conversation), displayName: conversation.title, description: null, email: '', tenantId: 't' },
  ...{
    createdDateTime: iso(firstId - 1000),
    membershipType: kindOf(conversation),
    isFavoriteByDefault: null,
    webUrl: null,
  },
});

const memberRow = (world: World, where: string) => (member: number) => ({
  ...{ '@odata.type': '#microsoft.graph.aadUserConversationMember', roles: [], userId: guid('a', member) },
  ...{ id: Buffer.from(`${where}##${guid('a', member)}`).toString('base64'), visibleHistoryStartDateTime: null },
  ...{ displayName: world.people.find(({ id }) => id === member)?.name, email: `person-${member}@example.com` },
});

function messageRow(world: World, conversation: WorldConversation, message: WorldMessage, root?: WorldMessage) {
  const { id, author, text, at } = message;
  const name = world.people.find((one) => one.id === author)!.name;
  const where = isChannel(conversation)
    ? { chatId: null, channelIdentity: { teamId: team, channelId: idOf(conversation) } }
    : { chatId: idOf(conversation), channelIdentity: null };
  return {
    ...{ id: String(firstId + id), replyToId: root ? String(firstId + root.id) : null, etag: String(firstId + id) },
    ...{ ...where, messageType: 'message', createdDateTime: iso(at), lastModifiedDateTime: iso(at) },
    ...{ lastEditedDateTime: null, deletedDateTime: null, subject: null, summary: null, importance: 'normal' },
    ...{ locale: 'en-us', webUrl: null, policyViolation: null, eventDetail: null },
    from: { application: null, device: null, user: { id: guid('a', author), displayName: name } },
    body: { contentType: 'text', content: text },
    ...{ attachments: [], mentions: [], reactions: [], messageHistory: [] },
  };
}

/** Messages that begin threads with their answers, the last changed thread first. */
function threadsOf({ messages }: WorldConversation) {
  const threads: { readonly root: WorldMessage; readonly replies: WorldMessage[] }[] = [];
  for (const [index, message] of messages.entries()) {
    // An answer goes to one of the threads, whether it is an old or a new one.
    if (index % 4 === 0) threads.push({ root: message, replies: [] });
    else threads[message.id % threads.length]!.replies.push(message);
  }
  const changed = ({ root, replies }: (typeof threads)[number]) => replies.at(-1)?.id ?? root.id;
  return threads.sort((a, b) => changed(b) - changed(a));
}

/** @param repliesMax Answers that a message has in it; the others are behind an address. */
export function teamsDialectWith(repliesMax: number): Dialect {
  function messagesOf(world: World, conversation: WorldConversation, request: MockRequest) {
    const { query, base } = request;
    if (!isChannel(conversation)) {
      const key = query.get('$orderby') === 'lastModifiedDateTime desc' ? 'lastModifiedDateTime' : 'createdDateTime';
      const rows = conversation.messages.map((message) => messageRow(world, conversation, message));
      return list(
        rows.toSorted((a, b) => Date.parse(b[key]) - Date.parse(a[key])),
        request,
      );
    }
    const path = `${base}/v1.0/teams/${team}/channels/${encodeURIComponent(idOf(conversation))}/messages`;
    const rows = threadsOf(conversation).map(({ root, replies }) => {
      const all = replies.map((reply) => messageRow(world, conversation, reply, root)).toReversed();
      const more = `${path}/${firstId + root.id}/replies?$skiptoken=${repliesMax}`;
      return {
        ...messageRow(world, conversation, root),
        ...(query.get('$expand') === 'replies' && {
          'replies@odata.context': 'x',
          replies: all.slice(0, repliesMax),
          ...(all.length > repliesMax && { 'replies@odata.nextLink': more }),
        }),
      };
    });
    return list(rows, request);
  }

  return {
    provider: 'teams',
    settings: {},
    answer(request, world) {
      const [, first, id, kind, channel, what, message] = request.parts;
      const channels = world.conversations.filter(isChannel);
      const chats = world.conversations.filter((one) => !isChannel(one));
      const about = { id: team, displayName: 'Harbour', description: '', isArchived: false };
      if (first === 'me') return list([{ ...about, visibility: null }], request);
      if (first === 'chats' && id === undefined) return list(chats.map(chatRow), request);
      const chat = first === 'chats' ? chats.find((one) => idOf(one) === id) : undefined;
      if (chat && kind === 'members') return list(chat.members.map(memberRow(world, idOf(chat))), request);
      if (chat && kind === 'messages') return messagesOf(world, chat, request);
      if (first !== 'teams' || id !== team) return undefined;
      if (kind === undefined) return { json: { ...about, visibility: 'public' } };
      if (kind === 'members')
        return list(
          world.people.map((one) => memberRow(world, team)(one.id)),
          request,
        );
      if (channel === undefined) return list(channels.map(channelRow), request);
      const found = channels.find((one) => idOf(one) === channel);
      if (found && what === 'members') return list(found.members.map(memberRow(world, idOf(found))), request);
      if (!found || what !== 'messages') return undefined;
      if (message === undefined) return messagesOf(world, found, request);
      const thread = threadsOf(found).find(({ root }) => String(firstId + root.id) === message);
      const replies = thread?.replies.map((reply) => messageRow(world, found, reply, thread.root)).toReversed();
      return replies && list(replies, request);
    },
    idsIn: (rows) =>
      (rows as readonly TeamsRow[])
        .flatMap((row) => [row, ...(row.replies ?? [])])
        .flatMap(({ id, messageType: type }) => (type === undefined ? [] : [Number(id) - firstId])),
  };
}

interface TeamsRow {
  readonly id: string;
  readonly messageType?: string;
  readonly replies?: readonly TeamsRow[];
}

export const teamsDialect: Dialect = teamsDialectWith(1000);
