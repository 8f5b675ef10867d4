import type { Dialect, MockAnswer, MockRequest } from './mock-provider.ts';
import type { World, WorldConversation, WorldMessage } from './world.ts';

const guild = '1480000000000000001';
/** Messages have larger ids than everything else. */
const bases = {
  channel: 1_480_000_000_000_001_000n,
  user: 310_000_000_000_000_000n,
  message: 1_490_000_000_000_000_000n,
};
const idOf = (kind: keyof typeof bases, number: number) => String(bases[kind] + BigInt(number));
const iso = (ms: number) => new Date(ms).toISOString().replace('Z', '000+00:00');

/** The first conversation is a channel; of the others some are its threads, as Discord lists them. */
function kindOf({ id }: WorldConversation): 'channel' | 'active' | 'public' | 'private' {
  return id === 1 ? 'channel' : (['public', 'channel', 'active', 'private'] as const)[id % 4]!;
}

const userRow = (id: number) => ({
  ...{ id: idOf('user', id), username: `person${id}`, discriminator: '0', global_name: `Person ${id}`, avatar: null },
  ...{ public_flags: 0, flags: 0, primary_guild: null },
});

const memberRow = ({ id }: World['people'][number]) => ({
  ...{ user: userRow(id), nick: null, avatar: null, banner: null, roles: [], joined_at: iso(1_700_000_000_000) },
  ...{ premium_since: null, communication_disabled_until: null, flags: 0, pending: false, mute: false, deaf: false },
});

const channelRow = ({ id, title }: WorldConversation) => ({
  ...{ id: idOf('channel', id), type: 0, guild_id: guild, name: title, position: id, flags: 0, parent_id: null },
});

const threadRow = (conversation: WorldConversation) => ({
  ...channelRow(conversation),
  ...{ type: kindOf(conversation) === 'private' ? 12 : 11, parent_id: idOf('channel', 1), owner_id: idOf('user', 1) },
  ...{ message_count: 1, member_count: 1, total_message_sent: 1 },
  thread_metadata: {
    ...{ archived: kindOf(conversation) !== 'active', auto_archive_duration: 60, locked: false },
    archive_timestamp: iso(Math.max(1_772_500_000_000, conversation.messages.at(-1)?.at ?? 0) + conversation.id * 1000),
  },
});

const messageRow = (conversation: WorldConversation) => (message: WorldMessage) => ({
  ...{ type: 0, id: idOf('message', message.id), channel_id: idOf('channel', conversation.id), content: message.text },
  ...{ author: userRow(message.author), timestamp: iso(message.at), edited_timestamp: null, pinned: false, tts: false },
  ...{
    flags: 0,
    mentions: [],
    mention_roles: [],
    mention_everyone: false,
    attachments: [],
    embeds: [],
    components: [],
  },
});

const everyone = {
  ...{ id: guild, name: '@everyone', permissions: '0', position: 0, color: 0, hoist: false, managed: false },
  ...{ mentionable: false, icon: null, unicode_emoji: null, flags: 0 },
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
};

const sizeOf = ({ query }: MockRequest, max: number) => Math.min(Number(query.get('limit') ?? max), max);

/** Rows behind the id that a request names. */
function behind<Row>(rows: readonly Row[], request: MockRequest, key: (row: Row) => string, max: number): MockAnswer {
  const after = BigInt(request.query.get('after') ?? 0);
  return { json: rows.filter((row) => BigInt(key(row)) > after).slice(0, sizeOf(request, max)) };
}

/** The latest archived first, two on a page. */
function archived(request: MockRequest, conversations: readonly WorldConversation[], kind: string): MockAnswer {
  const before = request.query.get('before') ?? '9';
  const rows = conversations.filter((one) => kindOf(one) === kind).map(threadRow);
  const older = rows
    .filter((row) => row.thread_metadata.archive_timestamp < before)
    .toSorted((a, b) => (a.thread_metadata.archive_timestamp < b.thread_metadata.archive_timestamp ? 1 : -1));
  const threads = older.slice(0, Math.min(sizeOf(request, 100), 2));
  return { json: { threads, members: [], has_more: threads.length < older.length } };
}

function history(request: MockRequest, conversation: WorldConversation): MockAnswer {
  const before = BigInt(request.query.get('before') ?? idOf('message', 1_000_000));
  const older = conversation.messages.filter(({ id }) => BigInt(idOf('message', id)) < before).toReversed();
  const headers = { 'x-ratelimit-remaining': '4', 'x-ratelimit-reset-after': '0.25' };
  return { headers, json: older.slice(0, sizeOf(request, 100)).map(messageRow(conversation)) };
}

const forbidden: MockAnswer = { status: 403, json: { message: 'Missing Access', code: 50_001 } };

export const discordDialect: Dialect = {
  provider: 'discord',
  settings: {},
  answer(request, { people, conversations }) {
    const { parts, headers } = request;
    if (!String(headers.authorization).startsWith('Bot '))
      return { status: 401, json: { message: '401: Unauthorized' } };
    const [of, id, kind, state, visibility] = parts.slice(2);
    if (of === 'users') {
      const guilds = [
        { id: guild, name: 'Pier', icon: null, banner: null, owner: false, permissions: '0', features: [] },
      ];
      return behind(guilds, request, (row) => row.id, 200);
    }
    const inGuild = conversations.filter((one) => kindOf(one) === 'channel');
    const active = conversations.filter((one) => kindOf(one) === 'active');
    if (of === 'guilds' && kind === 'roles') return { json: [everyone] };
    if (of === 'guilds' && kind === 'channels') return { json: inGuild.map(channelRow) };
    if (of === 'guilds' && kind === 'threads')
      return { json: { threads: active.map(threadRow), members: [], has_more: false } };
    if (of === 'guilds') return behind(people.map(memberRow), request, ({ user }) => user.id, 1000);
    const conversation = conversations.find((one) => idOf('channel', one.id) === id);
    if (of !== 'channels' || !conversation) return forbidden;
    if (kind === 'messages') return history(request, conversation);
    const isFirst = conversation.id === 1;
    return state === 'archived' ? archived(request, isFirst ? conversations : [], visibility!) : undefined;
  },
  idsIn: (rows) =>
    (rows as readonly { readonly id: string; readonly channel_id?: string }[]).flatMap((row) =>
      row.channel_id === undefined ? [] : [Number(BigInt(row.id) - bases.message)],
    ),
};
