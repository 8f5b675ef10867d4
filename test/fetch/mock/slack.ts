import { type Dialect, type MockAnswer, type MockRequest, pageOf } from './mock-provider.ts';
import type { World, WorldConversation, WorldMessage } from './world.ts';

const team = 'T00000001';
const idOf = (kind: string, number: number) => kind + String(number).padStart(8, '0');
/** Unique in its conversation, as the real ones: the id is in the fraction. */
const tsOf = ({ at, id }: WorldMessage) => `${at / 1000}.${String(id).padStart(6, '0')}`;

/** Every second message answers the first one of its conversation. */
const isReply = (index: number) => index % 2 === 1;

/** Slack gives an app that is distributed outside of its Marketplace so many messages at once, whatever it asks for. */
const messagesMax = 15;

const refused = (error: string): MockAnswer => ({ json: { ok: false, error } });

function page(name: string, items: readonly unknown[], { query }: MockRequest, max = 200) {
  const size = Math.min(Number(query.get('limit') ?? 100), max);
  const found = pageOf(items, Number(query.get('cursor')?.slice(5) ?? 0), size);
  return answerOf(name, found.page, found.next === undefined ? '' : `next:${found.next}`);
}

const answerOf = (name: string, items: readonly unknown[], cursor: string) => ({
  json: { ok: true, [name]: items, response_metadata: { next_cursor: cursor } },
});

const nobody = { value: '', creator: '', last_set: 0 };
const conversationRow = ({ id, title }: WorldConversation) => ({
  ...{ id: idOf('C', id), name: title.toLowerCase().replace(' ', '-'), name_normalized: title, creator: idOf('U', 1) },
  ...{
    created: 1_700_000_000,
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: id % 2 === 0,
  },
  ...{
    is_archived: false,
    is_general: id === 1,
    is_shared: false,
    is_org_shared: false,
    topic: nobody,
    purpose: nobody,
  },
});

const userRow = ({ id, name }: World['people'][number]) => ({
  ...{ id: idOf('U', id), team_id: team, name: `person${id}`, is_bot: false, is_app_user: false, updated: 1 },
  ...{ profile: { ...profile, real_name: name, real_name_normalized: name } },
});
const profile = { avatar_hash: 'g0', status_text: '', status_emoji: '', display_name: '', display_name_normalized: '' };

function usersPage(people: World['people'], request: MockRequest): MockAnswer {
  const { json } = page('members', people.map(userRow), request);
  return { json: { ...json, cache_ts: 1 } };
}

function threadOf({ messages }: WorldConversation) {
  const [root] = messages;
  const rows = messages.map((message, index) => ({
    ...{ type: 'message', user: idOf('U', message.author), text: message.text, ts: tsOf(message) },
    ...(root && isReply(index) && { thread_ts: tsOf(root), parent_user_id: idOf('U', root.author) }),
  }));
  const replies = rows.filter((_, index) => isReply(index));
  const [first, ...others] = rows.filter((_, index) => !isReply(index));
  const thread = replies.length > 0 && {
    ...{ thread_ts: first?.ts, reply_count: replies.length, latest_reply: replies.at(-1)?.ts, subscribed: false },
  };
  return { replies, history: first ? [{ ...first, ...thread }, ...others] : [] };
}

/** The newest first, and a cursor that names a time: what comes later moves nothing. */
function history({ query }: MockRequest, rows: readonly { readonly ts: string }[]) {
  const before = query.get('cursor')?.slice(8) ?? '9';
  const older = rows.filter(({ ts }) => ts < before).toReversed();
  const found = older.slice(0, Math.min(Number(query.get('limit')), messagesMax));
  const hasMore = found.length < older.length;
  const { json } = answerOf('messages', found, hasMore ? `next_ts:${found.at(-1)!.ts}` : '');
  return { json: { ...json, has_more: hasMore, pin_count: 0, channel_actions_ts: null, channel_actions_count: 0 } };
}

function replies(request: MockRequest, conversation: WorldConversation): MockAnswer {
  const thread = threadOf(conversation);
  const root = thread.history.find(({ ts }) => ts === request.query.get('ts'));
  if (!root) return refused('thread_not_found');
  const { json } = page('messages', [root, ...thread.replies], request, messagesMax);
  return { json: { ...json, has_more: json.response_metadata.next_cursor !== '' } };
}

export const slackDialect: Dialect = {
  provider: 'slack',
  settings: {},
  answer(request, { people, conversations }) {
    const { parts, query, headers } = request;
    if (!String(headers.authorization).startsWith('Bearer ')) return refused('not_authed');
    if (parts[0] !== 'api') return undefined;
    if (parts[1] === 'users.list') return usersPage(people, request);
    if (parts[1] === 'conversations.list') return page('channels', conversations.map(conversationRow), request);
    const conversation = conversations.find(({ id }) => idOf('C', id) === query.get('channel'));
    if (!conversation) return refused('channel_not_found');
    const members = conversation.members.map((id) => idOf('U', id));
    if (parts[1] === 'conversations.members') return page('members', members, request);
    if (parts[1] === 'conversations.history') return history(request, threadOf(conversation).history);
    return parts[1] === 'conversations.replies' ? replies(request, conversation) : undefined;
  },
  idsIn: (rows) =>
    (rows as readonly { readonly ts?: string }[]).flatMap(({ ts }) =>
      ts === undefined ? [] : [Number(ts.split('.')[1])],
    ),
};
