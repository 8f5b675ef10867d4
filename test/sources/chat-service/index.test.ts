import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import { type MessageRecord, recordSchema } from '../../../src/model/records.ts';
import { chatService } from '../../../src/sources/chat-service/index.ts';
import { anyText, naughtyStrings } from '../../arbitrary-text.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';

type Row = Record<string, unknown>;

const row = (id: number | string, more: Row = {}): Row => ({
  id: String(id),
  conversationId: 'group_crew',
  sender: 'ann',
  receiverType: 'group',
  receiver: 'crew',
  category: 'message',
  type: 'text',
  data: { text: `Message ${id}` },
  sentAt: 1_772_467_320,
  ...more,
});

const entriesOf = (files: Record<string, unknown>, context = {}): Promise<Entry[]> =>
  readAll(chatService, memoryInput(files), context);

const messagesIn = (entries: readonly Entry[]): MessageRecord[] =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));

const read = async (rows: readonly Row[]) => messagesIn(await entriesOf({ 'page.json': { data: rows } }));

const only = async (more: Row): Promise<MessageRecord> => (await read([row(1, more)]))[0]!;

describe('source chat-service', () => {
  it('reads the same messages from every shape of file', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => row(index + 1, { sentAt: 1_772_467_320 + index }));
    const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
    const page = (from: number, to: number) => ({
      data: rows.slice(from, to),
      meta: { current: { count: to - from } },
    });
    const pages = [page(0, 10), page(10, 10), page(10, 30)];
    const expected = await read(rows);
    expect(expected.map(({ origin }) => origin.id)).toEqual(rows.map(({ id }) => id));
    const shapes: Record<string, unknown>[] = [
      { 'page.json': JSON.stringify(page(0, 30), null, 2) },
      { 'page.json': { meta: {}, data: rows } },
      { 'pages.json': pages },
      { 'pages.json': pages.map((one) => JSON.stringify(one, null, 2)).join('\n') },
      { 'pages.ndjson': lines(pages) },
      { 'pages.JSONL': lines(pages) },
      { 'messages.json': rows },
      { 'messages.json': lines(rows) },
      { 'messages.json': lines(rows).replaceAll('\n', '') },
      { 'messages.json': `\ufeff${lines(rows)}` },
      { 'messages.ndjson': Buffer.from(`\ufeff${lines(rows)}`, 'utf16le') },
      { 'without-an-ending': lines(rows) },
      { 'answers.ndjson': lines(rows.map((data) => ({ data }))) },
      { 'body.json': { messages: rows } },
      { 'a.json': page(0, 10), 'b/c.ndjson': lines([page(10, 30)]) },
    ];
    for (const files of shapes) {
      const entries = await entriesOf(files);
      expect(messagesIn(entries), JSON.stringify(files).slice(0, 80)).toEqual(expected);
      expect(entries.filter(({ type }) => type === 'invalid' || type === 'problem')).toEqual([]);
    }
  });

  it('keeps the order of an import body, for keys of any form', async () => {
    const keys = ['zz', '12', '3', 'constructor', '__proto__', 'toString'];
    const items = keys.map((muid) => `${JSON.stringify(muid)}:${JSON.stringify({ ...row(0), id: undefined, muid })}`);
    const entries = await entriesOf({ 'body.json': `{"messages":{${items.join(',')}}}` });
    expect(messagesIn(entries).map(({ origin, sortKey }) => [origin.id, sortKey])).toEqual(
      keys.map((key) => [key, '']),
    );
    expect(entries.map((entry) => entry.type !== 'file' && entry.location.pointer)).toContain('/messages/__proto__');
  });

  it('takes the workspace from the manifest of a fetch, else from the user', async () => {
    const workspaceOf = async (files: Record<string, unknown>) =>
      messagesIn(await entriesOf({ 'x.ndjson': JSON.stringify(row(1)), ...files }, { workspace: 'mine' }))[0]!.origin
        .workspace;
    const of = (workspace: string | null) => ({ chatferryFetch: 1, source: 'chat-service', workspace, ended: 'x' });
    expect(await workspaceOf({ 'chatferry-fetch.json': of('harbour') })).toBe('harbour');
    expect(await workspaceOf({ 'chatferry-fetch.json': of(null) })).toBe('mine');
    expect(await workspaceOf({})).toBe('mine');
    const both = { 'a/chatferry-fetch.json': of('harbour'), 'b/chatferry-fetch.json': of('pier') };
    await expect(workspaceOf(both)).rejects.toThrow('Cannot read fetches of 2 installations as one export');
  });

  it('leaves out files that macOS puts next to its lists', async () => {
    const page = { data: [row(1)] };
    const entries = await entriesOf({ '._page-1.json': '\0\x05\x16\x07', 'page-1.json': page, 'Thumbs.db': 'x' });
    expect(entries.filter(({ type }) => type === 'invalid')).toEqual([]);
    expect(entries.flatMap((entry) => (entry.type === 'file' ? [`${entry.role} ${entry.path}`] : []))).toEqual([
      ...['skipped ._page-1.json', 'skipped Thumbs.db', 'rows page-1.json'],
    ]);
  });

  it('recognises a fetch that brought no message', async () => {
    const manifest = { chatferryFetch: 1, provider: 'mine', source: 'chat-service', ended: '2026-03-02T16:00:00.000Z' };
    const file = memoryInput({ 'chatferry-fetch.json': manifest });
    expect(await chatService.probe(file)).toMatchObject({ match: 'certain' });
    expect(await readAll(chatService, file)).toMatchObject([{ type: 'file', role: 'skipped' }]);
  });

  it('never takes a group for a chat of two people', async () => {
    const [group, direct] = await read([
      row(1, { receiver: 'ann_user_bob', conversationId: 'group_ann_user_bob' }),
      row(2, { receiverType: 'user', receiver: 'bob', conversationId: 'crew' }),
    ]);
    expect(group!.origin.conversation).toBe('group:ann_user_bob');
    expect(direct!.origin.conversation).toBe('ann_user_bob');
  });

  it('keeps a chat of two people together, in either order of their names', async () => {
    const both = await read([
      row(1, { receiverType: 'user', receiver: 'Bob', conversationId: 'bob_user_ann' }),
      row(2, { receiverType: 'user', sender: 'bob', receiver: 'ann', conversationId: 'bob_user_ann' }),
    ]);
    expect(both.map(({ origin, author }) => [origin.conversation, author])).toEqual([
      ['bob_user_ann', 'ann'],
      ['bob_user_ann', 'bob'],
    ]);
  });

  it('includes neither the secret of a call nor the data that a form button sends', async () => {
    const secret = 'not-to-be-migrated';
    const entries = await entriesOf({
      'page.json': [
        row(1, {
          category: 'call',
          data: { entities: { on: { entityType: 'call', entity: { wsChannel: { secret }, status: 'initiated' } } } },
        }),
        row(2, {
          category: 'interactive',
          data: { interactiveData: { title: 'Form', submitElement: { action: { headers: { 'x-key': secret } } } } },
        }),
      ],
    });
    expect(messagesIn(entries)).toHaveLength(2);
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it('orders messages of one second by number, not by text', async () => {
    const [nine, ten, long] = await read([row(9), row(10), row('9007199254740993')]);
    expect([nine!.sortKey < ten!.sortKey, ten!.sortKey < long!.sortKey]).toEqual([true, true]);
  });

  it('accepts times as numbers and as text, and rejects milliseconds', async () => {
    expect((await only({ sentAt: '1772467320' })).sentAtMs).toBe(1_772_467_320_000);
    const entries = await entriesOf({ 'page.json': [row(1, { sentAt: 1_772_467_320_000 })] });
    expect(entries[0]).toMatchObject({ type: 'invalid', code: 'bad-sent-at', location: { pointer: '/0' } });
  });

  it('shows mentions by name if the message or an earlier one names the person', async () => {
    const named = await only({
      data: { text: '<@uid:bob> and <@uid:Cleo>, <@uid:bob>!', mentions: { bob: { uid: 'bob', name: 'Bob Ray' } } },
    });
    expect(named.text).toBe('@Bob Ray and @cleo, @Bob Ray!');
    expect(named.mentions).toEqual(['bob', 'cleo']);
  });

  it('finds the root of a thread by the id that the service gave it, and by the muid that an import wrote', async () => {
    const ferried = { v: 1, key: 'm2', thread: 'm1', quote: 'm1' };
    const [, imported, live] = await read([
      row(7, { muid: 'm1' }),
      row(8, { muid: 'm2', data: { text: 'x', metadata: { chatferry: ferried } } }),
      row(9, { parentId: 7 }),
    ]);
    expect(imported).toMatchObject({ threadRoot: '7', quoteOf: '7' });
    expect(live).toMatchObject({ threadRoot: '7' });
  });

  it('counts a reaction once if it is both in the metadata and at the service', async () => {
    const data = {
      text: 'x',
      metadata: { chatferry: { v: 1, key: 'k', reactions: [{ emoji: '🎉', count: 3, by: ['bob'] }] } },
      reactions: [{ reaction: '🎉', count: 2 }],
    };
    expect((await only({ data })).reactions).toEqual([{ emoji: '🎉', users: ['bob'], count: 3 }]);
  });

  it('keeps any text, name and app data as it is', async () => {
    const isPlain = (text: string) => !text.includes('<@uid:');
    const names = naughtyStrings() ?? [];
    const check = async (text: string) => {
      const data = { text, metadata: { [text]: text }, attachments: [{ name: text || 'x', url: text }] };
      const entries = await entriesOf({ 'x.json': [row(1, { data, senderUserDetails: { uid: 'ann', name: text } })] });
      const [record] = messagesIn(entries);
      expect(record!.text).toBe(text);
      for (const entry of entries) if (entry.type === 'record') recordSchema.parse(entry.record);
    };
    await fc.assert(fc.asyncProperty(anyText.filter(isPlain), check), { numRuns: 200 });
    for (const text of names.filter(isPlain)) await check(text);
  });

  it('makes an entry of any value in place of a message, and never throws', async () => {
    const field = fc.constantFrom(
      ...Object.keys(row(1)),
      'muid',
      'tags',
      'parentId',
      'editedAt',
      'receiverUserDetails',
    );
    const change = fc.tuple(field, fc.jsonValue());
    const inData = fc.constantFrom(
      'text',
      'attachments',
      'metadata',
      'reactions',
      'mentions',
      'entities',
      'customData',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change), fc.array(fc.tuple(inData, fc.jsonValue())), async (changes, data) => {
        const value = { ...row(1, { data: Object.fromEntries(data) }), ...Object.fromEntries(changes) };
        const entries = await entriesOf({ 'x.json': [value, row(2)] });
        const rows = entries.filter((entry) => entry.type === 'invalid' || messagesIn([entry]).length > 0);
        // An answer or a body inside of the list may hold several rows, or none.
        if (value.receiverType !== undefined) expect(rows).toHaveLength(2);
        for (const entry of entries) if (entry.type === 'record') recordSchema.parse(entry.record);
      }),
    );
  });
});

const suite = sharedFolder('corpora/JSONTestSuite/test_parsing');

describe.skipIf(suite === null)('source chat-service on any JSON', () => {
  it('ends every file with its entry, and yields rejects and no messages', async () => {
    for (const name of readdirSync(suite!)) {
      const entries = await entriesOf({ 'x.json': readFileSync(join(suite!, name)) });
      expect(entries.at(-1), name).toEqual({ type: 'file', path: 'x.json', role: 'rows' });
      expect(
        entries.slice(0, -1).filter(({ type }) => type !== 'invalid'),
        name,
      ).toEqual([]);
    }
  });
});
