import { type Dialect, type MockRequest, pageOf } from './mock-provider.ts';
import type { WorldConversation, WorldMessage } from './world.ts';

export const account = `AC${'a'.repeat(32)}`;
export const service = `IS${'b'.repeat(32)}`;
export const sid = (kind: string, number: number) => kind + number.toString(16).padStart(32, '0');
export const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
const common = { account_sid: account, chat_service_sid: service, attributes: '{}' };

export function list(name: string, items: readonly object[], { query, base, parts }: MockRequest) {
  const { page, next } = pageOf(items, Number(query.get('PageToken') ?? 0), Number(query.get('PageSize') ?? 50));
  const address = `${base}/${parts.join('/')}?PageSize=${query.get('PageSize')}`;
  const next_page_url =
    next === undefined ? null : `${address}&Order=${query.get('Order') ?? 'asc'}&Page=1&PageToken=${next}`;
  const meta = {
    page: 0,
    page_size: 100,
    first_page_url: address,
    previous_page_url: null,
    url: address,
    next_page_url,
    key: name,
  };
  return { json: { meta, [name]: page } };
}

const conversationRow = ({ id, title }: WorldConversation) => ({
  ...{ ...common, sid: sid('CH', id), friendly_name: title, unique_name: null, state: 'active', bindings: null },
  ...{
    date_created: iso(1_772_440_000_000),
    date_updated: iso(1_772_440_000_000),
    messaging_service_sid: null,
    timers: null,
  },
  ...{ url: 'https://conversations.twilio.com/x', links: {} },
});

const messageRow = ({ id }: WorldConversation, message: WorldMessage, index: number) => ({
  ...{
    ...common,
    sid: sid('IM', message.id),
    conversation_sid: sid('CH', id),
    index,
    author: `person-${message.author}`,
  },
  ...{ body: message.text, media: null, participant_sid: null, date_created: iso(message.at), date_updated: null },
  ...{ delivery: null, content_sid: null, url: 'https://conversations.twilio.com/x', links: {} },
});

export const twilioDialect: Dialect = {
  provider: 'twilio',
  settings: { account },
  answer(request, { people, conversations }) {
    const [, , of, , kind] = request.parts.slice(1);
    const lists = request.parts.slice(2);
    if (request.parts[1] !== 'Services') return undefined;
    if (lists.length === 0) return list('services', [{ ...common, sid: service, friendly_name: 'Default' }], request);
    if (lists[1] === 'Users') {
      const rows = people.map(({ id, name }) => ({
        ...common,
        sid: sid('US', id),
        identity: `person-${id}`,
        friendly_name: name,
      }));
      return list('users', rows, request);
    }
    if (of === 'Conversations' && lists.length === 2)
      return list('conversations', conversations.map(conversationRow), request);
    const conversation = conversations.find(({ id }) => sid('CH', id) === lists[2]);
    if (!conversation) return undefined;
    if (kind === 'Participants') {
      const row = (member: number) => ({
        ...{ ...common, sid: sid('MB', conversation.id * 100 + member), conversation_sid: sid('CH', conversation.id) },
        ...{ identity: `person-${member}`, messaging_binding: null },
      });
      return list('participants', conversation.members.map(row), request);
    }
    const rows = conversation.messages.map((message, index) => messageRow(conversation, message, index));
    return list('messages', request.query.get('Order') === 'desc' ? rows.toReversed() : rows, request);
  },
  idsIn: (rows) =>
    (rows as readonly { readonly sid: string }[]).flatMap(({ sid: own }) =>
      own.startsWith('IM') ? [Number.parseInt(own.slice(2), 16)] : [],
    ),
};
