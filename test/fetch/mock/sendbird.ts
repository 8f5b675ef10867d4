import { type Dialect, type MockRequest, pageOf } from './mock-provider.ts';
import type { WorldConversation, WorldMessage, WorldPerson } from './world.ts';

/** Channels with even numbers are open ones. */
const isOpen = ({ id }: WorldConversation) => id % 2 === 0;
const urlOf = (conversation: WorldConversation) =>
  `sendbird_${isOpen(conversation) ? 'open' : 'group'}_channel_${conversation.id}`;

const personOf = ({ id, name }: WorldPerson) => ({
  ...{ user_id: `person-${id}`, nickname: name, profile_url: '', is_active: true, metadata: {} },
});

const channelRow = (conversation: WorldConversation) => ({
  ...{ channel_url: urlOf(conversation), name: conversation.title, cover_url: '', data: '', custom_type: '' },
  ...{ created_at: 1_772_440_000, freeze: false, is_ephemeral: false, metadata: {} },
  ...(isOpen(conversation)
    ? { participant_count: conversation.members.length, operators: [] }
    : { member_count: conversation.members.length, is_distinct: false, is_public: false, is_super: false }),
});

/** Several messages have the same millisecond. */
const timeOf = ({ at }: WorldMessage) => Math.floor(at / 10_000) * 10_000;

const messageRow = (conversation: WorldConversation, message: WorldMessage) => ({
  ...{ type: 'MESG', message_id: message.id, message: message.text, data: '', custom_type: '', translations: {} },
  ...{ channel_url: urlOf(conversation), channel_type: isOpen(conversation) ? 'open' : 'group' },
  ...{ created_at: timeOf(message), updated_at: 0, is_removed: false, silent: false, mentioned_users: [] },
  user: { user_id: `person-${message.author}`, nickname: `Person ${message.author}`, profile_url: '' },
});

function list(name: string, rows: readonly object[], { query }: MockRequest) {
  const { page, next } = pageOf(rows, Number(query.get('token') ?? 0), Number(query.get('limit') ?? 10));
  return { json: { [name]: page, next: next === undefined ? '' : String(next) } };
}

/** Ids have 17 digits. A page is longer than was asked for if the last of its messages has the time of others. */
function messagesOf({ query }: MockRequest, conversation: WorldConversation) {
  const from = Number(query.get('message_ts'));
  const isFrom = query.get('include') !== 'false';
  const found = conversation.messages.filter(
    (message) => timeOf(message) > from || (isFrom && timeOf(message) === from),
  );
  const size = Number(query.get('next_limit') ?? 15);
  if (size > 200) return { status: 400, json: { error: true, code: 400_110, message: '"next_limit" must be less.' } };
  const last = found[size - 1];
  const messages = found.filter((message, index) => index < size || timeOf(message) === timeOf(last!));
  const text = JSON.stringify({ messages: messages.map((message) => messageRow(conversation, message)) });
  return {
    json: text.replaceAll(/"message_id":(\d+)/g, (_, id: string) => `"message_id":9${id.padStart(16, '0')}`),
  };
}

export const sendbirdDialect: Dialect = {
  provider: 'sendbird',
  settings: { app: 'ABCD1234-0000-4000-8000-ABCD12345678' },
  answer(request, { people, conversations }) {
    const [kind, url, of] = request.parts.slice(1);
    if (request.headers['api-token'] === undefined) return { status: 400, json: { error: true, code: 400_401 } };
    if (kind === 'users') return list('users', people.map(personOf), request);
    const ofKind = conversations.filter((one) => isOpen(one) === (kind === 'open_channels'));
    if (url === undefined) {
      // Channels without a message are left out, unless they are asked for.
      const isAll = kind === 'open_channels' || request.query.get('show_empty') === 'true';
      const shown = ofKind.filter(({ messages }) => isAll || messages.length > 0);
      return list('channels', shown.toReversed().map(channelRow), request);
    }
    const conversation = ofKind.find((one) => urlOf(one) === url);
    if (!conversation) return undefined;
    if (of === 'messages') return messagesOf(request, conversation);
    const members = people.filter(({ id }) => conversation.members.includes(id));
    return list(
      'members',
      members.map((one) => ({ ...personOf(one), state: 'joined', role: '' })),
      request,
    );
  },
  idsIn: (rows) =>
    (rows as readonly Partial<ReturnType<typeof messageRow>>[]).flatMap(({ message_id, message }) =>
      message_id === undefined ? [] : Number(/^Message (\d+) /.exec(message!)![1]),
    ),
};
