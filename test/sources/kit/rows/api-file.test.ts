import { expect, it } from 'vitest';
import type { Entry } from '../../../../src/model/entry.ts';
import { DeskPeople } from '../../../../src/sources/kit/desk/desk-people.ts';
import { problemEntry } from '../../../../src/sources/kit/entries.ts';
import { ApiFile } from '../../../../src/sources/kit/rows/api-file.ts';
import type { GoodRow } from '../../../../src/sources/kit/rows/json-entries.ts';

class TestFile extends ApiFile<object, { readonly people: DeskPeople }> {
  add({ value, location }: GoodRow, into: Entry[]): undefined {
    this.counts.add('tags-lost', 'tags');
    const inside = { into, location, under: '/parts', conversation: '7' };
    this.each(value as readonly unknown[], inside, (part, at) => {
      if (part === 'bad') throw new TypeError('no text');
      into.push(problemEntry(String(part), 'A part', at));
    });
  }
}

const fileOf = (hasMessages: boolean, people = new DeskPeople()) =>
  new TestFile({
    ...{ path: 'a.json', layout: {}, workspace: '', hasMessages },
    ...{ directory: { people }, codes: ['tags-lost'] },
  });

const rowAt = { location: { path: 'a.json', pointer: '/0' }, value: ['x', 'bad', 'y'] };

function read(hasMessages: boolean): readonly Entry[] {
  const into: Entry[] = [];
  const file = fileOf(hasMessages);
  file.add(rowAt, into);
  for (const scope of ['row', 'no-row'] as const)
    file.addFault({ location: { path: 'a.json' }, fault: { code: 'json-syntax', reason: 'No JSON', scope } }, into);
  return [...into, ...file.end()];
}

const shown = (entries: readonly Entry[]) =>
  entries.map((entry) => ('code' in entry ? [entry.type, entry.code, entry.location.pointer ?? ''].join(' ') : ''));

it('ApiFile makes an invalid row of what may have been a message, and reads what is around it', () => {
  const entries = read(true);
  expect(shown(entries)).toEqual([
    'problem x /0/parts/0',
    'invalid row-not-understood /0/parts/1',
    'problem y /0/parts/2',
    'invalid json-syntax ',
    'problem tags-lost ',
  ]);
  expect(entries[1]).toMatchObject({ conversation: '7' });
});

it('ApiFile names what it leaves out of a list of people or conversations as problems', () => {
  expect(shown(read(false)).filter((words) => words.startsWith('invalid'))).toEqual([]);
});

it('ApiFile prefers people of lists to those next to messages, and keeps the latter to their file', () => {
  const people = new DeskPeople();
  const add = (file: TestFile, id: string, name: string) => {
    const into: Entry[] = [];
    file.addPerson({ kind: 'user', id, name }, 'No person', { path: 'a.json' }, into);
    return into.length;
  };
  expect(add(fileOf(false, people), '1', 'Ada')).toBe(1);
  expect([add(fileOf(true, people), '1', 'A.'), add(fileOf(true, people), '2', 'Bo')]).toEqual([0, 1]);
  expect(add(fileOf(true, people), '2', 'Bo')).toBe(1);
  const into: Entry[] = [];
  expect(fileOf(true).addPerson(undefined, 'No person', { path: 'a.json' }, into)).toBe(false);
  expect(shown(into)).toEqual(['problem user-without-id ']);
});
