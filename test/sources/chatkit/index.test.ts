import { describe, expect, it } from 'vitest';
import { chatkit } from '../../../src/sources/chatkit/index.ts';
import { contentOf } from '../../../src/sources/chatkit/parts.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const row = {
  id: 1,
  sender_id: 'ann',
  room_id: 'pier',
  created_at: '2020-03-25T12:00:00Z',
  updated_at: '2020-03-25T12:00:00Z',
  parts: [{ part_type: 'inline', payload: { type: 'text/plain', content: 'Hi' } }],
};
const read = (files: Readonly<Record<string, unknown>>) => readAll(chatkit, memoryInput(files));
const one = async (fields: object) => messagesOf(await read({ 'messages.json': [{ ...row, ...fields }] }))[0]!;

describe('contentOf()', () => {
  it.each([
    ['an empty list of parts', { parts: [] }, { texts: [], files: [], others: [] }],
    [
      'texts of any kind',
      { parts: [{ type: 'text/markdown', content: 'a' }, { content: 'b' }] },
      { texts: ['a', 'b'] },
    ],
    ['data of the app', { parts: [{ type: 'x/y', content: '{}' }] }, { others: [{ type: 'x/y', content: '{}' }] }],
    [
      'an attachment of the API, which is in the part',
      {
        parts: [
          { type: 'image/png', attachment: { id: 'f', name: 'a.png', size: 3, download_url: 'https://e.example' } },
        ],
      },
      { files: [{ id: 'f', name: 'a.png', url: 'https://e.example', mimeType: 'image/png', sizeBytes: 3 }] },
    ],
    [
      'an address whose end is no name',
      { parts: [{ type: 'image/png', url: 'https://example.com/' }] },
      { files: [{ name: 'file', url: 'https://example.com/', mimeType: 'image/png' }] },
    ],
    ['a text without parts', { text: 'older' }, { texts: ['older'], files: [] }],
    ['a part without content', { parts: [{ type: 'text/plain' }] }, { code: 'chatkit-bad-part' }],
    ['a part that is null', { parts: [null] }, { code: 'chatkit-bad-part' }],
    ['a payload that is none', { parts: [{ part_type: 'inline', payload: 'Hi' }] }, { code: 'chatkit-bad-part' }],
    ['an address that is none', { parts: [{ part_type: 'url', payload: { url: 7 } }] }, { code: 'chatkit-bad-part' }],
    ['neither parts nor text', {}, { code: 'chatkit-bad-part' }],
  ])('reads %s', (_what, given, content) => {
    expect(contentOf(given)).toMatchObject(content);
  });
});

describe('a message of Chatkit', () => {
  it('was edited if it was changed after it was sent', async () => {
    expect((await one({ updated_at: '2020-03-25T12:00:01Z' })).edited).toEqual({ atMs: 1585137601000 });
    expect((await one({})).edited).toBeUndefined();
  });

  it('keeps an id beyond what a number holds', async () => {
    expect((await one({ id: '9007199254740993' })).origin.id).toBe('9007199254740993');
  });
});

describe('rooms of Chatkit', () => {
  const room = { id: 'pier', created_by_id: 'ann', name: 'Pier', member_ids: [], created_at: row.created_at };
  const types = async (more: object) =>
    (await read({ 'rooms.json': [{ ...room, ...more }] })).flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'conversation' ? [entry.record.type] : [],
    );

  it('are public only if they say so', async () => {
    expect(await types({ private: false })).toEqual(['public']);
    expect(await types({ private: true })).toEqual(['private']);
    expect(await types({ private: 'no' })).toEqual(['private']);
  });

  it('are not whole if the last message that they name is missing', async () => {
    const files = (at: string) => ({
      'messages.json': [row],
      'rooms.json': [{ ...room, private: true, last_message_at: at }],
    });
    const partial = async (at: string) =>
      (await read(files(at))).filter((entry) => 'code' in entry && entry.code === 'export-is-partial').length;
    expect(await partial('2020-03-25T11:59:59Z')).toBe(0);
    expect(await partial('2020-03-25T12:00:00Z')).toBe(0);
    expect(await partial('2020-03-25T12:00:01Z')).toBe(1);
  });
});

it('lists of users and rooms are read beside messages', async () => {
  const times = { created_at: '2020-03-25T12:00:00Z', updated_at: '2020-03-25T12:00:00Z' };
  const entries = await read({
    'messages.json': [row],
    'users.json': { users: [{ id: 'ann', name: 'Ann Ray', ...times }] },
    'rooms.json': { rooms: [{ id: 'pier', name: 'Pier', private: true, created_by_id: 'ann', member_ids: ['ann'] }] },
  });
  const named = entries.flatMap(({ ...entry }) =>
    entry.type === 'record' && entry.record.kind !== 'message' && 'name' in entry.record ? [entry.record.name] : [],
  );
  expect(named).toEqual(['Ann Ray', 'Pier']);
});
