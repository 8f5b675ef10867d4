import { describe, expect, it } from 'vitest';
import { twilio } from '../../../src/sources/twilio/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const read = (files: MemoryFiles) => readAll(twilio, memoryInput(files));
const row = {
  sid: 'IM1',
  conversation_sid: 'CH1',
  chat_service_sid: 'IS1',
  index: 0,
  author: 'ann',
  participant_sid: 'MB1',
  body: 'Hi',
  media: null,
  attributes: '{}',
  date_created: '2026-03-02T09:15:00Z',
};
const one = async (fields: object) => messagesOf(await read({ 'a.json': { messages: [{ ...row, ...fields }] } }))[0]!;
const partsMissing = async (files: MemoryFiles) =>
  (await read(files)).flatMap((entry) =>
    entry.type === 'problem' && entry.code === 'export-is-partial' ? [entry.location.path] : [],
  );

describe('a message of Twilio', () => {
  it('is of its conversation, never of the service', async () => {
    expect((await one({})).origin).toEqual({ source: 'twilio', workspace: '', conversation: 'CH1', id: 'IM1' });
    expect((await one({ conversation_sid: undefined, channel_sid: 'CH2' })).origin.conversation).toBe('CH2');
  });

  it('is of the application only if "system" is no participant', async () => {
    expect(await one({ author: 'system', participant_sid: null })).toMatchObject({
      author: undefined,
      systemEvent: 'system',
    });
    expect(await one({ author: 'system' })).toMatchObject({ author: 'system', systemEvent: undefined });
  });

  it.each([{ text: 'Hi' }, ['Hi'], 7, true])('is invalid if its body is no text: %j', async (body) => {
    const entries = await read({ 'a.json': { messages: [{ ...row, body }] } });
    expect(messagesOf(entries)).toEqual([]);
    expect(entries.flatMap((entry) => (entry.type === 'invalid' ? [entry.code] : []))).toEqual(['text-not-understood']);
  });

  it('is no edited one because "date_updated" differs', async () => {
    const message = await one({ date_updated: '2026-03-02T09:20:00Z' });
    expect(message).toMatchObject({ edited: undefined, version: { changedAtMs: Date.UTC(2026, 2, 2, 9, 20) } });
  });

  it.each([
    ['2026-03-02T09:15:00Z', Date.UTC(2026, 2, 2, 9, 15)],
    ['2026-03-02T10:15:00.250+01:00', Date.UTC(2026, 2, 2, 9, 15, 0, 250)],
    ['2026-03-02T09:15:00', Date.UTC(2026, 2, 2, 9, 15)],
    ['Mon, 02 Mar 2026 09:15:00 +0000', Date.UTC(2026, 2, 2, 9, 15)],
  ])('has the time %s', async (text, atMs) => {
    expect((await one({ date_created: text })).sentAtMs).toBe(atMs);
  });

  it('keeps attributes that are no JSON as text', async () => {
    expect((await one({ attributes: 'blue' })).custom).toEqual({ attributes: 'blue' });
    expect((await one({ attributes: '{"a":[1]}' })).custom).toEqual({ attributes: { a: [1] } });
  });
});

describe('pages of Twilio', () => {
  const at = (sid: string, page: number) =>
    `https://conversations.twilio.com/v1/Conversations/${sid}/Messages?Page=${page}`;
  const page = (sid: string, number: number, next: number | undefined) => ({
    messages: [{ ...row, sid: `IM${sid}${number}`, conversation_sid: sid }],
    meta: {
      page: number,
      url: at(sid, number),
      next_page_url: next === undefined ? null : `${at(sid, next)}&PageToken=PT`,
    },
  });

  it('are whole, whatever the files are called', async () => {
    expect(await partsMissing({ 'b.json': page('CH1', 0, 1), 'a.json': page('CH1', 1, undefined) })).toEqual([]);
  });

  it('are not completed by the last page of another conversation', async () => {
    const files = { 'CH-1/messages.json': page('CH1', 0, 1), 'CH-2/messages.json': page('CH2', 0, undefined) };
    expect(await partsMissing(files)).toEqual(['CH-1/messages.json']);
  });

  it('miss one in the middle', async () => {
    const files = { 'm-0.json': page('CH1', 0, 1), 'm-1.json': page('CH1', 2, undefined) };
    expect(await partsMissing(files)).toEqual(['m-0.json']);
  });

  it('say so with "meta" before the list too', async () => {
    const { messages, meta } = page('CH1', 0, 1);
    expect(await partsMissing({ 'a.json': { meta, messages } })).toEqual(['a.json']);
  });

  it('may be any page if they do not say which', async () => {
    const { messages } = page('CH1', 1, undefined);
    expect(await partsMissing({ 'a.json': page('CH1', 0, 1), 'b.json': { messages } })).toEqual([]);
  });
});

it('messages of Twilio in a deeper list than conversations are invalid', async () => {
  const file = { conversations: [{ sid: 'CH1', friendly_name: 'Pier' }], data: { messages: [row] } };
  const entries = await read({ 'a.json': file, 'b.json': { messages: [row] } });
  expect(entries.filter(({ type }) => type === 'invalid')).toMatchObject([
    { code: 'not-an-object', location: { path: 'a.json', pointer: '/data/messages/0' } },
  ]);
});
