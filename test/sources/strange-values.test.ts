import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { discord } from '../../src/sources/discord/index.ts';
import { googlechat } from '../../src/sources/googlechat/index.ts';
import { describeCards } from '../../src/sources/kit/text/cards.ts';
import { pollText } from '../../src/sources/kit/text/poll-text.ts';
import { matrix } from '../../src/sources/matrix/index.ts';
import { rocketchat } from '../../src/sources/rocketchat/index.ts';
import { signal } from '../../src/sources/signal/index.ts';
import { slack } from '../../src/sources/slack/index.ts';
import { telegram } from '../../src/sources/telegram/index.ts';
import { memoryInput } from '../contracts/memory-input.ts';
import { messagesOf, readAll } from '../contracts/source/check.ts';

/** No text can be made of it: `String` and a template throw. */
const noText = { toString: 1, valueOf: 2 };

const rejectsIn = (entries: readonly Entry[]) => entries.filter(({ type }) => type === 'invalid');

describe('a strange detail of a message', () => {
  it('makes the row invalid in Slack if a piece of text has no type, and costs no other row', async () => {
    const piece = { type: noText, text: 'x' };
    const blocks = [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [piece] }] }];
    const rows = [
      { type: 'message', user: 'U1', text: 'hi', ts: '1772445600.000100' },
      { type: 'message', user: 'U1', text: 'x', ts: '1772445601.000100', blocks },
      {
        type: 'message',
        subtype: 'file_share',
        user: noText,
        file: { id: 'F1' },
        text: '<@U1> up',
        ts: '1772445602.000100',
      },
    ];
    const input = memoryInput({
      'channels.json': [{ id: 'C0000001', name: 'general' }],
      'general/2026-03-02.json': rows,
    });
    const entries = await readAll(slack, input);
    expect(messagesOf(entries).map(({ text }) => text)).toEqual(['hi', '@U1 up']);
    expect(rejectsIn(entries)).toEqual([expect.objectContaining({ code: 'text-not-understood' })]);
  });

  it('is a name without an address in a package of Discord if a file is no address', async () => {
    const row = {
      ID: '1477900000000007001',
      Timestamp: '2026-03-06 08:00:00',
      Contents: 'hi',
      Attachments: 'in/photo.png',
    };
    const input = memoryInput({
      'Messages/c1477000000000000700/channel.json': { id: '1477000000000000700', type: 0 },
      'Messages/c1477000000000000700/messages.json': [row],
    });
    const [message] = messagesOf(await readAll(discord, input));
    expect(message?.attachments).toEqual([{ name: 'photo.png', unavailable: 'no-address' }]);
  });

  it('does not lose the message in Telegram if a style has no name', async () => {
    const pieces = [
      { type: noText, text: 'Low water' },
      { type: 'bold', text: '!' },
    ];
    const message = {
      id: 1,
      type: 'message',
      date: '2026-03-02T10:15:00',
      date_unixtime: '1772446500',
      from_id: 'user1',
    };
    const input = memoryInput({
      'result.json': {
        name: 'Pier',
        type: 'private_group',
        id: 7,
        messages: [{ ...message, text: pieces }],
      },
    });
    expect(messagesOf(await readAll(telegram, input)).map(({ text }) => text)).toEqual(['Low water!']);
  });

  it('is a word in a poll and in a card, where an answer is no text', () => {
    expect(pollText({ question: 'When?', options: [{ text: noText, votes: 1 }] })).toBe('**When?**\n- an object: 1');
    expect(describeCards([{ fields: [{ title: 'Depth', value: noText }] }], () => {})).toContain('Depth');
  });

  it('gives no time in Google Chat if the length of a call exceeds exact numbers', async () => {
    const event = {
      ...{ event_id: 'e1', timestamp: '1772446500000000', sender_id: { gaia_id: '1' } },
      ...{ event_type: 'HANGOUT_EVENT', hangout_event: { event_type: 'END_HANGOUT', hangout_duration_secs: 1e300 } },
    };
    const conversation = { conversation_id: { id: 'c1' }, conversation: { id: { id: 'c1' }, participant_data: [] } };
    const input = memoryInput({ 'Hangouts.json': { conversations: [{ conversation, events: [event] }] } });
    const [message] = messagesOf(await readAll(googlechat, input));
    expect(message?.call).toEqual({ endedAtMs: 1772446500000 });
  });
});

describe('a first row that is long or no object', () => {
  const long = 'x'.repeat(100_000);

  it('does not prevent recognition of a Signal file', async () => {
    const row = {
      date: '2026-03-02 10:15:00',
      sender: 'Ines',
      body: long,
      quote: '',
      sticker: '',
      reactions: [],
      attachments: [],
    };
    const rows = [row, { ...row, body: 'short' }].map((one) => JSON.stringify(one)).join('\n');
    const input = memoryInput({ 'Ines/data.json': rows, 'readme.txt': 'x' });
    expect(messagesOf(await readAll(signal, input)).map(({ text }) => text.length)).toEqual([100_000, 5]);
    const desktop = { conversationId: 'c1', id: 'm1', type: 'incoming', sent_at: 1772446500000, body: 'hi' };
    const list = memoryInput({ 'Ines.json': [7, desktop], 'readme.txt': 'x' });
    const entries = await readAll(signal, list);
    expect(messagesOf(entries)).toHaveLength(1);
    expect(rejectsIn(entries)).toHaveLength(1);
  });

  it('does not prevent recognition of a Rocket.Chat file', async () => {
    const row = {
      msg: long,
      _id: 'a',
      rid: 'r',
      ts: { $date: '2026-03-02T10:15:00.000Z' },
      u: { _id: 'u', username: 'ines' },
    };
    const input = memoryInput({ 'pier.json': [row], 'other.json': '{}' });
    expect(messagesOf(await readAll(rocketchat, input))).toHaveLength(1);
  });

  it('does not hide that rows of Rocket.Chat and Matrix are lines', async () => {
    const row = {
      _id: 'a',
      rid: 'r',
      msg: long,
      ts: { $date: '2026-03-02T10:15:00.000Z' },
      u: { _id: 'u', username: 'ines' },
    };
    const event = {
      type: 'm.room.message',
      sender: '@ines:example.com',
      origin_server_ts: 1772446500000,
      room_id: '!r:example.com',
    };
    const said = (body: string) => ({ ...event, event_id: `$${body.length}`, content: { msgtype: 'm.text', body } });
    const lines = (...rows: readonly unknown[]) =>
      rows.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
    const rocket = memoryInput({ 'pier.json': lines(row, '{ no JSON', { ...row, _id: 'b' }), 'other.json': '{}' });
    const matrixLines = memoryInput({ 'events.jsonl': lines(said(long), '{ no JSON', said('b')), 'other.json': '{}' });
    for (const [source, input] of [
      [rocketchat, rocket],
      [matrix, matrixLines],
    ] as const) {
      const entries = await readAll(source, input);
      expect([messagesOf(entries).length, rejectsIn(entries).length], source.name).toEqual([2, 1]);
    }
  });
});
