import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import { signal } from '../../../src/sources/signal/index.ts';
import { memoryInput, type MemoryFiles } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const entriesOf = (files: MemoryFiles, label?: string): Promise<Entry[]> =>
  readAll(signal, memoryInput(files, label), {}, { zone: 'UTC' });
const recordsOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));
const messagesOf = async (files: MemoryFiles) =>
  recordsOf(await entriesOf(files)).flatMap((record) => (record.kind === 'message' ? [record] : []));

const account = (byte: number): string => Buffer.alloc(16, byte).toString('base64');
const group = (id: string, members: readonly number[]) => ({
  recipient: {
    id,
    group: {
      masterKey: Buffer.alloc(32, Number(id)).toString('base64'),
      snapshot: { title: { title: `Group ${id}` }, members: members.map((byte) => ({ userId: account(byte) })) },
    },
  },
});
const contact = (id: string, byte: number) => ({
  recipient: { id, contact: { aci: account(byte), profileGivenName: id } },
});
const backup = (...frames: readonly object[]) => ({
  'main.jsonl': [
    { version: '1', backupTimeMs: '1' },
    { account: { givenName: 'Ines' } },
    { recipient: { id: '1', self: {} } },
    ...frames,
  ]
    .map((frame) => JSON.stringify(frame))
    .join('\n'),
});
const item = (dateSent: string, authorId: string, content: object) => ({
  chatItem: { chatId: '1', authorId, dateSent, ...content },
});
const said = (body: string) => ({ standardMessage: { text: { body } } });

describe('an export of Signal itself', () => {
  it('has oneself in the groups, and a stranger by the account', async () => {
    const files = backup(group('20', [1, 2, 9]), contact('2', 2), group('21', [1, 2]), {
      chat: { id: '1', recipientId: '20' },
    });
    const [conversation] = recordsOf(await entriesOf(files)).filter(({ kind }) => kind === 'conversation');
    expect(conversation).toMatchObject({
      members: ['self', expect.stringMatching(/^0202/), expect.stringMatching(/^0909/)],
    });
  });

  it('does not guess the owner if two people are possible', async () => {
    const files = backup(group('20', [1, 9]), { chat: { id: '1', recipientId: '20' } });
    const [conversation] = recordsOf(await entriesOf(files)).filter(({ kind }) => kind === 'conversation');
    expect(conversation).toMatchObject({ members: [expect.stringMatching(/^0101/), expect.stringMatching(/^0909/)] });
  });

  it('shows the key of a group nowhere', async () => {
    const files = backup(
      group('20', [1]),
      { chat: { id: '1', recipientId: '20' } },
      item('1772442000000', '1', said('Hi')),
    );
    const shown = JSON.stringify(await entriesOf(files));
    expect(shown).not.toContain(Buffer.alloc(32, 20).toString('base64').slice(0, 20));
    expect(shown).toContain('"group-');
  });

  it('has the same ids when people and chats are numbered otherwise', async () => {
    const exportOf = (tom: string, chat: string) => {
      const row = { ...item('1772442000000', tom, said('Hi')).chatItem, chatId: chat };
      return messagesOf(backup(contact(tom, 2), { chat: { id: chat, recipientId: tom } }, { chatItem: row }));
    };
    const [first, second] = [await exportOf('2', '1'), await exportOf('77', '5')];
    expect(first.map(({ origin }) => origin)).toEqual(second.map(({ origin }) => origin));
  });

  it('breaks at no key that objects have of themselves', async () => {
    const hostile = ['constructor', '__proto__', 'toString', '', 'x{who}'];
    const updates = hostile.map((key) => ({ [key]: { updaterAci: 'x', constructor: 'y' } }));
    const bodyRanges = hostile.map((style) => ({ length: 1, style }));
    const messages = await messagesOf(
      backup(
        contact('2', 2),
        { chat: { id: '1', recipientId: '2' } },
        ...hostile.map((key) => ({ [key]: {} })),
        ...updates.map((update, at) => item(`17724420000${at}0`, '2', { updateMessage: update })),
        item('1772442000100', '2', { updateMessage: { groupChange: { updates } } }),
        item('1772442000200', '2', { updateMessage: { simpleUpdate: { type: 'constructor' } } }),
        item('1772442000300', '2', { standardMessage: { text: { body: 'Hello', bodyRanges } } }),
      ),
    );
    expect(messages.map(({ text }) => text)).toEqual(expect.arrayContaining(['x{who}', 'constructor', 'Hello']));
  });

  it('reads an update of more changes than a function takes arguments', async () => {
    const updates = Array.from({ length: 130_000 }, () => ({ a: {} }));
    const update = item('1772442000000', '2', { updateMessage: { groupChange: { updates } } });
    const [message] = await messagesOf(backup(contact('2', 2), { chat: { id: '1', recipientId: '2' } }, update));
    expect(message!.systemEvent).toBe('a');
  });

  it('keeps what an update says beyond its sentence', async () => {
    const update = {
      groupChange: { updates: [{ groupMembershipAccessLevelChangeUpdate: { accessLevel: 'ADMINISTRATOR' } }] },
    };
    const [message] = await messagesOf(
      backup(
        contact('2', 2),
        { chat: { id: '1', recipientId: '2' } },
        item('1772442000000', '2', { updateMessage: update }),
      ),
    );
    expect(message).toMatchObject({
      systemEvent: 'group-membership-access-level-change',
      custom: { accessLevel: 'ADMINISTRATOR' },
    });
  });
});

describe('a folder of signal-export', () => {
  const line = '[2020-01-01 12:00:05] Ann: Hello\n[2020-01-01 12:00:06] Ann: you\n';

  it('keeps a text file that was sent as a file', async () => {
    const entries = await entriesOf({ 'Ann/chat.md': line, 'Ann/media/old chat.txt': line });
    const left = entries.filter((entry) => entry.type === 'file' && entry.role === 'skipped');
    expect(left).toMatchObject([{ path: 'Ann/media/old chat.txt' }]);
  });

  it('is named after the export if it has no folder', async () => {
    const entries = await entriesOf({ 'chat.md': line, 'index.html': '<html>' }, 'Ann Kai.zip');
    expect(recordsOf(entries)[0]).toMatchObject({ kind: 'conversation', id: 'Ann Kai' });
  });

  it('gives the second hour of the night in which the clock is put back its own times', async () => {
    const text = ['01:59:00', '02:30:00', '02:59:00', '02:10:00', '03:00:00']
      .map((time, at) => `[2023-10-29 ${time}] Ann: ${at}`)
      .join('\n');
    const entries = await readAll(signal, memoryInput({ 'Ann/chat.md': text }), {}, { zone: 'Europe/Berlin' });
    const times = recordsOf(entries).flatMap((record) => (record.kind === 'message' ? [record.sentAtMs] : []));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});

it('probe() of Signal takes neither tables nor chats of others', async () => {
  for (const files of [
    { 'a.txt': '[1/1/20, 12:00] Ann: Hello\n[1/1/20, 12:01] Ann: you\n' },
    { 'data.json': [{ date: '2020-01-01', body: 'x' }] },
    { 'rows.json': [{ conversationId: 'c', sent_at: 1, type: 'note' }] },
    { 'main.jsonl': '{"version":"1"}\n' },
    { 'log.txt': '[2020-01-01 12:00:05] Ann: Hello\n[2020-01-01 12:00:06] Ann: you\n' },
  ])
    expect(await signal.probe(memoryInput(files))).toEqual({ match: 'no' });
});
