import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import type { ConversationRecord, UserRecord } from '../../../src/model/records.ts';
import { ListDirectory } from '../../../src/sources/kit/directory.ts';

const location = { path: 'lists.json' };
const ada: UserRecord = { kind: 'user', id: 'ada', name: 'Ada' };
const roomOf = (id: string): ConversationRecord => ({
  kind: 'conversation',
  id,
  type: 'private',
  name: id,
  members: [],
});
const namesIn = (entries: readonly Entry[]) =>
  entries.map((entry) =>
    entry.type === 'record' ? (entry.record as UserRecord).name : 'reason' in entry && entry.reason,
  );

describe('the directory of the lists of an export', () => {
  it('says people and conversations once, and what a row without an id should have been', () => {
    const directory = new ListDirectory();
    const into: Entry[] = [];
    expect(directory.addPerson(ada, 'a person with an "id"', location, into)).toBe(true);
    directory.addPerson({ ...ada }, 'a person with an "id"', location, into);
    expect(directory.addPerson(undefined, 'a person with an "id"', location, into)).toBe(false);
    expect(directory.addConversation(roomOf('pier'), 'a room with an "id"', location, into)).toBe(true);
    expect(directory.addConversation(undefined, 'a room with an "id"', location, into)).toBe(false);
    expect(namesIn(into)).toEqual(['Ada', 'Expected a person with an "id"', 'pier', 'Expected a room with an "id"']);
    expect(into.flatMap((entry) => ('code' in entry ? [entry.code] : []))).toEqual([
      'user-without-id',
      'conversation-without-id',
    ]);
  });

  it('describes in each file of messages the conversations that no list has, once', () => {
    const directory = new ListDirectory();
    directory.addConversation(roomOf('pier'), 'a room', location, []);
    for (const file of ['a.json', 'b.json']) {
      const into: Entry[] = [];
      const describe = directory.describer();
      for (const id of ['pier', 'quay', 'quay']) describe(id, () => roomOf(id), { path: file }, into);
      expect(namesIn(into)).toEqual(['quay']);
    }
  });
});
