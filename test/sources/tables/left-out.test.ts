import { describe, expect, it } from 'vitest';
import { conversationsIn, faultsIn, messagesIn, readCsv } from './export-of.ts';

const messages = 'id,room,at,text\nm1,r1,1700000000,one\nm2,r2,1700000001,two\nm3,r2,1700000002,three\n';
const rooms = 'id,name,deleted_at\nr1,Harbour,\nr2,Gone,2024-06-01\n';

describe('a conversation that the mapping leaves out', () => {
  const conversations = { id: 'id', name: 'name', only: { deleted_at: [''] } };

  it('takes its messages with it, and both are counted', async () => {
    const entries = await readCsv(
      { 'messages.csv': messages, 'rooms.csv': rooms },
      { tables: { conversations: { file: 'rooms.csv' } }, conversations },
    );
    expect(conversationsIn(entries).map(({ name }) => name)).toEqual(['Harbour']);
    expect(messagesIn(entries).map(({ text }) => text)).toEqual(['one']);
    expect(faultsIn(entries)).toEqual([
      'left-out rooms.csv: Rows that the mapping\'s "only: deleted_at" left out: 1',
      'skipped messages.csv:3 conversations.only: deleted_at',
      'skipped messages.csv:4 conversations.only: deleted_at',
    ]);
  });

  it('is none where every row is wanted: the column may be missing', async () => {
    const entries = await readCsv(
      { 'messages.csv': messages, 'rooms.csv': 'id,name\nr1,Harbour\n' },
      {
        tables: { conversations: { file: 'rooms.csv' } },
        conversations: { ...conversations, only: { deleted_at: { any: true } } },
      },
    );
    expect(messagesIn(entries)).toHaveLength(3);
    expect(faultsIn(entries).filter((fault) => !fault.startsWith('missing-column'))).toEqual([]);
  });

  it.each([
    [{ filled: false }, ['Harbour']],
    [{ filled: true }, ['Gone']],
    [{ any: true }, ['Harbour', 'Gone']],
  ])('is one that %j does not take', async (condition, names) => {
    const entries = await readCsv(
      { 'messages.csv': messages, 'rooms.csv': rooms },
      {
        tables: { conversations: { file: 'rooms.csv' } },
        conversations: { ...conversations, only: { deleted_at: condition } },
      },
    );
    expect(conversationsIn(entries).map(({ name }) => name)).toEqual(names);
  });

  it('is not brought back by its members', async () => {
    const entries = await readCsv(
      { 'messages.csv': messages, 'rooms.csv': rooms, 'members.csv': 'room,who\nr2,ann\n' },
      {
        tables: { conversations: { file: 'rooms.csv' }, members: { file: 'members.csv' } },
        conversations,
        members: { conversation: 'room', user: 'who' },
      },
    );
    expect(conversationsIn(entries).map(({ id }) => id)).toEqual(['r1']);
  });

  it('needs its column: without it no message is sent, since its conversation may be one that is left out', async () => {
    const entries = await readCsv(
      { 'messages.csv': messages, 'rooms.csv': 'id,name\nr1,Harbour\nr2,Gone\n' },
      { tables: { conversations: { file: 'rooms.csv' } }, conversations },
    );
    expect(messagesIn(entries)).toEqual([]);
    expect(faultsIn(entries)).toEqual([
      expect.stringContaining('missing-column rooms.csv:2'),
      ...[2, 3, 4].map((line) => expect.stringContaining(`conversation-unclear messages.csv:${line}`)),
    ]);
  });

  it('may be in a row that cannot be read: messages of conversations in other rows are sent', async () => {
    const entries = await readCsv(
      { 'messages.csv': messages, 'rooms.csv': 'id,name,deleted_at\nr1,Harbour,\nr2,Gone\n' },
      { tables: { conversations: { file: 'rooms.csv' } }, conversations },
    );
    expect(messagesIn(entries).map(({ text }) => text)).toEqual(['one']);
    expect(faultsIn(entries).filter((fault) => fault.startsWith('conversation-unclear'))).toHaveLength(2);
  });

  it('is none where nothing is left out: a row that cannot be read costs its name alone', async () => {
    const entries = await readCsv(
      { 'messages.csv': messages, 'rooms.csv': 'id,name,deleted_at\nr1,Harbour,\nr2,Gone\n' },
      { tables: { conversations: { file: 'rooms.csv' } }, conversations: { id: 'id', name: 'name' } },
    );
    expect(messagesIn(entries)).toHaveLength(3);
  });
});
