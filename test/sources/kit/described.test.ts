import { expect, it } from 'vitest';
import { Described, Seen } from '../../../src/sources/kit/described.ts';

const user = (id: string, name: string) => ({ kind: 'user', id, name }) as const;

it('Described knows a description for the first time, a second one that differs, and a repeated one', () => {
  const described = new Described();
  const room = { kind: 'conversation' as const, id: '1', type: 'public' as const, name: 'Quay', members: [] };
  expect(described.add(user('1', 'Ada'))).toBe('new');
  expect(described.add(user('1', 'Ada'))).toBe('same');
  expect(described.add(room)).toBe('new');
  expect(described.add(user('1', 'Ada L.'))).toBe('changed');
  expect(described.nameOf('user', '1')).toBe('Ada L.');
  expect(described.nameOf('conversation', '1')).toBe('Quay');
  expect(described.nameOf('user', '2')).toBeUndefined();
});

it('Described starts over if there are too many', () => {
  const described = new Described(2);
  for (const id of ['1', '2', '3']) described.add(user(id, id));
  expect(described.add(user('3', '3'))).toBe('same');
  expect(described.add(user('1', '1'))).toBe('new');
});

it('Seen knows an id once', () => {
  const seen = new Seen();
  expect(['1', '2', '1'].map((id) => seen.add(id))).toEqual([true, true, false]);
});
