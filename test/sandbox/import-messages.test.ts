import { describe, expect, it } from 'vitest';
import demoMessages from '../../src/sandbox/seeds/demo-messages.json' with { type: 'json' };
import {
  ask,
  call,
  clockAt,
  direct,
  importAll,
  importOne,
  list,
  muidsOf,
  now,
  nowSeconds,
  sandboxOf,
  toGroup,
} from './fixture.ts';

const post = (body: string) => ({ method: 'POST', path: '/v3/data_import/messages', body }) as const;
const daySeconds = 86_400;

describe('an import', () => {
  it('answers each message as it is stored, with people and conversation', () => {
    const answer = importAll(
      sandboxOf(),
      direct('m1', { deliveredAt: 1_700_000_001, readAt: '1700000002', tags: ['t'] }),
    );
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    const user = { role: 'default', status: 'offline', createdAt: nowSeconds, updatedAt: nowSeconds };
    expect(answer.json).toEqual({
      data: {
        m1: {
          success: true,
          data: {
            id: '1',
            muid: 'm1',
            conversationId: 'ann_user_bob',
            sender: 'ann',
            receiverType: 'user',
            receiver: 'bob',
            category: 'message',
            type: 'text',
            data: {
              text: 'text of m1',
              entities: {
                sender: { entity: { uid: 'ann', name: 'Ann', ...user }, entityType: 'user' },
                receiver: {
                  entity: { uid: 'bob', name: 'Bob', ...user, conversationId: 'ann_user_bob' },
                  entityType: 'user',
                },
              },
            },
            sentAt: nowSeconds - 1000,
            deliveredAt: 1_700_000_001,
            readAt: 1_700_000_002,
            tags: ['t'],
            updatedAt: nowSeconds - 1000,
          },
        },
      },
    });
  });

  it('gives ids in the order of the keys', () => {
    const sandbox = sandboxOf();
    const { json } = importAll(sandbox, direct('mz'), direct('ma'), direct('mm'));
    expect(Object.entries<{ data: { id: string } }>(json.data).map(([muid, { data }]) => [muid, data.id])).toEqual([
      ['mz', '1'],
      ['ma', '2'],
      ['mm', '3'],
    ]);
  });

  it('names a direct conversation by its two people in ascending order, whichever of them writes', () => {
    const sandbox = sandboxOf();
    const [ann, bob] = [
      { uid: 'ann', name: 'Ann' },
      { uid: 'bob', name: 'Bob' },
    ];
    importAll(sandbox, direct('m1'));
    const back = { sender: 'bob', receiver: 'ann', senderUserDetails: bob, receiverUserDetails: ann };
    expect(importOne(sandbox, direct('m2', back)).data.conversationId).toBe('ann_user_bob');
  });

  it('distinguishes conversations whose people form the same name', () => {
    const sandbox = sandboxOf();
    const pairs = [
      ['a_user_b', 'c'],
      ['a', 'b_user_c'],
      ['c_user_a', 'b'],
    ] as const;
    const details = (uid: string) => ({ uid, name: uid });
    const between = (muid: string, [sender, receiver]: readonly [string, string]) =>
      direct(muid, {
        ...{ sender, receiver },
        senderUserDetails: details(sender),
        receiverUserDetails: details(receiver),
      });
    const answers = pairs.map((pair, index) => importOne(sandbox, between(`m${index}`, pair)).data.conversationId);
    expect(answers).toEqual(['a_user_b_user_c', 'b_user_c_user_a', 'c_user_a_user_b']);
    const back = pairs.map(([one, other], index) => importOne(sandbox, between(`r${index}`, [other, one])).data);
    expect(back.map(({ conversationId }) => conversationId)).toEqual(answers);
    for (const [index, [one, other]] of pairs.entries()) {
      const muids = [`m${index}`, `r${index}`];
      expect(muidsOf(list(sandbox, `conversationId=${answers[index]}`))).toEqual(muids);
      expect(muidsOf(call(sandbox, `GET /v3/users/${one}/messages`, { onBehalfOf: other }))).toEqual(muids);
    }
    importOne(sandbox, between('g1', ['group_x', 'y']));
    const group = toGroup('g2', { receiver: 'x_user_y', receiverUserDetails: { guid: 'x_user_y', name: 'X' } });
    expect(importOne(sandbox, group).data.conversationId).toBe('group_x_user_y_2');
    call(sandbox, 'DELETE /v3/groups/x_user_y');
    expect(muidsOf(list(sandbox, 'conversationId=group_x_user_y'))).toEqual(['g1']);
    call(sandbox, `DELETE /v3/conversations/${answers[0]}`, { onBehalfOf: 'c' });
    expect(muidsOf(list(sandbox, ''))).toEqual(['m1', 'm2', 'r1', 'r2', 'g1']);
    expect(importOne(sandbox, between('m3', ['a_user_b', 'c'])).data.conversationId).toBe('a_user_b_user_c');
  });

  it('keeps details of people and groups: role, tags, owner and mentioned people', () => {
    const sandbox = sandboxOf();
    const told = { role: 'Guest', tags: ['vip'], lastActiveAt: '1700000000', link: 'https://example.com/ann' };
    const direct_ = importOne(
      sandbox,
      direct('m1', {
        data: { text: 'Ask <@uid:dan>' },
        senderUserDetails: { uid: 'ann', name: 'Ann', ...told },
        receiverUserDetails: { uid: 'bob', name: 'Bob', type: 'public', description: 'D', icon: 'I', owner: 'ann' },
        mentionedUserDetails: { dan: { uid: 'dan', name: 'Dan', tags: ['new'] } },
      }),
    );
    const { sender, receiver } = direct_.data.data.entities;
    expect(sender.entity).toMatchObject({ ...told, role: 'guest', lastActiveAt: 1_700_000_000 });
    expect(receiver.entity).toMatchObject({ type: 'public', description: 'D', icon: 'I', owner: 'ann' });
    const [shown] = list(sandbox, 'mentionsWithTagInfo=true').json.data;
    expect(shown.data.mentions).toMatchObject({ dan: { name: 'Dan', tags: ['new'] } });
    const inGroup = toGroup('m2', {
      senderUserDetails: undefined,
      receiverUserDetails: undefined,
      receiverGroupDetails: { guid: 'g', name: 'G', type: 'password', password: 'p4ss', tags: ['open'] },
      receiverGroupOwnerDetails: { uid: 'Olga', name: 'Olga', role: 'boss' },
    });
    expect(JSON.stringify(importOne(sandbox, inGroup).data)).not.toContain('p4ss');
    const group = call(sandbox, 'GET /v3/groups/g').json.data;
    expect(group).toMatchObject({ owner: 'olga', tags: ['open'], type: 'password' });
    expect(group).not.toHaveProperty('password');
    expect(call(sandbox, 'GET /v3/users/olga/messages').status).toBe(200);
  });

  it('takes a form as the specification shows it, and refuses half of one', () => {
    const form = { category: 'interactive', type: 'form', data: demoMessages.at(-1)!.data };
    const sandbox = sandboxOf();
    const { entities, ...data } = importOne(sandbox, direct('m1', form)).data.data;
    expect(data).toEqual(form.data);
    const half = importOne(sandbox, direct('m2', { ...form, data: { interactiveData: { title: 'T' } } }));
    expect(half).toMatchObject({ success: false, error: { code: 'ERR_INVALID_MESSAGE_DATA' } });
    expect(Object.keys(half.error.details)).toContain('data.interactiveData.formFields');
    for (const type of ['text', undefined]) {
      const { error } = importOne(sandbox, direct('m3', { ...form, type }));
      expect(error.code).toBe('ERR_INVALID_MESSAGE_TYPE');
    }
    const inPublic = importOne(sandboxOf({ profile: 'hosted' }), direct('m1', form));
    expect(inPublic).toMatchObject({ success: false, error: { code: 'ERR_INVALID_MESSAGE_CATEGORY' } });
  });

  it('takes a message to oneself, with details of the sender alone', () => {
    const note = direct('m1', { receiver: 'ann', receiverUserDetails: undefined });
    expect(importOne(sandboxOf(), note).data.conversationId).toBe('ann_user_ann');
  });

  it.each(['receiverUserDetails', 'receiverGroupDetails'])('takes the details of a group in %s', (field) => {
    const details = { guid: 'g', name: 'The group', type: 'private', owner: 'Ann' };
    const answer = importOne(sandboxOf(), toGroup('m1', { receiverUserDetails: undefined, [field]: details }));
    expect(answer.data.conversationId).toBe('group_g');
    expect(answer.data.data.entities.receiver).toMatchObject({
      entityType: 'group',
      entity: {
        guid: 'g',
        name: 'The group',
        type: 'private',
        owner: 'ann',
        membersCount: 1,
        conversationId: 'group_g',
      },
    });
  });

  it('forces ids to lower case', () => {
    const answer = importOne(sandboxOf(), direct('m1', { sender: 'ANN', receiver: 'Bob' }));
    expect(answer.data).toMatchObject({ sender: 'ann', receiver: 'bob', conversationId: 'ann_user_bob' });
  });

  it('needs details only until people and groups are known', () => {
    const sandbox = sandboxOf();
    importAll(sandbox, direct('m1'), toGroup('m2'));
    const bare = { senderUserDetails: undefined, receiverUserDetails: undefined };
    const { json } = importAll(sandbox, direct('m3', bare), toGroup('m4', bare));
    expect(json.data).toMatchObject({ m3: { success: true }, m4: { success: true } });
    expect(json.data.m3.data.data.entities.sender.entity.name).toBe('Ann');
  });

  it('changes people and groups by the fields that later details give, and keeps the others', () => {
    const sandbox = sandboxOf({ clock: clockAt(now) });
    importAll(
      sandbox,
      direct('m1', { senderUserDetails: { uid: 'ann', name: 'Ann', avatar: 'https://example.com/a' } }),
    );
    const changed = importOne(sandbox, direct('m2', { senderUserDetails: { uid: 'ann', name: 'Ann B.' } }));
    expect(changed.data.data.entities.sender.entity).toMatchObject({ name: 'Ann B.', avatar: 'https://example.com/a' });
    expect(list(sandbox, 'conversationId=ann_user_bob').json.data[0].data.entities.sender.entity.name).toBe('Ann B.');
  });

  it('makes a category and a type of none', () => {
    const answer = importOne(sandboxOf(), direct('m1', { category: undefined, type: undefined }));
    expect(answer.data).toMatchObject({ category: 'message', type: 'text' });
  });

  it('stores keys of data that it does not know, and fills in entities itself', () => {
    const data = JSON.parse('{"text":"x","metad2ata":{"a":[1]},"__proto__":{"b":2},"entities":{"sender":"forged"}}');
    const answer = importOne(sandboxOf(), direct('m1', { data }));
    expect(Object.keys(answer.data.data)).toEqual(['text', 'metad2ata', '__proto__', 'entities']);
    expect(answer.data.data.entities.sender.entity.uid).toBe('ann');
  });

  it('gives text back as it came, whatever is in it', () => {
    const text = '\u0000"\\/\u2028😀\u202e half a pair: \ud83d, NFD: e\u0301\r\n';
    expect(importOne(sandboxOf(), direct('m1', { data: { text } })).data.data.text).toBe(text);
  });

  it.each([
    ['image', 'message', { attachments: [{ url: 'https://example.com/x.png' }] }],
    ['audio', 'message', { text: 'listen', attachments: [{ url: 'https://example.com/x.ogg', size: '350.2' }] }],
    ['anything', 'custom', { customData: { a: 1 } }],
    ['anything', 'custom', { custodata: { a: 1 } }],
  ])('takes the type %s of category %s', (type, category, data) => {
    expect(importOne(sandboxOf(), direct('m1', { type, category, data }))).toMatchObject({ success: true });
  });
});

