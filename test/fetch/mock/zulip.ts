import type { Dialect, MockRequest } from './mock-provider.ts';
import type { World, WorldConversation, WorldMessage } from './world.ts';

const success = { result: 'success', msg: '' };
const realm = 'harbour';

/** Every third conversation is one of two people, and no stream. */
const isDirect = ({ id }: WorldConversation): boolean => id % 3 === 0;
const personOf = ({ people }: World, id: number) => {
  const { name } = people.find((one) => one.id === id)!;
  return { id, email: `person-${id}@example.com`, full_name: name, is_mirror_dummy: false };
};

/** A person as a server of 2020 describes them, to others and to themselves. */
function personRow({ id, name }: World['people'][number]) {
  const email = `person-${id}@example.com`;
  const about = { user_id: id, full_name: name, email, delivery_email: email, is_bot: false, is_active: true };
  const rights = { is_admin: false, is_owner: false, is_guest: false };
  return {
    ...about,
    ...rights,
    avatar_url: '',
    avatar_version: 1,
    timezone: '',
    date_joined: '2026-01-05T08:00:00+00:00',
  };
}

const streamRow = ({ id, title }: WorldConversation) => ({
  ...{ stream_id: id, name: title, description: '', rendered_description: '', date_created: 1_772_440_000 },
  ...{ invite_only: false, is_web_public: false, history_public_to_subscribers: true },
  ...{ stream_post_policy: 1, message_retention_days: null, first_message_id: null, is_announcement_only: false },
});

function messageRow(world: World, conversation: WorldConversation, { id, author, text, at }: WorldMessage) {
  const person = personOf(world, author);
  const where = isDirect(conversation)
    ? {
        type: 'private',
        display_recipient: conversation.members.map((member) => personOf(world, member)),
        subject: '',
        recipient_id: 9000 + conversation.id,
      }
    : {
        type: 'stream',
        display_recipient: conversation.title,
        stream_id: conversation.id,
        subject: `topic ${id % 4}`,
        recipient_id: 5000 + conversation.id,
      };
  return {
    ...{ id, sender_id: author, sender_full_name: person.full_name, sender_email: person.email },
    ...{ ...where, sender_realm_str: realm, content: text, content_type: 'text/x-markdown' },
    ...{ timestamp: Math.floor(at / 1000), client: 'website', avatar_url: '', is_me_message: false },
    ...{ reactions: [], submessages: [], topic_links: [], flags: ['read'] },
  };
}

/** As a server does it: up to `num_before` messages before the anchor, and the anchor itself, by their ids. */
function messages(world: World, { query }: MockRequest) {
  const [{ operator, operand }] = JSON.parse(query.get('narrow')!) as [{ operator: string; operand: unknown }];
  const isWanted = (one: WorldConversation) =>
    operator === 'stream' ? !isDirect(one) && one.id === operand : operand === 'private' && isDirect(one);
  const rows = world.conversations
    .filter(isWanted)
    .flatMap((conversation) => conversation.messages.map((message) => messageRow(world, conversation, message)))
    .sort((a, b) => a.id - b.id);
  const isNewest = query.get('anchor') === 'newest';
  const anchor = isNewest ? 10_000_000_000_000_000 : Number(query.get('anchor'));
  // Pages of a mock are small, so that a few hundred messages are many.
  const count = Math.min(Number(query.get('num_before')), 60);
  const before = rows.filter(({ id }) => id < anchor);
  const page = [...before.slice(-count), ...rows.filter(({ id }) => id === anchor)];
  const found_oldest = before.length < count;
  const found = {
    found_anchor: page.at(-1)?.id === anchor,
    found_oldest,
    found_newest: isNewest,
    history_limited: false,
  };
  return { json: { ...success, anchor, ...found, messages: page } };
}

export const zulipDialect: Dialect = {
  provider: 'zulip',
  settings: { server: 'https://chat.example.com', email: 'person-1@example.com' },
  answer(request, world) {
    const [, , list, id, kind] = request.parts;
    if (list === 'users' && id === 'me')
      return { json: { ...success, ...personRow(world.people[0]!), max_message_id: 1 } };
    if (list === 'users') return { json: { ...success, members: world.people.map(personRow) } };
    const streams = world.conversations.filter((one) => !isDirect(one));
    if (list === 'messages') return messages(world, request);
    if (list !== 'streams') return undefined;
    if (id === undefined) return { json: { ...success, streams: streams.map(streamRow) } };
    const stream = streams.find((one) => String(one.id) === id);
    return stream && kind === 'members' ? { json: { ...success, subscribers: stream.members } } : undefined;
  },
  idsIn: (rows) =>
    (rows as readonly { readonly id?: number; readonly sender_id?: number }[]).flatMap(({ id, sender_id: sender }) =>
      sender === undefined ? [] : [id!],
    ),
};
