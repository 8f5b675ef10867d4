import { type Dialect, type MockAnswer, type MockRequest, pageOf } from './mock-provider.ts';
import type { World, WorldConversation, WorldMessage } from './world.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const person = (id: number) => ({ _id: `person${id}`, username: `person.${id}` });
/** The most rows that a server gives, whatever is asked for. */
const countMax = 60;

const kinds = [
  { t: 'd', prefix: 'im', list: 'ims' },
  { t: 'c', prefix: 'channels', list: 'channels' },
  { t: 'p', prefix: 'groups', list: 'groups' },
] as const;
const kindOf = ({ id }: WorldConversation) => kinds[id % 3]!;
const countOf = ({ query }: MockRequest, most: number) => Math.min(Number(query.get('count') ?? 50), most);

function list(name: string, rows: readonly object[], request: MockRequest): MockAnswer {
  const offset = Number(request.query.get('offset') ?? 0);
  const { page } = pageOf(rows, offset, countOf(request, 100));
  return { json: { [name]: page, count: page.length, offset, total: rows.length, success: true } };
}

const messageRow = ({ id }: WorldConversation, message: WorldMessage) => ({
  ...{ _id: `m${message.id}`, rid: `room${id}`, msg: message.text, ts: iso(message.at), u: person(message.author) },
  ...{ urls: [], mentions: [], channels: [], md: [], _updatedAt: iso(message.at) },
});

/** Latest first, before `latest`, or also at its time. */
function history(conversation: WorldConversation, request: MockRequest): MockAnswer {
  const latest = Date.parse(request.query.get('latest') ?? '2999-01-01T00:00:00.000Z');
  const oldest = Date.parse(request.query.get('oldest') ?? '1970-01-01T00:00:00.000Z');
  const isInclusive = request.query.get('inclusive') === 'true';
  const isIn = (at: number) => (isInclusive ? at >= oldest && at <= latest : at > oldest && at < latest);
  const rows = conversation.messages.filter(({ at }) => isIn(at)).toReversed();
  const messages = rows.slice(0, countOf(request, countMax)).map((message) => messageRow(conversation, message));
  return { json: { messages, success: true } };
}

function answer(request: MockRequest, { people, conversations }: World): MockAnswer | undefined {
  if (request.headers['x-auth-token'] === undefined || request.headers['x-user-id'] !== 'admin')
    return { status: 401, json: { status: 'error', message: 'You must be logged in to do this.' } };
  const [prefix, verb] = request.parts[2]!.split('.');
  if (prefix === 'users') {
    const more = { type: 'user', active: true, roles: ['user'], status: 'offline' };
    return list(
      'users',
      people.map(({ id, name }) => ({ ...person(id), name, ...more })),
      request,
    );
  }
  const kind = kinds.find((one) => one.prefix === prefix);
  if (verb === 'list') {
    const rooms = conversations.filter((conversation) => kindOf(conversation) === kind);
    const row = (conversation: WorldConversation) => ({
      ...{ _id: `room${conversation.id}`, t: kind!.t, msgs: conversation.messages.length, ts: iso(1_772_440_000_000) },
      ...(kind!.t === 'd' ? { uids: conversation.members.map((id) => `person${id}`) } : { name: conversation.title }),
      usersCount: conversation.members.length,
      lm: iso(conversation.messages.at(-1)?.at ?? 1_772_440_000_000),
    });
    return list(kind!.list, rooms.map(row), request);
  }
  const found = conversations.find(({ id }) => `room${id}` === request.query.get('roomId'));
  if (!found || kindOf(found) !== kind)
    return { status: 400, json: { success: false, error: '[error-room-not-found]' } };
  if (verb === 'members')
    return list(
      'members',
      found.members.map((id) => ({ ...person(id), status: 'offline' })),
      request,
    );
  return verb === 'history' ? history(found, request) : undefined;
}

export const rocketchatDialect: Dialect = {
  provider: 'rocketchat',
  settings: { address: 'https://chat.example.com', user: 'admin' },
  answer,
  idsIn: (rows) =>
    (rows as readonly { readonly _id: string }[]).flatMap(({ _id: id }) =>
      /^m\d/.test(id) ? [Number(id.slice(1))] : [],
    ),
};