describe('an import is turned down as a whole', () => {
  it.each([
    ['that is no JSON', '{"messages":', 'ERR_BAD_REQUEST'],
    ['without a body', '', 'ERR_BAD_REQUEST'],
    ['without messages', '{}', 'ERR_IMPORT_INVALID_MESSAGE_FORMAT'],
    ['whose messages are a list', '{"messages":[]}', 'ERR_IMPORT_INVALID_MESSAGE_FORMAT'],
    ['whose messages are null', '{"messages":null}', 'ERR_IMPORT_INVALID_MESSAGE_FORMAT'],
    ['that is a list', '[]', 'ERR_IMPORT_INVALID_MESSAGE_FORMAT'],
    ['with no message', '{"messages":{}}', 'ERR_BAD_REQUEST'],
  ])('%s', (_, body, code) => {
    expect(ask(sandboxOf(), post(body))).toMatchObject({ status: 400, json: { error: { code } } });
  });

  it('with more than 50 messages, and nothing is stored', () => {
    const sandbox = sandboxOf();
    const messages = Array.from({ length: 51 }, (_, index) => direct(`m${index}`));
    expect(importAll(sandbox, ...messages)).toMatchObject({
      status: 400,
      json: { error: { code: 'ERR_BAD_REQUEST', details: { messages: ['expected 1 to 50, found 51'] } } },
    });
    expect(list(sandbox, '').json.data).toEqual([]);
    expect(importAll(sandbox, ...messages.slice(1)).status).toBe(200);
  });
});

