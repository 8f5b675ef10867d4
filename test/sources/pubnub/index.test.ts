import { describe, expect, it } from 'vitest';
import { pubnub } from '../../../src/sources/pubnub/index.ts';
import { textWithMentions } from '../../../src/sources/pubnub/text.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const read = (files: MemoryFiles, options: object = {}) => readAll(pubnub, memoryInput(files), {}, options);
const row = { message: { type: 'text', text: 'Hi' }, timetoken: '17724429000000001', uuid: 'ann', message_type: 0 };
const one = async (fields: object, options: object = {}) =>
  messagesOf(await read({ 'a.json': { channels: { c: [{ ...row, ...fields }] } } }, options))[0]!;
describe('an edit of a message of PubNub', () => {
  const edited = (value: string) => ({ edited: { [value]: [{ uuid: 'ann', actionTimetoken: '17724429000000009' }] } });

  it('is its text, also if the message was encrypted', async () => {
    expect(await one({ message: 'UE5FRAFBQ1JI', actions: edited('Hi there') })).toMatchObject({
      text: 'Hi there',
      lost: undefined,
    });
  });

  it('that is encrypted itself is no text', async () => {
    for (const message of ['UE5FRAFBQ1JI', { type: 'text', text: 'Hi' }])
      expect(await one({ message, actions: edited('UE5FRAFBQ1JJ') })).toMatchObject({
        text: 'Encrypted message',
        lost: { encrypted: 1 },
      });
  });
});

describe('reports and moderation of PubNub', () => {
  const report = { type: 'report', text: 'Hi', reason: 'spam', reportedUserId: 'bo' };

  it('are for moderators, in any channel', async () => {
    expect(await one({ message: report })).toMatchObject({ internal: 'note', systemEvent: 'report' });
    const restriction = { type: 'moderation', channelId: 'c', restriction: 'muted' };
    expect(await one({ message: restriction })).toMatchObject({ internal: 'note', systemEvent: 'moderation' });
  });

  it.each(['PUBNUB_INTERNAL_MODERATION_c', 'PUBNUB_INTERNAL_MODERATION.bo', 'PUBNUB_INTERNAL_ADMIN_CHANNEL'])(
    'are for moderators, whatever is written in %s',
    async (channel) => {
      const [message] = messagesOf(await read({ 'a.json': { channels: { [channel]: [row] } } }));
      expect(message).toMatchObject({ text: 'Hi', internal: 'note' });
    },
  );
});

const codesIn = async (files: MemoryFiles, options: object = {}) =>
  (await read(files, options)).flatMap((entry) =>
    entry.type === 'invalid' || entry.type === 'problem' ? [entry.code] : [],
  );

describe('a message of PubNub', () => {
  it('has every digit of its timetoken, also if it is a number', async () => {
    const text = '{"channels":{"c":[{"message":"Hi","timetoken":17724429000000001,"uuid":"ann"}]}}';
    const [message] = messagesOf(await read({ 'a.json': text }));
    expect(message).toMatchObject({ origin: { id: '17724429000000001' }, sentAtMs: 1772442900000 });
  });

  it('has the text of its newest edit, whatever the order of the edits', async () => {
    const by = (actionTimetoken: string) => [{ uuid: 'ann', actionTimetoken }];
    const edited = { New: by('17724429500000000'), Newest: by('17724429900000000'), Old: by('17724429100000000') };
    expect(await one({ actions: { edited } })).toMatchObject({ text: 'Newest', edited: { atMs: 1772442990000 } });
    expect(await one({ actions: { updated: edited } }, { edits: 'updated' })).toMatchObject({ text: 'Newest' });
  });

  it('of another type of action keeps its text, and the action', async () => {
    const actions = { updated: { New: [{ uuid: 'ann', actionTimetoken: '17724429500000000' }] } };
    expect(await one({ actions })).toMatchObject({ text: 'Hi', custom: { actions } });
    expect(await codesIn({ 'a.json': { channels: { c: [{ ...row, actions }] } } })).toEqual(['pubnub-other-actions']);
  });

  it('in a thread has an id that no other thread has', async () => {
    const thread = (root: string) => `PUBNUB_INTERNAL_THREAD_a_b_${root}`;
    const roots = ['17724428000000001', '17724428000000002'];
    const channels = Object.fromEntries(roots.map((root) => [thread(root), [row]]));
    const messages = messagesOf(await read({ 'a.json': { channels } }));
    expect(messages.map(({ origin, threadRoot }) => [origin.conversation, origin.id, threadRoot])).toEqual(
      roots.map((root) => ['a_b', `${root}-17724429000000001`, root]),
    );
  });

  it('that is data of the app is invalid until its text is named', async () => {
    const message = { words: 'Hi', colour: 'blue' };
    expect(await codesIn({ 'a.json': { channels: { c: [{ ...row, message }] } } })).toEqual(['pubnub-unknown-content']);
    expect(await one({ message }, { text: 'words' })).toMatchObject({
      text: 'Hi',
      custom: { message: { colour: 'blue' } },
    });
  });

  it('of the older History is invalid until its channel is named', async () => {
    const files = { 'h.json': [[{ message: 'Hi', timetoken: '17724429000000001' }], '17724429000000001', '0'] };
    expect(await codesIn(files)).toEqual(['pubnub-no-channel']);
    const [message] = messagesOf(await read(files, { channels: { 'h.json': 'harbour' } }));
    expect(message).toMatchObject({ text: 'Hi', origin: { conversation: 'harbour' } });
  });

  it('that reports another one to moderators has no text', async () => {
    const report = { type: 'report', reason: 'rude', text: undefined, reportedUserId: 'bo' };
    expect(await one({ message: report })).toMatchObject({ text: '', systemEvent: 'report' });
  });
});

