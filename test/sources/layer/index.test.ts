import { describe, expect, it } from 'vitest';
import { idOf, personIdOf } from '../../../src/sources/layer/format.ts';
import { layer } from '../../../src/sources/layer/index.ts';
import { contentOf } from '../../../src/sources/layer/parts.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const row = {
  id: 'layer:///messages/m1',
  conversation: { id: 'layer:///conversations/c1' },
  sender: { user_id: 'ann' },
  sent_at: '2018-09-09T04:44:47+00:00',
  parts: [{ mime_type: 'text/plain', body: 'Hi' }],
};
const read = (files: Readonly<Record<string, unknown>>) => readAll(layer, memoryInput(files));
const one = async (fields: object) =>
  messagesOf(await read({ 'export.json': { messages: [{ ...row, ...fields }] } }))[0]!;

describe('idOf()', () => {
  it('takes what is behind the prefix of Layer', () => {
    expect(idOf('layer:///messages/a-b')).toBe('a-b');
    expect(idOf('a-b')).toBe('a-b');
    expect(idOf('layer:///messages/')).toBeUndefined();
    expect(idOf(7)).toBeUndefined();
  });
});

describe('personIdOf()', () => {
  it.each([
    [{ user_id: 'ann', id: 'layer:///identities/x' }, 'ann'],
    [{ id: 'layer:///identities/ann%40example.com' }, 'ann@example.com'],
    [{ id: 'layer:///identities/100%' }, '100%'],
    [{ user_id: null }, undefined],
    [{ user_id: 'service:Shop' }, 'person:service:Shop'],
    [{ user_id: 'person:service:Shop' }, 'person:person:service:Shop'],
    [{ user_id: 'person:ann' }, 'person:ann'],
  ])('of %j is %j', (person, id) => {
    expect(personIdOf(person)).toBe(id);
  });
});

describe('contentOf()', () => {
  it.each([
    ['a text of many kinds', [{ mime_type: 'text/html', body: 'a' }, { body: 'b' }], { texts: ['a', 'b'] }],
    [
      'a text model that is no JSON',
      [{ mime_type: 'application/vnd.layer.text+json', body: '{' }],
      { others: [{ body: '{' }] },
    ],
    [
      'a place of the app',
      [{ mime_type: 'location/coordinate', body: '{"lat":1}' }],
      { others: [{ body: '{"lat":1}' }] },
    ],
    [
      'a picture without an address',
      [{ mime_type: 'image/png', body: 'iVBO', encoding: 'base64' }],
      { files: [{ name: 'image.png', unavailable: 'not-in-export' }] },
    ],
    [
      'a preview',
      [{ mime_type: 'image/jpeg+preview', body: 'iVBO', encoding: 'base64' }],
      { files: [], previewCount: 1 },
    ],
    ['a part that is none', [null], { code: 'layer-bad-part' }],
    ['a part without anything', [{ mime_type: 'text/plain' }], { code: 'layer-bad-part' }],
    ['no list', undefined, { code: 'layer-bad-part' }],
  ])('reads %s', (_what, parts, content) => {
    expect(contentOf(parts)).toMatchObject(content);
  });
});

describe('a message of Layer', () => {
  it('of a service has an author whom no person can be', async () => {
    const message = await one({ sender: { user_id: null, name: 'ann' } });
    expect(message).toMatchObject({ author: 'service:ann', authorDetails: { name: 'ann', isBot: true } });
    expect((await one({})).author).toBe('ann');
  });

  it('is ordered by its position, if it has one', async () => {
    expect((await one({ position: 15_032_697_020 })).sortKey).toBe('00000000015032697020');
  });
});

describe('a conversation of Layer', () => {
  const types = async (more: object) => {
    const conversation = { id: 'layer:///conversations/c1', messages_url: 'x', participants: ['ann', 'bo'], ...more };
    const entries = await read({ 'c.json': { conversations: [conversation] } });
    return entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'conversation' ? [entry.record.type] : [],
    );
  };

  it('is a chat of two only if it is distinct', async () => {
    expect(await types({ distinct: true })).toEqual(['direct']);
    expect(await types({ distinct: false })).toEqual(['private']);
    expect(await types({ distinct: true, participants: ['ann', 'bo', 'kay'] })).toEqual(['private']);
    expect(await types({ distinct: true, participants: ['ann', 'bo', 7] })).toEqual(['private']);
  });
});

it('a person whose id looks like that of a service is not the service', async () => {
  const authorOf = async (sender: object) => (await one({ sender })).author;
  expect(await authorOf({ user_id: null, name: 'Shop' })).toBe('service:Shop');
  expect(await authorOf({ user_id: 'service:Shop' })).toBe('person:service:Shop');
});

it('a message with a field "event" is a message', async () => {
  expect(await one({ event: 'x', message: null })).toMatchObject({ text: 'Hi', author: 'ann' });
});

describe('messages inside of other rows', () => {
  const conversation = { id: 'layer:///conversations/c1', participants: ['ann', 'bo'], distinct: false };
  const idsIn = async (files: Readonly<Record<string, unknown>>) =>
    messagesOf(await read(files)).map(({ origin, sortKey }) => [origin.id, origin.conversation, Number(sortKey)]);

  it('are read where a conversation has them, and are of it if they do not say theirs', async () => {
    const messages = [row, { ...row, id: 'm2', conversation: undefined }];
    const file = { conversations: [{ ...conversation, messages }] };
    expect(await idsIn({ 'export.json': file })).toEqual([
      ['m1', 'c1', 2],
      ['m2', 'c1', 3],
    ]);
    expect(await idsIn({ 'export.json': [file] })).toHaveLength(2);
  });

  it('are read where their list is deeper than that of the conversations', async () => {
    const file = { conversations: [conversation], data: { messages: [row, { ...row, id: 'm2' }] } };
    expect(await idsIn({ 'export.json': file })).toHaveLength(2);
  });

  it('are no message where they are the last one of a conversation', async () => {
    const file = { conversations: [{ ...conversation, last_message: row }] };
    expect(await idsIn({ 'export.json': file, 'more.json': [row] })).toEqual([['m1', 'c1', 1]]);
  });

  it('are invalid in a list around which nothing is read', async () => {
    const file = { data: { conversations: [conversation] }, other: { deep: { messages: [row] } } };
    expect(await read({ 'export.json': file })).toContainEqual(
      expect.objectContaining({ type: 'invalid', code: 'not-an-object' }),
    );
  });
});