describe('a custom message', () => {
  it.each([
    { text: 'x' },
    { metadata: { poll: 7 } },
    { attachments: [{ url: 'https://example.com/a.png' }] },
    { custodata: { poll: 7 } },
    { customData: { poll: 7 } },
  ])('is imported with %j: the specification requires no member of its data', (data) => {
    const item = direct('m1', { category: 'custom', type: 'poll', data });
    expect(importOne(sandboxOf(), item)).toMatchObject({ success: true, data: { data } });
  });

  it('needs customData in the profile of the hosted service', () => {
    const item = direct('m1', { category: 'custom', type: 'poll', data: { text: 'x' }, sentAt: nowSeconds });
    expect(importOne(sandboxOf({ profile: 'hosted' }), item)).toMatchObject({
      success: false,
      error: { code: 'ERR_EMPTY_CUSTOM_DATA' },
    });
  });
});

describe('a message is refused, and the others are not,', () => {
  const far = 1_700_000_000_000;
  it.each<[string, Record<string, unknown>, string]>([
    ['with a blank text', { data: { text: ' \n' } }, 'ERR_EMPTY_MESSAGE_TEXT'],
    ['without a text', { data: {} }, 'ERR_EMPTY_MESSAGE_TEXT'],
    ['without data', { data: undefined }, 'ERR_EMPTY_MESSAGE_TEXT'],
    ['with a list as data', { data: [] }, 'ERR_INVALID_MESSAGE_DATA'],
    ['with a number as text', { data: { text: 5 } }, 'ERR_INVALID_MESSAGE_TEXT'],
    ['with a text as metadata', { data: { text: 'x', metadata: 'y' } }, 'ERR_INVALID_METADATA'],
    ['with attachments without address', { data: { attachments: [{ name: 'x' }] } }, 'ERR_INVALID_MEDIA_MESSAGE'],
    ['of type image without attachments', { type: 'image', data: { text: 'x' } }, 'ERR_EMPTY_MESSAGE_FILE'],
    ['of category custom without data', { category: 'custom', type: 'x', data: {} }, 'ERR_EMPTY_CUSTOM_DATA'],
    ['of category action', { category: 'action' }, 'ERR_INVALID_MESSAGE_CATEGORY'],
    ['of type form', { type: 'form' }, 'ERR_INVALID_MESSAGE_TYPE'],
    ['without a muid', { muid: undefined }, 'ERR_BAD_REQUEST'],
    ['with another muid than its key', { muid: 'm9' }, 'ERR_BAD_REQUEST'],
    ['without a sender', { sender: undefined }, 'ERR_BAD_REQUEST'],
    ['with a space in the sender', { sender: 'an n' }, 'ERR_BAD_REQUEST'],
    ['with 101 characters as receiver', { receiver: 'b'.repeat(101) }, 'ERR_BAD_REQUEST'],
    ['without a receiver', { receiver: undefined }, 'ERR_EMPTY_RECEIVER'],
    ['with an empty receiver', { receiver: '' }, 'ERR_EMPTY_RECEIVER'],
    ['to a channel', { receiverType: 'channel' }, 'ERR_INVALID_RECEIVER_TYPE'],
    ['without a time', { sentAt: undefined }, 'ERR_BAD_REQUEST'],
    ['with milliseconds', { sentAt: far }, 'ERR_BAD_REQUEST'],
    ['with milliseconds as a string', { sentAt: String(far) }, 'ERR_BAD_REQUEST'],
    ['with a fraction of a second', { sentAt: 1_700_000_000.5 }, 'ERR_BAD_REQUEST'],
    ['with a time before 1970', { sentAt: -1 }, 'ERR_BAD_REQUEST'],
    ['with a date as time', { sentAt: '2026-11-21' }, 'ERR_BAD_REQUEST'],
    ['with a number as tag', { tags: [5] }, 'ERR_BAD_REQUEST'],
    ['with details of another sender', { senderUserDetails: { uid: 'eve', name: 'Eve' } }, 'ERR_BAD_REQUEST'],
    ['with details of another receiver', { receiverUserDetails: { uid: 'eve', name: 'Eve' } }, 'ERR_BAD_REQUEST'],
    ['with details without a name', { senderUserDetails: { uid: 'ann' } }, 'ERR_BAD_REQUEST'],
    ['from somebody unknown', { sender: 'eve', senderUserDetails: undefined }, 'ERR_UID_NOT_FOUND'],
    ['to somebody unknown', { receiver: 'eve', receiverUserDetails: undefined }, 'ERR_UID_NOT_FOUND'],
    [
      'to an unknown group',
      { receiverType: 'group', receiver: 'nowhere', receiverUserDetails: undefined },
      'ERR_GUID_NOT_FOUND',
    ],
  ])('%s', (_, changes, code) => {
    const sandbox = sandboxOf();
    const messages = { m1: { ...direct('m1'), ...changes }, m2: direct('m2') };
    const { status, json } = ask(sandbox, post(JSON.stringify({ messages })));
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      m1: { success: false, error: { code, message: expect.stringMatching(/./) } },
      m2: { success: true },
    });
    expect(muidsOf(list(sandbox, ''))).toEqual(['m2']);
  });

  it('that is no object', () => {
    const { json } = ask(sandboxOf(), post('{"messages":{"m1":"x"}}'));
    expect(json.data.m1).toMatchObject({ success: false, error: { code: 'ERR_IMPORT_INVALID_MESSAGE_FORMAT' } });
  });

  it.each([65, 100_000])('that is nested %i levels deep', (depth) => {
    const sandbox = sandboxOf();
    // The message and its data are two of the levels.
    const nested = `${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}`;
    const deep = JSON.stringify(direct('m1')).replace('"text of m1"', `"x","deep":${nested}`);
    const { json } = ask(sandbox, post(`{"messages":{"m1":${deep},"m2":${JSON.stringify(direct('m2'))}}}`));
    expect(json.data.m1).toMatchObject({ success: false, error: { code: 'ERR_INVALID_MESSAGE_DATA' } });
    expect(muidsOf(list(sandbox, 'searchKey=text'))).toEqual(['m2']);
  });

  it('naming the fields that are wrong', () => {
    const { error } = importOne(sandboxOf(), direct('m1', { sentAt: 'x', tags: 'y' }));
    expect(Object.keys(error.details)).toEqual(['sentAt', 'tags']);
  });

  it('without remains: its people are not stored', () => {
    const sandbox = sandboxOf();
    importAll(sandbox, direct('m1', { receiver: 'eve', receiverUserDetails: undefined }));
    const error = importOne(sandbox, direct('m2', { senderUserDetails: undefined })).error;
    expect(error.code).toBe('ERR_UID_NOT_FOUND');
  });
});

