import { describe, expect, it } from 'vitest';
import { detectSource } from '../../../src/sources/detect.ts';
import { sendbird } from '../../../src/sources/sendbird/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const read = (files: MemoryFiles) => readAll(sendbird, memoryInput(files));
const row = {
  message_id: 7,
  type: 'MESG',
  created_at: 1772442000123,
  channel_url: 'c',
  message: 'Hi',
  user: { user_id: 'ann' },
};
const one = async (fields: object) => messagesOf(await read({ 'a.json': { messages: [{ ...row, ...fields }] } }))[0]!;

describe('tables of Sendbird', () => {
  it.each([',', ';', '\t', '|', ' ', '^'])('are read with %j between fields', async (delimiter) => {
    const line = (...cells: readonly string[]) => `${cells.join(delimiter)}\r\n`;
    const text = line('message_id', 'type', 'channel_url', 'user.user_id', 'user.nickname', 'message', 'created_at');
    const table = `\ufeff${text}${line('7', 'MESG', 'c', 'ann', 'Ann', `"a${delimiter}b"`, '1772442000123')}`;
    const entries = await read({ 'a.csv': table });
    expect(messagesOf(entries)).toMatchObject([
      { author: 'ann', text: `a${delimiter}b`, origin: { conversation: 'c', id: '7' } },
    ]);
    expect(
      entries.some((entry) => entry.type === 'record' && entry.record.kind === 'user' && entry.record.name === 'Ann'),
    ).toBe(true);
  });

  it('are not recognised with a column that Sendbird does not have, and no row with a value there is read', async () => {
    const table =
      'message_id,channel_url,user_id,type,message,created_at,is_removed,is_private\n' +
      '1,c1,ines,MESG,hello,1772442900123,false,\n2,c1,bo,MESG,internal,1772442960123,false,true\n';
    const entries = await read({ 'messages.csv': table });
    expect(entries.flatMap((entry) => (entry.type === 'invalid' ? entry.reason : []))).toEqual([
      'The format has no column "is_private", and the row has a value there',
    ]);
    expect(await sendbird.probe(memoryInput({ 'messages.csv': table }))).toEqual({ match: 'no' });
  });

  it('read flags in every spelling, and no row with one that is neither yes nor no', async () => {
    const row = (id: number, isRemoved: string) => `${id},c1,ines,MESG,hello,177244290012${id},${isRemoved}\n`;
    const table = `message_id,channel_url,user_id,type,message,created_at,is_removed\n${row(1, 't')}${row(2, '0')}${row(3, 'Yes')}${row(4, 'perhaps')}`;
    const entries = await read({ 'messages.csv': table });
    const deleted = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'message' ? [entry.record.isDeleted === true] : [],
    );
    expect(deleted).toEqual([true, false, true]);
    expect(entries.flatMap((entry) => (entry.type === 'invalid' ? entry.reason : []))).toEqual([
      'Expected "is_removed" to be true or false, found "perhaps"',
    ]);
  });

  it('are not those of other services, which have names of authors and no ids', async () => {
    const table =
      'message_id,created_at,updated_at,username,message,thread_parent_message_id,channel_url,subreddit,channel_name,conversation_type\n' +
      '8000000001,2026-03-02 09:15:00 UTC,,ines,Who is there?,,sendbird_group_channel_1_a,,,direct\n';
    const input = memoryInput({ 'chat_history.csv': table });
    expect(await sendbird.probe(input)).toEqual({ match: 'no' });
    expect((await detectSource(input))[0]?.adapter.name).toBe('csv');
  });
});

describe('a message of Sendbird', () => {
  it('ignores empty fields', async () => {
    const { record } = {
      record: await one({
        file: {},
        files: [],
        data: '',
        poll: null,
        og_tag: {},
        translations: {},
        reactions: [],
        parent_message_id: 0,
        updated_at: 0,
        sorted_metaarray: [],
      }),
    };
    expect(
      Object.entries(record)
        .filter(([, value]) => value !== undefined)
        .map(([key]) => key),
    ).toEqual(['kind', 'origin', 'sortKey', 'sentAtMs', 'text', 'author']);
  });

  it('keeps tokens of unknown names, and the text if there are none', async () => {
    expect(
      (
        await one({
          mentioned_message_template: 'Hi @{bob} and @{zoe}',
          mentioned_users: [{ user_id: 'bob', nickname: 'Bob' }],
        })
      ).text,
    ).toBe('Hi @Bob and @{zoe}');
    expect((await one({ mentioned_message_template: '' })).text).toBe('Hi');
  });

  it('has a file whose fields are in the message', async () => {
    const file = {
      type: 'FILE',
      message: '',
      url: 'https://example.com/a.png?auth=1',
      file_type: 'image/png',
      file_size: '12',
    };
    expect(await one(file)).toMatchObject({ attachments: [{ name: 'a.png', mimeType: 'image/png', sizeBytes: 12 }] });
  });

  it('belongs to the channel of its file if it names none', async () => {
    const messages = [{ ...row, channel_url: '' }];
    const [message] = messagesOf(
      await read({ 'a.json': { channel: { channel_url: 'c', name: 'C', custom_type: '' }, messages } }),
    );
    expect(message!.origin.conversation).toBe('c');
  });
});

describe('a list of members', () => {
  const lines = (...rows: readonly object[]) => rows.map((one) => `${JSON.stringify(one)}\n`).join('');
  const member = (channel_url: string, user_id: string, state = 'joined') => ({ channel_url, user_id, state });
  const conversationsIn = (entries: Awaited<ReturnType<typeof read>>) =>
    entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'conversation' ? entry.record : []));

  it('is of the channel that its rows name, wherever the channel is described', async () => {
    const entries = await read({
      'a.ndjson': lines({ channel_url: 'c', name: 'C', custom_type: '', is_distinct: true }),
      'm.ndjson': lines(member('c', 'ann'), member('c', 'bo'), member('c', 'cy', 'invited'), member('c', 'ann')),
    });
    expect(conversationsIn(entries)).toMatchObject([{ id: 'c', type: 'direct', members: ['ann', 'bo'] }]);
  });

  it('describes a channel that no list has', async () => {
    const entries = await read({ 'm.ndjson': lines(member('c', 'ann')), 'r.ndjson': lines(row) });
    expect(conversationsIn(entries)).toMatchObject([{ id: 'c', type: 'private', members: ['ann'] }]);
  });

  it('names members without an id or a channel', async () => {
    const bad = [member('c', ''), { ...member('c', 'ann'), channel_url: null }, 7];
    const entries = await read({ 'm.ndjson': lines(member('c', 'bo'), ...(bad as object[])) });
    const codes = entries.flatMap((entry) => (entry.type === 'problem' ? entry.code : []));
    expect(codes).toEqual(['user-without-id', 'conversation-without-id', 'conversation-without-id']);
    expect(conversationsIn(entries)).toMatchObject([{ members: ['bo'] }]);
  });
});

it('tokens of people are nowhere', async () => {
  const users = [
    { user_id: 'ann', nickname: 'Ann', profile_url: '', access_token: 'secret-1', session_tokens: ['secret-2'] },
  ];
  expect(JSON.stringify(await read({ 'users.json': { active_users: users } }))).not.toContain('secret');
});
