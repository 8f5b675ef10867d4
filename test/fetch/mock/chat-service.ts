import type { Dialect } from './mock-provider.ts';

const rowsMax = 100;

export const chatServiceDialect: Dialect = {
  provider: 'chat-service',
  settings: { address: 'https://harbour.chat.example.com' },
  answer({ parts, query }, { conversations }) {
    if (parts.join('/') !== 'v3/messages') return undefined;
    const [after, from] = [Number(query.get('id') ?? 0), Number(query.get('fromTimestamp') ?? 0)];
    const rows = conversations.flatMap((conversation) =>
      conversation.messages.map(({ id, author, text, at }) => ({
        ...{ id: String(id), conversationId: `group_pier-${conversation.id}`, sender: `person-${author}` },
        ...{ receiverType: 'group', receiver: `pier-${conversation.id}`, category: 'message', type: 'text' },
        ...{ data: { text }, sentAt: Math.floor(at / 1000), updatedAt: Math.floor(at / 1000) },
      })),
    );
    const wanted = rows
      .filter(({ id, sentAt }) => Number(id) > after && sentAt >= from)
      .sort((one, other) => Number(one.id) - Number(other.id));
    const data = wanted.slice(0, Math.min(Number(query.get('limit')), rowsMax));
    return { json: { data, meta: { current: { limit: rowsMax, count: data.length } } } };
  },
  idsIn: (rows) => (rows as readonly { readonly id: string }[]).map(({ id }) => Number(id)),
};