describe('a muid that is there already', () => {
  it('is refused, in the same request as well as later, and the first message stays', () => {
    const sandbox = sandboxOf();
    importAll(sandbox, direct('m1'));
    const again = importOne(sandbox, direct('m1', { data: { text: 'other words' } }));
    expect(again).toMatchObject({ success: false, error: { code: 'ERR_IMPORT_MUID_ALREADY_EXISTS' } });
    expect(list(sandbox, '').json.data).toMatchObject([{ muid: 'm1', data: { text: 'text of m1' } }]);
  });

  it('is stored again if the sandbox is set so', () => {
    const sandbox = sandboxOf({ duplicates: 'stored' });
    importAll(sandbox, direct('m1'));
    expect(importOne(sandbox, direct('m1'))).toMatchObject({ success: true, data: { id: '2' } });
    expect(muidsOf(list(sandbox, ''))).toEqual(['m1', 'm1']);
  });
});

describe('under the profile hosted', () => {
  const inPublic = () => sandboxOf({ profile: 'hosted' });

  it.each<[string, Record<string, unknown>, string]>([
    ['26 tags', { tags: Array.from({ length: 26 }, String) }, 'ERR_BAD_REQUEST'],
    ['a tag of 101 characters', { tags: ['t'.repeat(101)] }, 'ERR_BAD_REQUEST'],
    ['more than 10 KB of data', { data: { text: 'ä'.repeat(5_200) } }, 'ERR_BAD_REQUEST'],
    ['a name of 101 characters', { senderUserDetails: { uid: 'ann', name: 'A'.repeat(101) } }, 'ERR_BAD_REQUEST'],
    ['an age of 184 days', { sentAt: nowSeconds - 184 * daySeconds }, 'ERR_EXCEPTION'],
  ])('%s is refused', (_, changes, code) => {
    expect(importOne(inPublic(), direct('m1', changes))).toMatchObject({ success: false, error: { code } });
    expect(importOne(sandboxOf(), direct('m1', changes))).toMatchObject({ success: true });
  });

  it.each<[string, Record<string, unknown>]>([
    ['25 tags of 100 characters', { tags: Array.from({ length: 25 }, (_, n) => `${n}`.padEnd(100, 't')) }],
    ['10 KB of data', { data: { text: 'x'.repeat(10_240 - '{"text":""}'.length) } }],
    ['an age of 183 days', { sentAt: nowSeconds - 183 * daySeconds }],
    ['a time to come', { sentAt: nowSeconds + daySeconds }],
  ])('%s is taken', (_, changes) => {
    expect(importOne(inPublic(), direct('m1', changes))).toMatchObject({ success: true });
  });

  it('whole messages of more than 65,536 characters are refused', () => {
    const huge = { receiverUserDetails: { uid: 'bob', name: 'Bob', metadata: { x: 'x'.repeat(65_536) } } };
    expect(importOne(inPublic(), direct('m1', huge))).toMatchObject({ error: { code: 'ERR_BAD_REQUEST' } });
  });

  it('61 requests in a minute are one too many, and the next minute is new', () => {
    const clock = clockAt(now + 15_000);
    const sandbox = sandboxOf({ profile: 'hosted', clock });
    const answers = Array.from({ length: 61 }, (_, index) => importAll(sandbox, direct(`m${index}`)));
    expect(answers[0]).toMatchObject({ status: 200, headers: { 'x-rate-limit': '60', 'x-ratelimit-remaining': '59' } });
    expect(answers[59]).toMatchObject({ status: 200, headers: { 'x-rate-limit-remaining': '0' } });
    expect(answers[60]).toMatchObject({
      status: 429,
      headers: { 'retry-after': '45', 'x-rate-limit-reset': String(nowSeconds + 60), 'x-ratelimit-limit': '60' },
      json: { error: { code: 'ERR_TOO_MANY_REQUESTS', message: 'Too many requests, retry after 45 seconds' } },
    });
    expect(list(sandbox, '').status).toBe(200);
    clock.ms += 45_000;
    expect(importAll(sandbox, direct('m60')).status).toBe(200);
  });
});

describe('a blank message, if the sandbox aborts at bad rows,', () => {
  it('fails the whole request with 500 after the good ones were stored', () => {
    const sandbox = sandboxOf({ badRows: 'abort' });
    const answer = importAll(sandbox, direct('m1'), direct('m2', { data: { text: '' } }), direct('m3'));
    expect(answer).toMatchObject({ status: 500, json: { error: { code: 'ERR_EXCEPTION' } } });
    expect(muidsOf(list(sandbox, ''))).toEqual(['m1', 'm3']);
  });
});
