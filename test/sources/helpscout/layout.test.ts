import { describe, expect, it } from 'vitest';
import { helpscout } from '../../../src/sources/helpscout/index.ts';
import { conversationIn } from '../../../src/sources/helpscout/layout.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { messagesOf } from '../../contracts/source/check.ts';

const thread = (id: number, more: object = {}) => ({
  ...{ id, type: 'customer', state: 'published', body: 'Hi', createdAt: '2026-03-02T09:00:00Z', source: {} },
  ...{ createdBy: { id: 5, type: 'customer', first: 'Ines', last: 'Bruun' } },
  ...more,
});

const answer = (conversation: number, threads: readonly object[], page = { number: 1, totalPages: 1 }) => ({
  _embedded: { threads },
  _links: { self: { href: `https://api.helpscout.net/v2/conversations/${conversation}/threads` } },
  page,
});

const conversation = (id: number, more: object = {}) => ({
  ...{ id, mailboxId: 1, primaryCustomer: { id: 5, type: 'customer', first: 'Ines' }, state: 'published', threads: 1 },
  ...{ subject: 's', createdAt: '2026-03-02T09:00:00Z', ...more },
});

const readFiles = async (files: Readonly<Record<string, unknown>>) => {
  const entries = await readAll(helpscout, memoryInput(files));
  return {
    messages: messagesOf(entries).map(({ origin, text }) => `${origin.conversation} ${origin.id} ${text}`),
    codes: entries.flatMap((entry) => ('code' in entry ? [entry.code] : [])),
  };
};

describe('conversationIn()', () => {
  it.each([
    ['conversations/123/threads.json', '123'],
    ['conversation-123.json', '123'],
    ['threads/123-2.json', '123'],
    ['desk/123.json', undefined],
    ['2026.json', undefined],
    ['threads-2.json', undefined],
    ['threads/7.json', '7'],
    ['threads/8/7.json', undefined],
    ['page-2.json', undefined],
    ['conversations/2026/123.json', undefined],
  ])('finds in "%s" the conversation %s', (path, conversation) => {
    expect(conversationIn(path)).toBe(conversation);
  });
});

