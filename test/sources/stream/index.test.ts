import { describe, expect, it } from 'vitest';
import { stream } from '../../../src/sources/stream/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const read = (files: MemoryFiles) => readAll(stream, memoryInput(files));
const channel = { id: 'c', type: 'messaging', cid: 'messaging:c' };
const at = '2026-03-02T09:00:00Z';
const message = (fields: object) => ({
  id: 'm',
  text: 'Hi',
  type: 'regular',
  user: { id: 'ann' },
  created_at: at,
  ...fields,
});
const one = async (fields: object) =>
  messagesOf(await read({ 'a.json': { channel, messages: [message(fields)], members: [] } }))[0]!;

describe('reactions of Stream', () => {
  it.each<[string, object, readonly unknown[]]>([
    [
      'counts beyond who gave them',
      { latest_reactions: [{ type: 'like', user_id: 'bob' }], reaction_counts: { like: 12 } },
      [['👍', 1, 12]],
    ],
    ['groups, where there are no counts', { reaction_groups: { sad: { count: 3 } } }, [['😢', 0, 3]]],
    ['no groups', { reaction_groups: null, reaction_counts: {} }, []],
    [
      'emoji, names of emoji, and names of the app',
      { reaction_counts: { '🎉': 1, tada: 2, gull: 3 } },
      [
        ['🎉', 0, 1],
        ['🎉', 0, 2],
        [':gull:', 0, 3],
      ],
    ],
  ])('have %s', async (_, fields, expected) => {
    const { reactions = [] } = await one(fields);
    expect(reactions.map(({ emoji, users, count }) => [emoji, users.length, count])).toEqual(expected);
  });
});

describe('lines of an export v2', () => {
  it.each<[string, object]>([
    ['by a key', { message: message({ cid: 'messaging:c' }) }],
    ['by a type, with item', { type: 'message', item: message({ cid: 'messaging:c' }) }],
    ['by a type, with data', { type: 'message', data: message({ channel_type: 'messaging', channel_id: 'c' }) }],
    ['by nothing', message({ cid: 'messaging:c' })],
  ])('are wrapped %s', async (_, row) => {
    const entries = await read({ 'a.jsonl': `${JSON.stringify(row)}\n` });
    expect(messagesOf(entries)).toMatchObject([
      { author: 'ann', text: 'Hi', origin: { conversation: 'messaging:c', id: 'm' } },
    ]);
    expect(entries.filter(({ type }) => type === 'problem' || type === 'invalid')).toEqual([]);
  });
});

it('a message visible to one person only is marked so', async () => {
  expect(await one({ restricted_visibility: ['ann'] })).toMatchObject({ custom: { restricted: true } });
  expect(await one({ shadowed: true, silent: true })).toMatchObject({
    custom: { shadowed: true, restricted: true },
  });
  expect((await one({ shadowed: false, pinned: false, pin_expires: null })).custom).toBeUndefined();
});

it.each([
  ['an answer of queryChannels', (channels: readonly object[]) => ({ channels, duration: '12.3ms' })],
  [
    'a list of such answers',
    (channels: readonly object[]) => [{ channels: channels.slice(0, 1) }, { channels: channels.slice(1) }],
  ],
])('%s gives the messages of each channel', async (_, wrap) => {
  const other = { ...channel, id: 'd', cid: 'messaging:d' };
  const channels = [
    { channel, messages: [message({})], members: [] },
    { channel: other, messages: [message({ id: 'n' })], members: [] },
  ];
  const found = messagesOf(await read({ 'answer.json': wrap(channels) }));
  expect(found.map(({ origin }) => origin.conversation)).toEqual(['messaging:c', 'messaging:d']);
});