describe('textWithMentions()', () => {
  it.each([
    ['Hi [Bo Lind](pn-user://bo), see [#pier](pn-channel://p1)', 'Hi @Bo Lind, see #pier', ['bo']],
    ['Hi [@Bo](pn-user://b\\(o\\))', 'Hi @Bo', ['b(o)']],
    ['[a page](https://example.com)', '[a page](https://example.com)', []],
  ])('reads %s', (text, shown, mentions) => {
    expect(textWithMentions(text)).toEqual({ text: shown, mentions });
  });
});

it('older messages that "more" promises may be in any file', async () => {
  const answer = (timetoken: string, more?: object) => ({
    channels: { c: [{ ...row, timetoken }] },
    ...(more && { more }),
  });
  const more = { url: '/v3', start: '17724429000000001', max: 25 };
  const first = { 'a.json': answer('17724429000000001', more) };
  expect(await codesIn(first)).toEqual(['export-is-partial']);
  expect(await codesIn({ ...first, 'b.json': answer('17724428000000001') })).toEqual([]);
});

it('an answer without messages is known, and ignored', async () => {
  const files = {
    'c-1.json': { channels: { c: [row] } },
    'c-2.json': { status: 200, error: false, error_message: '', channels: {} },
    'd-1.json': { status: 200, channels: { d: [] } },
  };
  const roles = (await read(files)).flatMap((entry) => (entry.type === 'file' ? [`${entry.path} ${entry.role}`] : []));
  expect(roles.toSorted()).toEqual(['c-1.json rows', 'c-2.json skipped', 'd-1.json skipped']);
});

it('a member whose row names its channel needs no name of the user', async () => {
  const member = { channel: 'c', uuid: { id: 'ann' }, updated: '2026-03-01T08:00:02Z', eTag: 'Aa' };
  const channel = {
    id: 'c',
    name: 'Crew',
    description: null,
    custom: null,
    updated: '2026-03-01T08:00:02Z',
    eTag: 'Ab',
  };
  const entries = await read({ 'members.ndjson': `${JSON.stringify(member)}\n`, 'channels.json': { data: [channel] } });
  const records = entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));
  expect(records).toContainEqual(expect.objectContaining({ kind: 'conversation', id: 'c', members: ['ann'] }));
  expect(entries.filter(({ type }) => type === 'problem')).toEqual([]);
});

it('answers of PubNub on lines are read, with the channels that are keys', async () => {
  const lines = ['c', 'd'].map((channel) => JSON.stringify({ channels: { [channel]: [row] } })).join('\n');
  const messages = messagesOf(await read({ 'a.ndjson': lines }));
  expect(messages.map(({ origin }) => origin.conversation)).toEqual(['c', 'd']);
});
