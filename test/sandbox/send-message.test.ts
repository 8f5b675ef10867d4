import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/app.ts';
import demoMessages from '../../src/sandbox/seeds/demo-messages.json' with { type: 'json' };
import { call, direct, importOne, list, nowSeconds, refused, sandboxOf } from './fixture.ts';

let sandbox: Sandbox;

beforeEach(() => {
  sandbox = sandboxOf({ seed: 'demo' });
});

const hello = { receiver: 'bob', receiverType: 'user', data: { text: 'Hello' } };
const send = (body: unknown, onBehalfOf: string | undefined = 'ann') =>
  call(sandbox, 'POST /v3/messages', { body, onBehalfOf });
const sendAsBot = (body: unknown, bot = 'helper') => call(sandbox, `POST /v3/bots/${bot}/messages`, { body });
const lastId = () => Number(list(sandbox, 'affix=prepend&limit=1').json.data[0].id);

describe('a message that is sent', () => {
  it('is answered as it is stored: now, with people and conversation', () => {
    const { status, json } = send({ ...hello, receiver: 'BOB', muid: 'my-own', tags: ['t'] }, 'ANN');
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      muid: 'my-own',
      conversationId: 'ann_user_bob',
      sender: 'ann',
      receiver: 'bob',
      receiverType: 'user',
      category: 'message',
      type: 'text',
      sentAt: nowSeconds,
      updatedAt: nowSeconds,
      tags: ['t'],
      data: {
        text: 'Hello',
        entities: {
          sender: { entity: { uid: 'ann', name: 'Ann Arbor' }, entityType: 'user' },
          receiver: { entity: { uid: 'bob', conversationId: 'ann_user_bob' }, entityType: 'user' },
        },
      },
    });
    expect(list(sandbox, 'affix=prepend&limit=1').json.data).toEqual([json.data]);
  });

  it('needs no muid, and has none that is taken', () => {
    expect(send(hello).json.data).not.toHaveProperty('muid');
    expect(send({ ...hello, muid: 'once' }).status).toBe(200);
    const before = lastId();
    expect(send({ ...hello, muid: 'once' })).toMatchObject(refused('ERR_IMPORT_MUID_ALREADY_EXISTS'));
    expect(sendAsBot({ ...hello, muid: 'once' })).toMatchObject(refused('ERR_IMPORT_MUID_ALREADY_EXISTS'));
    expect(importOne(sandbox, direct('once')).error.code).toBe('ERR_IMPORT_MUID_ALREADY_EXISTS');
    importOne(sandbox, direct('imported'));
    expect(send({ ...hello, muid: 'imported' })).toMatchObject(refused('ERR_IMPORT_MUID_ALREADY_EXISTS'));
    expect(lastId()).toBe(before + 1);
    sandbox.behave({ duplicates: 'stored' });
    expect(send({ ...hello, muid: 'once' }).status).toBe(200);
  });

  it('of a custom category is a text if it names no other type', () => {
    const { json } = send({ ...hello, category: 'custom', data: { customData: { a: 1 } } });
    expect(json.data).toMatchObject({ category: 'custom', type: 'text' });
  });

  it('comes from the app if no sender is named, to people and groups alike', () => {
    const bare = sandboxOf();
    importOne(bare, direct('m1'));
    const { json } = call(bare, 'POST /v3/messages', { body: hello });
    expect(json.data).toMatchObject({ sender: 'app_system', conversationId: 'app_system_user_bob' });
    expect(json.data.data.entities.sender.entity).toMatchObject({ uid: 'app_system', name: 'System' });
    const body = { receiver: 'board', receiverType: 'group', data: { text: 'Maintenance tonight' } };
    expect(call(sandbox, 'POST /v3/messages', { body }).json.data).toMatchObject({ sender: 'app_system' });
  });

  it.each([
    ['a picture', { type: 'image', data: { attachments: [{ url: 'https://example.com/x.png' }] } }],
    ['data of its own', { category: 'custom', type: 'poll', data: { customData: { question: 'Tea?' } } }],
    ['a form', { category: 'interactive', type: 'form', data: demoMessages.at(-1)!.data }],
    ['an unknown member', { data: JSON.parse('{"text":"x","__proto__":{"a":1},"more":[1]}') }],
  ])('may be %s', (_, changes) => {
    const { status, json } = send({ ...hello, ...changes });
    expect(status).toBe(200);
    const { entities, ...data } = json.data.data;
    expect(data).toEqual(changes.data);
    expect(entities.sender.entity.uid).toBe('ann');
  });

  it('cannot bring entities and reactions of its own', () => {
    const { json } = send({ ...hello, data: { text: 'x', entities: { sender: 'forged' }, reactions: [{}] } });
    expect(json.data.data).not.toHaveProperty('reactions');
    expect(json.data.data.entities.sender.entity.uid).toBe('ann');
  });

  it('goes to everybody who is named, once each, and the first is answered', () => {
    const before = lastId();
    const multipleReceivers = { uids: ['bob', 'CLEO', 'cleo'], guids: ['team'] };
    const { json } = send({ ...hello, multipleReceivers, muid: 'to-all' });
    expect(json.data).toMatchObject({ receiver: 'bob', receiverType: 'user', muid: 'to-all' });
    const sent = list(sandbox, `id=${before}`).json.data as { receiver: string; muid?: string }[];
    expect(sent.map(({ receiver }) => receiver)).toEqual(['bob', 'cleo', 'team']);
    expect(sent.map(({ muid }) => muid)).toEqual(['to-all', undefined, undefined]);
    const toMany = send({ multipleReceivers, data: { text: 'x' } });
    expect(toMany.json.data.receiver).toBe('bob');
  });

  it('reaches no receiver if one of them cannot get it', () => {
    const before = lastId();
    const to = (multipleReceivers: object) => send({ multipleReceivers, data: { text: 'x' } });
    expect(to({ uids: ['bob', 'nobody'] })).toMatchObject(refused('ERR_UID_NOT_FOUND'));
    expect(to({ uids: ['bob', 'dan'] })).toMatchObject(refused('ERR_UID_NOT_FOUND'));
    expect(to({ uids: ['bob'], guids: ['nowhere'] })).toMatchObject(refused('ERR_GUID_NOT_FOUND'));
    expect(to({ uids: ['bob', ''] })).toMatchObject(refused('ERR_EMPTY_RECEIVER'));
    expect(to({})).toMatchObject(refused('ERR_EMPTY_RECEIVER'));
    expect(lastId()).toBe(before);
  });
});

