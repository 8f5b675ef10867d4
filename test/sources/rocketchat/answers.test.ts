import { describe, expect, it } from 'vitest';
import { rocketchat } from '../../../src/sources/rocketchat/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const ann = { _id: 'annannannannanna1', username: 'ann' };
const messages = (room: string, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ _id: `${room}-${from + index}`, rid: room, msg: 'Hi', u: ann },
    ts: new Date(1_772_442_000_000 + 1000 * (from + index)).toISOString(),
  }));
const page = (room: string, offset: number, count: number, total: number) => ({
  messages: messages(room, offset, count),
  ...{ count, offset, total, success: true },
});

async function missingIn(files: Record<string, object>) {
  const entries = await readAll(rocketchat, memoryInput(files));
  return entries.flatMap((entry) =>
    entry.type === 'problem' && entry.code === 'export-is-partial' ? [[entry.location.path, entry.count ?? 1]] : [],
  );
}

describe('an answer of the API', () => {
  it('that counts more messages than it has says how many are missing', async () => {
    expect(await missingIn({ 'general.json': page('GENERAL', 0, 2, 5) })).toEqual([['general.json', 3]]);
    expect(await missingIn({ 'general.json': page('GENERAL', 3, 2, 5) })).toEqual([['general.json', 3]]);
  });

  it('is whole with the other pages of the same room, not with those of another one', async () => {
    const first = page('GENERAL', 0, 2, 4);
    expect(await missingIn({ '1.json': first, '2.json': page('GENERAL', 2, 2, 4) })).toEqual([]);
    expect(await missingIn({ '1.json': first, '2.json': page('OTHER', 0, 4, 4) })).toEqual([['1.json', 2]]);
  });

  it('may say it before its messages, and of people', async () => {
    const sorted = { count: 1, messages: messages('GENERAL', 0, 1), offset: 0, success: true, total: 2 };
    const users = { users: [ann], count: 1, offset: 0, total: 9, success: true };
    expect(await missingIn({ 'general.json': sorted, 'users.json': users })).toEqual([
      ['users.json', 8],
      ['general.json', 1],
    ]);
  });
});

describe('rows of the API that were fetched, one a line', () => {
  const linesOf = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const recordsIn = async (files: Record<string, string | object>) =>
    (await readAll(rocketchat, memoryInput(files))).flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));

  it('may begin with the latest: messages of one time keep the order in which they were written', async () => {
    const [first, second, third] = messages('GENERAL', 0, 3);
    const newestFirst = [third!, { ...second!, ts: first!.ts }, first!];
    const sorted = (await recordsIn({ 'messages/GENERAL.ndjson': linesOf(newestFirst) }))
      .flatMap((record) => (record.kind === 'message' ? [record] : []))
      .toSorted((a, b) => a.sentAtMs - b.sentAtMs || (a.sortKey < b.sortKey ? -1 : 1));
    expect(sorted.map(({ origin }) => origin.id)).toEqual(['GENERAL-0', 'GENERAL-1', 'GENERAL-2']);
  });

  it('say who is in a room, and a list of people says more of them', async () => {
    const records = await recordsIn({
      'people.ndjson': linesOf([{ ...ann, name: 'Ann Bruun', active: true, roles: ['user'] }]),
      'room-members.ndjson': linesOf([
        { ...ann, rid: 'GENERAL' },
        { _id: 'bobobobobobobobo1', username: 'bo', rid: 'GENERAL' },
      ]),
      'rooms.ndjson': linesOf([{ _id: 'GENERAL', t: 'c', name: 'general', msgs: 0, usersCount: 2 }]),
    });
    expect(records).toContainEqual(
      expect.objectContaining({ kind: 'conversation', id: 'GENERAL', members: [ann._id, 'bobobobobobobobo1'] }),
    );
    const people = records.flatMap((record) => (record.kind === 'user' ? [record.name] : []));
    expect(people).toEqual(['Ann Bruun', 'bo']);
  });
});
