import type { Dialect } from './mock-provider.ts';
import { account, iso, list, service, sid } from './twilio.ts';
import type { WorldConversation, WorldMessage } from './world.ts';

const common = { account_sid: account, service_sid: service, attributes: '{}' };
const madeAt = { date_created: iso(1_772_440_000_000), date_updated: iso(1_772_440_000_000) };
const url = 'https://chat.twilio.com/x';

const channelRow = ({ id, title, members, messages }: WorldConversation) => ({
  ...{ ...common, ...madeAt, sid: sid('CH', id), friendly_name: title, unique_name: null, type: 'private' },
  ...{ created_by: 'system', members_count: members.length, messages_count: messages.length, url, links: {} },
});

const messageRow = ({ id }: WorldConversation, message: WorldMessage, index: number) => ({
  ...{ ...common, sid: sid('IM', message.id), channel_sid: sid('CH', id), to: sid('CH', id), index, type: 'text' },
  ...{ from: `person-${message.author}`, body: message.text, media: null, was_edited: false, last_updated_by: null },
  ...{ date_created: iso(message.at), date_updated: iso(message.at), url },
});

export const twilioChatDialect: Dialect = {
  provider: 'twilio-chat',
  settings: { account },
  answer(request, { people, conversations }) {
    const [version, services, , kind, channel, of] = request.parts;
    if (version !== 'v2' || services !== 'Services') return undefined;
    if (kind === undefined)
      return list('services', [{ ...common, ...madeAt, sid: service, friendly_name: 'Default' }], request);
    if (kind === 'Users') {
      const row = ({ id, name }: (typeof people)[number]) => ({
        ...{ ...common, ...madeAt, sid: sid('US', id), identity: `person-${id}`, friendly_name: name, role_sid: null },
      });
      return list('users', people.map(row), request);
    }
    if (channel === undefined) return list('channels', conversations.map(channelRow), request);
    const conversation = conversations.find(({ id }) => sid('CH', id) === channel);
    if (!conversation) return undefined;
    if (of === 'Messages') {
      const rows = conversation.messages.map((message, index) => messageRow(conversation, message, index));
      return list('messages', request.query.get('Order') === 'desc' ? rows.toReversed() : rows, request);
    }
    const memberRow = (member: number) => ({
      ...{ ...common, ...madeAt, sid: sid('MB', conversation.id * 100 + member), channel_sid: channel },
      ...{ identity: `person-${member}`, role_sid: null, last_consumed_message_index: null },
    });
    return list('members', conversation.members.map(memberRow), request);
  },
  idsIn: (rows) =>
    (rows as readonly { readonly sid: string }[]).flatMap(({ sid: own }) =>
      own.startsWith('IM') ? [Number.parseInt(own.slice(2), 16)] : [],
    ),
};
