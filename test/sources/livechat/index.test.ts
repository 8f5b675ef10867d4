import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import { livechat } from '../../../src/sources/livechat/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf, readAll } from '../../contracts/source/check.ts';

const event = (id: string, more: object = {}) => ({
  ...{ id, created_at: '2026-03-02T09:00:00.000000Z', type: 'message', text: `Text ${id}`, author_id: '70' },
  ...{ visibility: 'all', ...more },
});
const thread = (id: string, events: readonly object[], more: object = {}) => ({
  ...{ id, active: false, user_ids: ['70'], events, ...more },
});
const customer = { id: '70', type: 'customer', name: 'Ines' };
const chat = (id: string, of: object, more: object = {}) => ({ id, users: [customer], thread: of, ...more });
const summary = (id: string, last: string, users: readonly object[] = [customer]) => ({
  ...{ id, users, last_thread_summary: { id: last } },
});

const read = (files: Readonly<Record<string, unknown>>) => readAll(livechat, memoryInput(files));
const said = (entries: readonly Entry[], code: string) =>
  entries.flatMap((entry) => ('code' in entry && entry.code === code ? [entry.reason] : []));
const authors = (entries: readonly Entry[]) => messagesOf(entries).map(({ author }) => author);

describe('threads of list_threads', () => {
  const threads = { threads: [thread('T1', [event('T1_1')])], found_threads: 1 };

  it('belong to the chat whose id is in the path, if the list of chats has it', async () => {
    const entries = await read({
      'chats.json': { chats_summary: [summary('PA1', 'T1')] },
      'PA1/threads-1.json': threads,
    });
    expect(messagesOf(entries).map(({ origin }) => origin.conversation)).toEqual(['PA1']);
    expect(authors(entries)).toEqual(['customer:70']);
  });

  it('belong to none if the path has the ids of two chats', async () => {
    const entries = await read({
      'chats.json': { chats_summary: [summary('PA1', 'T1'), summary('PA2', 'T1')] },
      'PA1/PA2.json': threads,
    });
    expect(messagesOf(entries)).toEqual([]);
    expect(said(entries, 'livechat-no-chat').length).toBe(1);
  });

  it('are by an unknown person if a customer and an agent have the id', async () => {
    const users = [customer, { id: '70', type: 'agent', name: 'Bo' }];
    const entries = await read({
      'chats.json': { chats_summary: [summary('PA1', 'T1', users)] },
      'PA1.json': threads,
    });
    expect(authors(entries)).toEqual(['unknown:70']);
  });
});

describe('an export that is not whole', () => {
  it('says which thread before or after others is missing', async () => {
    const one = thread('T2', [event('T2_1')], { previous_thread_id: 'T1', next_thread_id: 'T3' });
    const entries = await read({ 'a.json': chat('PA1', one) });
    expect(said(entries, 'export-is-partial')).toEqual(['Chats name threads that no file has: "T1", "T3"']);
  });

  it('says nothing of threads that another file has', async () => {
    const one = thread('T2', [event('T2_1')], { previous_thread_id: 'T1' });
    const entries = await read({
      'a.json': chat('PA1', one),
      'b.json': chat('PA1', thread('T1', [event('T1_1')], { next_thread_id: 'T2' })),
    });
    expect(said(entries, 'export-is-partial')).toEqual([]);
  });

  it('is one of lines in which every answer has another page', async () => {
    const answer = { chats: [chat('PA1', thread('T1', [event('T1_1')]))], next_page_id: 'MTUx' };
    const last = { chats: [chat('PA2', thread('T2', [event('T2_1')]))] };
    const lines = (answers: readonly object[]) => ({
      'a.ndjson': answers.map((one) => JSON.stringify(one)).join('\n'),
    });
    const open = await read(lines([answer, { ...last, next_page_id: 'MTUy' }]));
    expect(said(open, 'export-is-partial').length).toBe(1);
    const whole = await read(lines([answer, last]));
    expect(messagesOf(whole).length).toBe(2);
    expect(said(whole, 'export-is-partial')).toEqual([]);
  });
});

