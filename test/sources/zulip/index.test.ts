import { describe, expect, it } from 'vitest';
import { zulip } from '../../../src/sources/zulip/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const realm = {
  zerver_realm: [{ id: 1, string_id: 'z' }],
  zerver_userprofile: [8, 9, 10].map((id) => ({
    id,
    full_name: `Person ${id}`,
    recipient: 100 + id,
    api_key: 'secret',
  })),
  zerver_recipient: [
    { id: 1, type: 3, type_id: 4 },
    { id: 2, type: 2, type_id: 5 },
  ],
  zerver_stream: [{ id: 5, name: 'pier' }],
  zerver_subscription: [8, 9].map((user_profile, id) => ({ id, user_profile, recipient: 1, active: true })),
};
const row = { id: 7, sender: 8, recipient: 109, subject: '', content: 'Hi', date_sent: 1_772_442_000 };
const read = (rows: readonly object[], tables: object = realm, more: object = {}) =>
  readAll(zulip, memoryInput({ 'realm.json': tables, 'messages-000001.json': { zerver_message: rows, ...more } }));
const conversationsOf = async (...args: Parameters<typeof read>) =>
  messagesOf(await read(...args)).map(({ origin }) => origin.conversation);
const codesOf = async (...args: Parameters<typeof read>) =>
  (await read(...args)).flatMap((entry) => ('code' in entry ? [entry.code] : []));

describe('a private message of Zulip', () => {
  it('belongs to the chat of two, whoever wrote and however the server names it', async () => {
    const rows = [row, { ...row, id: 8, sender: 9, recipient: 108 }, { ...row, id: 9, recipient: 1 }];
    expect(await conversationsOf(rows)).toEqual(['dm-8-9', 'dm-8-9', 'dm-8-9']);
  });

  it('is never shown to others who write to the same person', async () => {
    expect(await conversationsOf([row, { ...row, id: 8, sender: 10 }])).toEqual(['dm-8-9', 'dm-9-10']);
  });

  it('stays in its group if the export shows two of three people', async () => {
    const zerver_huddle = [{ id: 4, recipient: 1, group_size: 3 }];
    expect(await conversationsOf([{ ...row, recipient: 1 }], { ...realm, zerver_huddle })).toEqual(['group-1']);
  });

  it('to one of the accounts of the system is for that', async () => {
    const zerver_userprofile_crossrealm = [{ id: 3, email: 'welcome-bot@zulip.com', recipient_id: 4 }];
    const rows = [
      { ...row, recipient: 4 },
      { ...row, id: 8, sender: 3, recipient: 108 },
    ];
    const messages = messagesOf(await read(rows, { ...realm, zerver_userprofile_crossrealm }));
    expect(messages.map(({ origin, systemEvent }) => [origin.conversation, systemEvent])).toEqual([
      ['dm-3-8', undefined],
      ['dm-3-8', 'welcome-bot'],
    ]);
  });

  it('is read of the export of one person, too', async () => {
    const files = { 'x/user.json': realm, 'x/messages-000001.json': { zerver_message: [{ ...row, recipient: 1 }] } };
    const entries = await readAll(zulip, memoryInput(files));
    expect(messagesOf(entries).map(({ origin }) => origin.conversation)).toEqual(['dm-8-9']);
  });

  it('is rejected if its recipient is unknown', async () => {
    expect(
      await codesOf([
        { ...row, recipient: 77 },
        { ...row, sender: null },
      ]),
    ).toEqual(['zulip-no-recipient', 'zulip-no-recipient']);
    const alone = await readAll(zulip, memoryInput({ 'messages.json': { zerver_message: [row] } }));
    expect(alone.map((entry) => ('code' in entry ? entry.code : entry.type))).toEqual(['zulip-no-recipient', 'file']);
  });
});

describe('a message of a stream', () => {
  const inStream = { ...row, recipient: 2, subject: 'tides' };
  const historyOf = async (history: unknown, fields = {}) => {
    const entries = await read([{ ...inStream, edit_history: JSON.stringify(history), ...fields }]);
    const { edited, custom } = messagesOf(entries)[0]!;
    return { edited, custom };
  };

  it('has its topic as a fact', async () => {
    const [message] = messagesOf(await read([inStream]));
    expect(message).toMatchObject({ custom: { topic: 'tides' }, origin: { conversation: 'stream-5' } });
  });

  it('is not edited if it was moved', async () => {
    const moved = [{ prev_topic: 'lights', prev_stream: 5, user_id: 9, timestamp: 1_772_442_010 }];
    expect(await historyOf(moved, { last_edit_time: 1_772_442_010 })).toEqual({
      edited: undefined,
      custom: { topic: 'tides', previousTopics: ['lights'], previousStreams: ['pier'] },
    });
  });

  it('has its earlier versions, and the author and time of the last change', async () => {
    const edits = [
      { prev_content: 'second', user_id: 9, timestamp: 1_772_442_020 },
      { prev_content: 'first', user_id: 8, timestamp: 1_772_442_010 },
    ];
    expect(await historyOf(edits)).toEqual({
      edited: { atMs: 1_772_442_020_000, by: '9' },
      custom: { topic: 'tides', previousTexts: ['second', 'first'] },
    });
  });

  it('has reactions of both places, each person once', async () => {
    const heart = {
      user_profile: 9,
      message: 7,
      emoji_name: 'heart',
      emoji_code: '2764',
      reaction_type: 'unicode_emoji',
    };
    const tables = { ...realm, zerver_reaction: [heart, { ...heart, user_profile: 10 }] };
    const entries = await read([inStream], tables, { zerver_reaction: [heart, { ...heart, message: 8 }] });
    expect(messagesOf(entries)[0]!.reactions).toEqual([{ emoji: '❤️', users: ['9', '10'], count: 2 }]);
    expect(entries.flatMap((entry) => (entry.type === 'problem' ? [entry.reason] : []))).toEqual([
      'A reaction to message 8 is in a file without that message',
    ]);
  });

  it('keeps ids with more digits than a number holds', async () => {
    const text = JSON.stringify({ zerver_message: [inStream] }).replace('"id":7', '"id":90071992547409931');
    const entries = await readAll(zulip, memoryInput({ 'realm.json': realm, 'messages-000001.json': text }));
    expect(messagesOf(entries)[0]!.origin.id).toBe('90071992547409931');
  });
});

it('keys of people are nowhere', async () => {
  expect(JSON.stringify(await read([row]))).not.toContain('secret');
});
