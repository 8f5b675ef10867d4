import { type Dialect, type MockAnswer, type MockRequest, pageOf } from './mock-provider.ts';
import type { World, WorldConversation, WorldMessage } from './world.ts';

const objectId = (kind: string, number: number) => kind + number.toString(16).padStart(24 - kind.length, '0');
const secondsOf = ({ at }: WorldMessage) => Math.floor(at / 1000);
const dialogOf = ({ id }: WorldConversation) => objectId('d1a', id);

function list(rows: readonly object[], { query }: MockRequest): MockAnswer {
  const [skip, limit] = [Number(query.get('skip') ?? 0), Math.min(Number(query.get('limit') ?? 100), 100)];
  return { json: { total_entries: rows.length, skip, limit, items: pageOf(rows, skip, limit).page } };
}

const messageRow = (conversation: WorldConversation, message: WorldMessage) => ({
  ...{
    _id: objectId('5c0', message.id),
    chat_dialog_id: dialogOf(conversation),
    message: message.text,
    attachments: [],
  },
  ...{ date_sent: secondsOf(message), sender_id: message.author, read_ids: [], delivered_ids: [], read: 0 },
  ...{ created_at: new Date(message.at).toISOString(), updated_at: new Date(message.at).toISOString() },
});

const dialogRow = (conversation: WorldConversation) => {
  const last = conversation.messages.at(-1);
  return {
    ...{
      _id: dialogOf(conversation),
      type: 2,
      name: conversation.title,
      occupants_ids: conversation.members,
      user_id: 1,
    },
    ...{ photo: null, created_at: '2026-03-01T08:00:00Z', xmpp_room_jid: '1_d1@muc.chat.quickblox.com', data: null },
    ...{ last_message: last?.text ?? null, last_message_id: last ? objectId('5c0', last.id) : null },
    last_message_date_sent: last ? secondsOf(last) : null,
  };
};

function answer(request: MockRequest, { people, conversations }: World): MockAnswer | undefined {
  const { query, parts, headers } = request;
  if (headers['qb-token'] === undefined) return { status: 401, json: { errors: ['Token is required'] } };
  if (parts[0] === 'users.json') {
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 10)];
    const rows = people.map(({ id, name }) => ({
      user: {
        id,
        full_name: name,
        login: `login-${id}`,
        email: null,
        blob_id: null,
        created_at: '2026-03-01T08:00:00Z',
      },
    }));
    const items = pageOf(rows, (page - 1) * size, size).page;
    return { json: { current_page: page, per_page: size, total_entries: rows.length, items } };
  }
  if (parts[1] === 'Dialog.json') return list(conversations.map(dialogRow), request);
  const found = conversations.find((conversation) => dialogOf(conversation) === query.get('chat_dialog_id'));
  if (parts[1] !== 'Message.json' || !found || query.get('mark_as_read') !== '0') return undefined;
  const from = Number(query.get('date_sent[gte]') ?? 0);
  const rows = found.messages
    .filter((message) => secondsOf(message) >= from)
    .map((message) => messageRow(found, message));
  return list(query.get('sort_asc') === 'date_sent' ? rows : rows.toReversed(), request);
}

export const quickbloxDialect: Dialect = {
  provider: 'quickblox',
  settings: { address: 'https://api.quickblox.com' },
  answer,
  idsIn: (rows) =>
    (rows as readonly { readonly _id?: string }[]).flatMap(({ _id: id }) =>
      id?.startsWith('5c0') ? [Number.parseInt(id.slice(3), 16)] : [],
    ),
};