describe('a file of threads', () => {
  it('is of the conversation in its address, whatever its name is', async () => {
    expect(await readFiles({ '9.json': answer(7, [thread(1)]) })).toEqual({ messages: ['7 1 Hi'], codes: [] });
  });

  it('is of no conversation because a text has an address', async () => {
    const body = '"href": "https://api.helpscout.net/v2/conversations/8/threads"';
    const { _links, ...bare } = answer(7, [thread(1, { body })]);
    expect(await readFiles({ 'a.json': bare })).toEqual({ messages: [], codes: ['helpscout-no-conversation'] });
  });

  it('may be a list of answers for several conversations', async () => {
    const answers = [answer(7, [thread(1)]), answer(8, [thread(1)])];
    expect(await readFiles({ 'a.json': answers })).toEqual({ messages: ['7 1 Hi', '8 1 Hi'], codes: [] });
    const lines = answers.map((one) => JSON.stringify(one)).join('\n');
    expect(await readFiles({ 'a.ndjson': lines })).toEqual({ messages: ['7 1 Hi', '8 1 Hi'], codes: [] });
  });

  it('in an answer without an address is of the conversation in the path, never of that of another answer', async () => {
    const { _links, ...bare } = answer(8, [thread(2)]);
    const answers = [answer(7, [thread(1)]), bare];
    const lines = answers.map((one) => JSON.stringify(one)).join('\n');
    const codes = ['helpscout-no-conversation'];
    expect(await readFiles({ 'a.json': answers })).toEqual({ messages: ['7 1 Hi'], codes });
    expect(await readFiles({ 'a.ndjson': lines })).toEqual({ messages: ['7 1 Hi'], codes });
    expect((await readFiles({ 'threads/9.ndjson': lines })).messages).toEqual(['7 1 Hi', '9 2 Hi']);
  });

  it('is of the conversation in the path only if the list of conversations has it', async () => {
    const { _links, ...bare } = answer(8, [thread(2)]);
    const list = { _embedded: { conversations: [conversation(7)] }, page: { number: 1, totalPages: 1 } };
    const files = { 'list.json': list, 'threads/7.json': bare, 'conversation-2.json': bare };
    const { messages, codes } = await readFiles(files);
    expect(messages).toEqual(['7 2 Hi']);
    expect(codes).toEqual(['helpscout-no-conversation']);
  });

  it('is deleted if its conversation is, whichever file says so', async () => {
    const deleted = conversation(7, { state: 'deleted' });
    const page = { number: 1, totalPages: 1 };
    const list = { _embedded: { conversations: [deleted] }, page };
    const whole = { _embedded: { conversations: [{ ...deleted, _embedded: { threads: [thread(1)] } }] }, page };
    for (const file of [list, whole]) {
      const files = { 'z-conversations.json': file, 'conversations/7/threads.json': answer(7, [thread(2)]) };
      const read = messagesOf(await readAll(helpscout, memoryInput(files)));
      expect(read.map(({ isDeleted }) => isDeleted)).toEqual(read.map(() => true));
      const wants = (path: string) => path !== 'z-conversations.json';
      const rest = messagesOf(await readAll(helpscout, memoryInput(files), { wants }));
      expect(rest.map(({ isDeleted }) => isDeleted)).toEqual([true]);
    }
    const mixed = [answer(7, [thread(2)]), list].map((one) => JSON.stringify(one)).join('\n');
    const read = messagesOf(await readAll(helpscout, memoryInput({ 'a.ndjson': mixed })));
    expect(read.map(({ isDeleted }) => isDeleted)).toEqual([true]);
  });

  it('on a line is invalid if its list is none, and names lists of other things', async () => {
    const odd = { ...answer(7, []), _embedded: { threads: { id: 1 }, teams: [{ id: 2 }] } };
    const lines = [answer(7, [thread(1)]), odd].map((one) => JSON.stringify(one)).join('\n');
    const { messages, codes } = await readFiles({ 'a.ndjson': lines });
    expect(messages).toEqual(['7 1 Hi']);
    expect(codes).toEqual(['not-an-object', 'helpscout-not-migrated']);
  });

  it('says that pages are missing, unless another file may be one of them', async () => {
    const first = answer(7, [thread(1)], { number: 1, totalPages: 2 });
    expect((await readFiles({ 'threads/7-1.json': first })).codes).toEqual(['export-is-partial']);
    const second = answer(7, [thread(2)], { number: 2, totalPages: 2 });
    expect((await readFiles({ 'threads/7-1.json': first, 'threads/7-2.json': second })).codes).toEqual([]);
    const { page, ...unknown } = second;
    expect((await readFiles({ 'threads/7-1.json': first, 'threads/7-2.json': unknown })).codes).toEqual([]);
  });
});

describe('a thread', () => {
  const textOf = async (more: object) => (await readFiles({ 'a.json': answer(7, [thread(1, more)]) })).messages;

  it('has HTML, even without a tag', async () => {
    expect(await textOf({ body: 'Tom &amp; Ines\n5 &lt; 7' })).toEqual(['7 1 Tom & Ines\n5 < 7']);
    expect(await textOf({ body: 'One\nTwo' })).toEqual(['7 1 One\nTwo']);
  });

  it('of a customer is by the customer, if an agent created it', async () => {
    const made = { createdBy: { id: 5, type: 'user' }, customer: { id: 6, first: 'Tom', last: '' } };
    const entries = await readAll(helpscout, memoryInput({ '7.json': answer(7, [thread(1, made)]) }));
    expect(messagesOf(entries).map(({ author }) => author)).toEqual(['customer:6']);
  });

  it.each([
    ['message', 'published', undefined],
    ['reply', 'published', undefined],
    ['chat', 'published', undefined],
    ['beaconchat', 'published', undefined],
    ['customer', 'hidden', 'note'],
    ['message', 'draft', 'note'],
    ['message', 'underreview', 'note'],
    ['note', 'published', 'note'],
    ['phone', 'published', 'note'],
    ['forwardparent', 'draft', 'side-conversation'],
    ['forwardchild', 'published', 'side-conversation'],
    ['lineitem', 'published', 'note'],
  ])('of the type %s and the state %s with a text is internal: %s', async (type, state, internal) => {
    const entries = await readAll(helpscout, memoryInput({ '7.json': answer(7, [thread(1, { type, state })]) }));
    expect(messagesOf(entries).map((message) => message.internal)).toEqual([internal]);
  });
});