const wrongBodies: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
  ['without a receiver', { receiver: undefined }, 'ERR_EMPTY_RECEIVER'],
  ['with an empty receiver', { receiver: '' }, 'ERR_EMPTY_RECEIVER'],
  ['without a kind of receiver', { receiverType: undefined }, 'ERR_INVALID_RECEIVER_TYPE'],
  ['to a channel', { receiverType: 'channel' }, 'ERR_INVALID_RECEIVER_TYPE'],
  ['to nobody', { receiver: 'nobody' }, 'ERR_UID_NOT_FOUND'],
  ['to no group', { receiver: 'nowhere', receiverType: 'group' }, 'ERR_GUID_NOT_FOUND'],
  ['of category action', { category: 'action' }, 'ERR_INVALID_MESSAGE_CATEGORY'],
  ['of type form', { type: 'form' }, 'ERR_INVALID_MESSAGE_TYPE'],
  ['without data', { data: undefined }, 'ERR_INVALID_MESSAGE_DATA'],
  ['with a list as data', { data: [] }, 'ERR_INVALID_MESSAGE_DATA'],
  ['with a number as text', { data: { text: 5 } }, 'ERR_INVALID_MESSAGE_TEXT'],
  ['with a blank text', { data: { text: ' \n' } }, 'ERR_EMPTY_MESSAGE_TEXT'],
  ['of type file without attachments', { type: 'file', data: { text: 'x' } }, 'ERR_EMPTY_MESSAGE_FILE'],
  ['with an attachment without address', { type: 'file', data: { attachments: [{}] } }, 'ERR_INVALID_MEDIA_MESSAGE'],
  ['without custom data', { category: 'custom', type: 'x', data: {} }, 'ERR_EMPTY_CUSTOM_DATA'],
  [
    'with a list as custom data',
    { category: 'custom', type: 'x', data: { customData: [] } },
    'ERR_INVALID_CUSTOM_DATA',
  ],
  ['with a text as metadata', { data: { text: 'x', metadata: 'y' } }, 'ERR_INVALID_METADATA'],
  ['with half a form', { category: 'interactive', type: 'form', data: {} }, 'ERR_INVALID_MESSAGE_DATA'],
  ['with a time', { sentAt: 5 }, 'ERR_BAD_REQUEST'],
  ['with a number as tag', { tags: [5] }, 'ERR_BAD_REQUEST'],
  ['with a space in the muid', { muid: 'a b' }, 'ERR_BAD_REQUEST'],
];

