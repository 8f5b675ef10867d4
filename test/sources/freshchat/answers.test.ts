import { describe, expect, it } from 'vitest';
import { freshchat } from '../../../src/sources/freshchat/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const row = {
  ...{ id: 'm1', conversation_id: 'c1', created_time: '2026-03-02T09:15:00.123Z', message_type: 'normal' },
  ...{ actor_type: 'user', actor_id: 'u1', message_parts: [{ text: { content: 'Hi' } }] },
};
const read = (files: Readonly<Record<string, object>>) => readAll(freshchat, memoryInput(files));
const one = async (fields: object) => messagesOf(await read({ 'a.json': { messages: [{ ...row, ...fields }] } }))[0];
const codesOf = async (fields: object) =>
  (await read({ 'a.json': { messages: [{ ...row, ...fields }] } })).flatMap((entry) =>
    entry.type === 'invalid' ? [entry.code] : [],
  );

describe('a message of Freshchat', () => {
  it.each([
    ['of the type private', { message_type: 'private' }],
    ['that a bot marked', { botsPrivateNote: true }],
    ['that a bot marked, as web hooks spell it', { bots_private_note: true, message_type: null }],
  ])('%s is a private note', async (_, fields) => {
    expect(await one(fields)).toMatchObject({ internal: 'note' });
  });

  it.each([
    ['without a type', { message_type: null }],
    ['of an unknown type', { message_type: 'private_note' }],
    ['whose mark is a word', { botsPrivateNote: 'true' }],
  ])('%s is invalid: it may be private', async (_, fields) => {
    expect(await codesOf(fields)).toEqual(['freshchat-unclear-visibility']);
  });

  it.each([
    ['a part that is a text', { message_parts: ['Hi'] }],
    ['a text part that is a text', { message_parts: [{ text: 'Hi' }] }],
    ['a file whose address is an object', { message_parts: [{ file: { name: 'a.pdf', url: {} } }] }],
    ['a button whose label is a list', { message_parts: [{ url_button: { label: ['See'] } }] }],
    ['a template without sections', { message_parts: [{ template_content: { type: 'carousel' } }] }],
    ['replies that are no list', { reply_parts: { text: { content: 'Hi' } } }],
    ['no parts', { message_parts: null }],
  ])('with %s is invalid, and not empty', async (_, fields) => {
    expect(await codesOf(fields)).toEqual(['freshchat-bad-content']);
  });

  it('with parts as deep as none is invalid, and ends nothing', async () => {
    let part: object = { text: { content: 'Hi' } };
    for (let depth = 0; depth < 15; depth += 1) part = { collection: { sub_parts: [part] } };
    expect(await codesOf({ message_parts: [part] })).toEqual(['freshchat-bad-content']);
  });

  it('counts parts that are not known', async () => {
    expect(await one({ message_parts: [{ calendar: { day: 1 } }] })).toMatchObject({ text: '', lost: { appData: 1 } });
  });

  it('keeps users, agents and bots apart, even with the same id', async () => {
    expect(await one({})).toMatchObject({ author: 'user:u1' });
    expect(await one({ actor_type: 'agent' })).toMatchObject({ author: 'agent:u1' });
    expect(await one({ actor_type: 'bot' })).toMatchObject({ author: 'bot:u1' });
    expect(await one({ actor_type: 'system' })).toMatchObject({ author: undefined, systemEvent: 'system' });
  });

  it.each([
    ['resolved', { meta_data: { isResolved: true } }],
    ['reopened', { meta_data: { isReopen: true } }],
    ['failed', { error_code: 131 }],
  ])('that says that something is %s is of the system', async (event, fields) => {
    expect(await one(fields)).toMatchObject({ systemEvent: event });
  });

  it('has a time only if it says its offset', async () => {
    expect(await one({ created_time: '2026-03-02T11:15:00.123+02:00' })).toMatchObject({ sentAtMs: 1772442900123 });
    expect(await codesOf({ created_time: '2026-03-02T09:15:00.123' })).toEqual(['freshchat-bad-time']);
  });
});

