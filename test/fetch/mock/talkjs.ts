import type { Dialect, MockRequest } from './mock-provider.ts';
import type { WorldConversation, WorldMessage } from './world.ts';

const createdAt = 1_772_440_000_000;

/** Rows behind the one whose id is `startingAfter`; a limit above the largest is cut. */
function list(rows: readonly { readonly id: string }[], { query }: MockRequest, limitMax: number) {
  const after = query.get('startingAfter');
  const from = after === null ? 0 : 1 + rows.findIndex(({ id }) => id === after);
  return { json: { data: rows.slice(from, from + Math.min(Number(query.get('limit') ?? 10), limitMax)) } };
}

const messageRow = ({ id }: WorldConversation, message: WorldMessage) => ({
  ...{ id: `msg_${message.id}`, conversationId: `harbour/${id}`, type: 'UserMessage', origin: 'web' },
  ...{ senderId: `person-${message.author}`, text: message.text, createdAt: message.at, editedAt: null },
  ...{ content: [{ type: 'text', children: [message.text] }], attachment: null, location: null },
  ...{ readBy: [], referencedMessageId: null, custom: {}, reactions: {} },
});

const conversationRow = (conversation: WorldConversation) => ({
  ...{ id: `harbour/${conversation.id}`, subject: conversation.title, topicId: null, photoUrl: null },
  ...{ welcomeMessages: null, custom: {}, createdAt: createdAt + conversation.id },
  participants: Object.fromEntries(
    conversation.members.map((member) => [`person-${member}`, { access: 'ReadWrite', notify: true }]),
  ),
  lastMessage: conversation.messages.map((message) => messageRow(conversation, message)).at(-1) ?? null,
});

export const talkjsDialect: Dialect = {
  provider: 'talkjs',
  settings: { app: 'tHarbour7' },
  answer(request, { people, conversations }) {
    const [version, app, kind, id, inside] = request.parts;
    if (version !== 'v1' || app !== 'tHarbour7') return undefined;
    if (kind === 'users') {
      const rows = people.map((person) => ({
        ...{ id: `person-${person.id}`, name: person.name, email: null, phone: null, photoUrl: null, role: null },
        ...{ locale: null, welcomeMessage: null, availabilityText: null, custom: {}, pushTokens: null, createdAt },
      }));
      return list(rows, request, 100);
    }
    if (kind !== 'conversations') return undefined;
    if (id === undefined) {
      const isCreation = request.query.get('orderBy') === 'createdAt' && request.query.get('orderDirection') === 'ASC';
      const activity = (conversation: WorldConversation) => conversation.messages.at(-1)?.id ?? 0;
      const ordered = isCreation ? conversations : conversations.toSorted((a, b) => activity(b) - activity(a));
      return list(ordered.map(conversationRow), request, 30);
    }
    const conversation = conversations.find((one) => `harbour/${one.id}` === id);
    if (!conversation || inside !== 'messages') return undefined;
    return list(conversation.messages.map((message) => messageRow(conversation, message)).toReversed(), request, 100);
  },
  idsIn: (rows) =>
    (rows as readonly { readonly id: string }[]).flatMap(({ id }) =>
      id.startsWith('msg_') ? [Number(id.slice(4))] : [],
    ),
};
