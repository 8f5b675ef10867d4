import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { instagram, messenger } from '../../../src/sources/meta/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const messagesOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));
const conversationsOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'conversation' ? [entry.record] : []));
const sourceOf = async (files: MemoryFiles) =>
  (await detectSource(memoryInput(files, 'export'))).map(({ adapter }) => adapter.name);

const atMs = 1_530_000_000_000;
const participants = [{ name: 'Ines' }, { name: 'Tom' }];

describe('threads until 2019', () => {
  it.each([
    ['timestamp_ms', atMs],
    ['timestamp', atMs / 1000],
  ])('message.json is a whole thread, with times as %s', async (key, time) => {
    const path = 'messages/inbox/Tom_abc/message.json';
    const messages = [{ sender_name: 'Tom', [key]: time, content: 'Hi', type: 'Generic' }];
    const files = { [path]: { participants, messages, title: 'Tom', thread_path: 'inbox/Tom_abc' } };
    expect(await sourceOf(files)).toEqual(['messenger']);
    const [message, ...others] = messagesOf(await readAll(messenger, memoryInput(files)));
    expect(others).toEqual([]);
    expect(message).toMatchObject({ sentAtMs: atMs, text: 'Hi', origin: { conversation: 'Tom_abc' } });
  });

  it('a time in seconds as timestamp_ms is no time', async () => {
    const messages = [{ sender_name: 'Tom', timestamp_ms: 'soon', timestamp: 1, content: 'Hi' }];
    const entries = await readAll(messenger, memoryInput({ 'inbox/a/message.json': { participants, messages } }));
    expect(entries).toContainEqual(expect.objectContaining({ type: 'invalid', code: 'bad-time' }));
  });
});

it('a file of your_group_messages is a private group under its name', async () => {
  const files = {
    'your_facebook_activity/groups/your_group_messages/61.json': {
      thread_name: 'Garden club',
      participants,
      messages: [{ sender_name: 'Tom', timestamp_ms: atMs, content: 'Hi' }],
    },
  };
  expect(await sourceOf(files)).toEqual(['messenger']);
  const entries = await readAll(messenger, memoryInput(files));
  expect(conversationsOf(entries)).toMatchObject([{ id: '61', type: 'private', name: 'Garden club' }]);
  expect(messagesOf(entries)).toHaveLength(1);
});

describe("Instagram's messages.json", () => {
  const conversation = [
    { sender: 'mia.b', created_at: '2020-01-02T10:00:00.000000+00:00', text: 'caf\u00c3\u00a9' },
    {
      ...{ sender: 'ole_d', created_at: '2020-01-02T09:00:00.250000+00:00', text: 'first' },
      likes: [{ username: 'mia.b', date: '2020-01-02T09:01:00+00:00' }],
    },
    { sender: 'ole_d', created_at: '2020-01-02T08:00:00+00:00', media_share_caption: 'cap', mood: 'calm' },
  ];
  const people = ['mia.b', 'ole_d'];

  it.each([
    ['in front', [{ participants: people, conversation }]],
    ['behind', [{ conversation, participants: people }]],
  ])('is read with its people %s', async (_, list) => {
    const files = { 'messages.json': list };
    expect(await sourceOf(files)).toEqual(['instagram']);
    const entries = await readAll(instagram, memoryInput(files));
    expect(conversationsOf(entries)).toEqual([
      { kind: 'conversation', id: 'mia.b, ole_d', type: 'direct', name: '', members: people },
    ]);
    expect(messagesOf(entries).map(({ text }) => text)).toEqual(['café', 'first', '> cap']);
    expect(messagesOf(entries)[1]).toMatchObject({
      author: 'ole_d',
      sentAtMs: Date.parse('2020-01-02T09:00:00.250Z'),
      reactions: [{ emoji: '❤️', users: ['mia.b'], count: 1 }],
    });
    expect(messagesOf(entries)[2]!.custom).toEqual({ mood: 'calm' });
  });

  it('two conversations of the same people stay separate, and a row without a time is rejected', async () => {
    const list = [
      { participants: people, conversation: [conversation[0]] },
      { participants: [...people].reverse(), conversation: [{ sender: 'mia.b', created_at: 'soon' }, conversation[1]] },
    ];
    const entries = await readAll(instagram, memoryInput({ 'messages.json': list }));
    expect(messagesOf(entries).map(({ origin }) => origin.conversation)).toEqual(['mia.b, ole_d', 'mia.b, ole_d (2)']);
    expect(entries).toContainEqual(expect.objectContaining({ type: 'invalid', code: 'bad-time' }));
  });
});
