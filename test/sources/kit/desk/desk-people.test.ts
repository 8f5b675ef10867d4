import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../src/model/entry.ts';
import type { UserRecord } from '../../../../src/model/records.ts';
import { DeskPeople } from '../../../../src/sources/kit/desk/desk-people.ts';

const at = { path: 'a.json' };
const person = (name: string): UserRecord => ({ kind: 'user', id: 'agent:7', name });
const namesIn = (entries: readonly Entry[]) =>
  entries.map((entry) => (entry.type === 'record' && entry.record.kind === 'user' ? entry.record.name : entry.type));

describe('DeskPeople', () => {
  it('keeps the names of lists, whatever is next to messages', () => {
    const people = new DeskPeople();
    const into: Entry[] = [];
    people.list(person('Bo Dahl'), at, into);
    people.inFile().see(person('Bo'), at, into);
    expect(namesIn(into)).toEqual(['Bo Dahl']);
  });

  it('describes a person of a file once, again if the name is another, and never by the id alone behind a name', () => {
    const file = new DeskPeople().inFile();
    const into: Entry[] = [];
    for (const name of ['agent:7', 'Bo', 'Bo', 'agent:7', 'Bo Dahl']) file.see(person(name), at, into);
    expect(namesIn(into)).toEqual(['agent:7', 'Bo', 'Bo Dahl']);
  });
});