describe('pages of the messages of a conversation', () => {
  const page = (next?: number) => ({
    messages: [{ ...row, id: `m${next ?? 'last'}` }],
    ...(next && { link: { href: `/v2/conversations/c1/messages?page=${next}&items_per_page=1`, rel: 'next_page' } }),
  });
  const missingIn = async (files: Readonly<Record<string, object>>) =>
    (await read(files)).flatMap((entry) =>
      entry.type === 'problem' && entry.code === 'export-is-partial' ? [[entry.reason, entry.count ?? 1]] : [],
    );

  it('are whole from the first to one without a link, whatever their files are called', async () => {
    expect(await missingIn({ 'new.json': page(2), 'old.json': page(3), 'oldest.json': page() })).toEqual([]);
    expect(await missingIn({ 'a.json': page() })).toEqual([]);
  });

  it.each([
    ['the last', { 'a.json': page(2), 'b.json': page(3) }, '3', 1],
    ['one between others', { 'a.json': page(2), 'c.json': page(4), 'd.json': page() }, '2', 1],
    ['the first', { 'b.json': page(3), 'c.json': page() }, '1', 1],
    ['many', { 'a.json': page(2), 'z.json': page(900_000) }, '2, 3, 4, …', 899_998],
  ])('are said to miss %s', async (_, files, pages, count) => {
    expect(await missingIn(files)).toEqual([[`Pages of messages of "c1" are missing: ${pages}`, count]]);
  });

  it('may be of any number: a next page without one still follows', async () => {
    const open = { messages: [row], link: { href: '/v2/conversations/c1/messages?from_time=7' } };
    expect(await missingIn({ 'a.json': open })).toEqual([['Pages of messages of "c1" are missing: more', 1]]);
  });
});

describe('the list of a row', () => {
  it('says whether a person is an agent, whatever fields the person has', async () => {
    const entries = await read({
      'agents.json': { agents: [{ id: '5', first_name: 'Ann' }] },
      'users.json': { users: [{ id: '5', first_name: 'Ines', biography: 'Sails' }] },
      'm.json': { messages: [row] },
    });
    const names = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'user' ? [[entry.record.id, entry.record.name]] : [],
    );
    expect(names).toEqual([
      ['agent:5', 'Ann'],
      ['user:5', 'Ines'],
    ]);
  });
});

describe('messages in a list that is not read', () => {
  const conversation = { conversation_id: 'c1', status: 'new' };
  let properties: object = {};
  for (let depth = 0; depth < 45; depth += 1) properties = { a: properties };

  it.each([
    ['inside of conversations', { conversations: [{ ...conversation, messages: [row, row] }] }, 2],
    ['deeper than that of the conversations', { conversations: [conversation], data: { messages: [row] } }, 1],
    ['beside what is read', { data: { messages: [row] }, more: { deep: { messages: [row] } } }, 1],
    ['of another name', { conversations: [conversation], old: [row] }, 1],
  ])('are invalid %s', async (_, file, count) => {
    const entries = await read({ 'a.json': file, 'b.json': { messages: [row] } });
    expect(entries.filter(({ type }) => type === 'invalid')).toHaveLength(count);
  });

  it('behind a row that is as deep as none are read', async () => {
    const file = { conversations: [{ ...conversation, properties }], messages: [{ ...row, id: 'm2' }] };
    expect(messagesOf(await read({ 'a.json': file })).map(({ origin }) => origin.id)).toEqual(['m2']);
  });
});

it('answers on lines are read, each with its place', async () => {
  const lines = ['m1', 'm2'].map((id) => JSON.stringify({ messages: [{ ...row, id }] })).join('\n');
  const entries = await readAll(freshchat, memoryInput({ 'a.ndjson': lines }));
  const found = entries.flatMap((entry) =>
    entry.type === 'record' && entry.record.kind === 'message' ? [[entry.record.origin.id, entry.location]] : [],
  );
  expect(found).toEqual([
    ['m1', { path: 'a.ndjson', line: 1, pointer: '/messages/0' }],
    ['m2', { path: 'a.ndjson', line: 2, pointer: '/messages/0' }],
  ]);
  expect(entries.filter(({ type }) => type === 'invalid')).toEqual([]);
});