describe('a chat', () => {
  const ids = (entries: readonly Entry[]) =>
    messagesOf(entries).map(({ origin }) => `${origin.conversation} ${origin.id}`);
  const own = thread('T1', [event('T1_1')]);
  const other = thread('T2', [event('T2_1')]);

  it('keeps its thread if it has a list of threads as well, whose events are of the chat too', async () => {
    for (const [threads, found] of [
      [[], ['PA1 T1_1']],
      [[other], ['PA1 T1_1', 'PA1 T2_1']],
    ] as const) {
      const one = chat('PA1', own, { threads });
      for (const content of [{ chats: [one] }, one, [one], [{ chats: [one] }]])
        expect(ids(await read({ 'a.json': content }))).toEqual(found);
    }
    const entries = await read({
      'a.json': { chats: [chat('PA1', own, { threads: 7 }), { id: 'PA2', threads: [7] }] },
    });
    expect(said(entries, 'not-an-object')).toEqual([
      'Expected a list of threads, found a number',
      'Expected a thread, found a number',
    ]);
  });

  it('may be next to threads in one answer', async () => {
    const lone = { ...other, chat_id: 'PA1' };
    const answer = { properties: { a: { b: 1 } }, chats: [chat('PA1', own)], found_chats: 1, threads: [lone] };
    for (const content of [answer, [answer], { threads: [lone], chats: [chat('PA1', own)] }])
      expect(ids(await read({ 'a.json': content })).toSorted()).toEqual(['PA1 T1_1', 'PA1 T2_1']);
    const entries = await read({ 'a.json': { chats_summary: [summary('PA1', 'T9')], threads: [lone] } });
    expect(ids(entries)).toEqual(['PA1 T2_1']);
    expect(said(entries, 'export-is-partial')).toEqual(['Chats name threads that no file has: "T9"']);
  });

  it('with its last thread in short keeps the events of its thread', async () => {
    const entries = await read({ 'a.json': { chats: [{ ...summary('PA1', 'T1'), thread: own }] } });
    expect(ids(entries)).toEqual(['PA1 T1_1']);
    expect(said(entries, 'export-is-partial')).toEqual([]);
  });

  it('is not whole if its thread has no events', async () => {
    const { events: _, ...empty } = other;
    const entries = await read({ 'a.json': { chats: [chat('PA1', own), chat('PA2', empty)] } });
    expect(said(entries, 'export-is-partial')).toEqual(['a thread has no "events"']);
  });
});

it('events of a chat without an id are invalid one by one', async () => {
  const entries = await read({
    'a.json': {
      chats: [chat('PA1', thread('T1', [event('T1_1')])), { thread: thread('T2', [event('T2_1'), event('T2_2')]) }],
    },
  });
  expect(messagesOf(entries).length).toBe(1);
  expect(said(entries, 'livechat-no-chat').length).toBe(2);
});

it('a row that is neither a chat nor a thread is invalid', async () => {
  const entries = await read({
    'a.json': { chats: [chat('PA1', thread('T1', [event('T1_1')])), {}, chat('PA2', {})] },
  });
  expect(said(entries, 'missing-id').length).toBe(2);
});

it('an author who is an object is no author', async () => {
  const entries = await read({ 'a.json': chat('PA1', thread('T1', [event('T1_1', { author_id: { id: '70' } })])) });
  expect(said(entries, 'row-not-understood')).toEqual(['Expected "author_id" to be an id, found an object']);
});

it('chats of version 2 of the REST API are named, and not read', async () => {
  const old = {
    chats: [{ type: 'chat', id: 'MH02', visitor_name: 'Ines', messages: [{ text: 'Hello', user_type: 'visitor' }] }],
  };
  const entries = await read({ 'a.json': chat('PA1', thread('T1', [event('T1_1')])), 'old.json': old });
  expect(entries).toContainEqual({
    type: 'file',
    path: 'old.json',
    role: 'unknown',
    reason: 'Chats of the REST API of version 2 are not read: fetch list_archives',
    isChat: true,
  });
});