describe.each([
  ['a message of a user', send],
  ['a message of a bot', (body: unknown) => sendAsBot(body)],
])('%s is not sent', (_, sendIt) => {
  it.each(wrongBodies)('%s', (__, changes, code) => {
    const before = lastId();
    const { json, status } = sendIt({ ...hello, ...changes });
    expect({ status, code: json.error.code }).toEqual({ status: expect.any(Number), code });
    expect(json.error.message).toMatch(/./);
    expect(lastId()).toBe(before);
  });

  it.each(['', '{', 'null', '[]', '5'])('of the body %j', (body) => {
    const path = _ === 'a message of a user' ? '/v3/messages' : '/v3/bots/helper/messages';
    const headers = { apikey: 'sandbox-key' };
    expect(sandbox.handle({ method: 'POST', path, headers, body }).status).toBe(400);
  });

  it('nested 100,000 levels deep', () => {
    const headers = { apikey: 'sandbox-key' };
    const body = `{"receiver":"bob","receiverType":"user","data":{"text":"x","deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    expect(sandbox.handle({ method: 'POST', path: '/v3/messages', headers, body }).status).toBe(400);
  });
});

describe('a group', () => {
  const toBoard = { receiver: 'board', receiverType: 'group', data: { text: 'x' } };

  it('is written to by its members, and by bots', () => {
    expect(send(toBoard, 'bob').json.data).toMatchObject({ conversationId: 'group_board' });
    expect(send(toBoard, 'eve')).toMatchObject(refused('ERR_GROUP_NOT_JOINED'));
    expect(sendAsBot(toBoard).json.data).toMatchObject({ sender: 'helper' });
  });
});

describe('a bot', () => {
  it('is one that was made as such', () => {
    expect(sendAsBot(hello, 'ann')).toMatchObject(refused('ERR_BOT_NOT_FOUND'));
    expect(sendAsBot(hello, 'nobody')).toMatchObject(refused('ERR_BOT_NOT_FOUND'));
    expect(sendAsBot(hello, 'HELPER').json.data).toMatchObject({ sender: 'helper', receiver: 'bob' });
  });

  it('is not found while it is deactivated', () => {
    call(sandbox, 'DELETE /v3/users', { body: { uidsToDeactivate: ['helper'] } });
    expect(sendAsBot(hello)).toMatchObject(refused('ERR_BOT_NOT_FOUND'));
  });
});

describe('under the profile hosted', () => {
  it.each([
    ['26 tags', { tags: Array.from({ length: 26 }, String) }],
    ['more than 10 KB of data', { data: { text: 'ä'.repeat(5_200) } }],
  ])('%s are refused', (_, changes) => {
    const body = { ...hello, ...changes };
    const inPublic = sandboxOf({ seed: 'demo', profile: 'hosted' });
    expect(call(inPublic, 'POST /v3/messages', { body })).toMatchObject(refused('ERR_BAD_REQUEST'));
    expect(send(body).status).toBe(200);
  });
});
