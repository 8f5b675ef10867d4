import { type Dialect, type MockAnswer, type MockRequest, pageOf } from './mock-provider.ts';
import type { World, WorldMessage } from './world.ts';

const subscribeKey = 'sub-c-50264475-1902-558c-d213-719052012001';
const channelOf = (id: number) => `harbour crew ${id}`;
/** 17 digits, unique in a channel: two messages of one second differ in their last digits. */
const tokenOf = ({ id, at }: WorldMessage) => `${at}${String(id % 10_000).padStart(4, '0')}`;

/** A list of App Context. `next` is there as long as there were rows, and behind the last row it leads to an empty page. */
function list(rows: readonly object[], { query }: MockRequest): MockAnswer {
  const from = Number(query.get('start') ?? 0);
  const { page } = pageOf(rows, from, Math.min(Number(query.get('limit') ?? 100), 100));
  const count = query.get('count') === 'true' ? { totalCount: rows.length } : {};
  return { json: { status: 200, data: page, ...(page.length > 0 && { next: String(from + page.length) }), ...count } };
}

/** `start` is exclusive, `end` inclusive; the latest messages of the range, the oldest of them first. */
function history(channel: string, messages: readonly WorldMessage[], { query }: MockRequest): MockAnswer {
  const [start, end] = [query.get('start') ?? '9'.repeat(17), query.get('end') ?? '0'];
  const rows = messages
    .map((message) => ({
      message: { type: 'text', text: message.text },
      timetoken: tokenOf(message),
      ...{ uuid: `person-${message.author}`, message_type: 0, custom_message_type: '', meta: '' },
      ...(message.id % 7 === 0 && {
        actions: { reaction: { wave: [{ uuid: 'person-1', actionTimetoken: '17724430000000000' }] } },
      }),
    }))
    .filter(({ timetoken }) => BigInt(timetoken) < BigInt(start) && BigInt(timetoken) >= BigInt(end));
  // Every third answer was cut by a limit of the server, and says so.
  const isCut = rows.length % 3 === 0;
  const page = rows.slice(-(isCut ? 10 : Math.min(Number(query.get('max')), 25)));
  const more = isCut && page.length < rows.length && { more: { url: '/v3/x', start: page[0]!.timetoken, max: 25 } };
  const channels = page.length === 0 ? {} : { [encodeURIComponent(channel)]: page };
  return { json: { status: 200, error: false, error_message: '', channels, ...more } };
}

const changed = { updated: '2026-03-01T08:00:02.123Z', eTag: 'CcG95Ab' };

function answer(request: MockRequest, { people, conversations }: World): MockAnswer | undefined {
  if (request.query.get('auth') === null) return { status: 403, json: { message: 'Forbidden' } };
  const { parts } = request;
  const found = conversations.find(({ id }) => channelOf(id) === parts[parts[0] === 'v3' ? 5 : 4]);
  if (parts[0] === 'v3') return history(parts[5]!, found?.messages ?? [], request);
  if (parts[3] === 'uuids') {
    const more = { externalId: null, profileUrl: null, email: null, custom: null, type: null, status: null };
    return list(
      people.map(({ id, name }) => ({ id: `person-${id}`, name, ...more, ...changed })),
      request,
    );
  }
  if (parts.length === 4) {
    const more = { description: null, custom: null, type: 'group', status: null };
    return list(
      conversations.map(({ id, title }) => ({ id: channelOf(id), name: title, ...more, ...changed })),
      request,
    );
  }
  return (
    found &&
    list(
      found.members.map((member) => ({ uuid: { id: `person-${member}` }, custom: null, ...changed })),
      request,
    )
  );
}

export const pubnubDialect: Dialect = {
  provider: 'pubnub',
  settings: { subscribeKey },
  answer,
  idsIn: (rows) =>
    (rows as readonly { readonly message?: { readonly text: string } }[]).flatMap(({ message }) =>
      message ? [Number(/\d+/.exec(message.text)![0])] : [],
    ),
};

/** One channel of it. */
export const pubnubChannelDialect: Dialect = {
  ...pubnubDialect,
  provider: 'pubnub-channel',
  settings: { subscribeKey, channel: channelOf(1) },
};
