import { describe, expect, it } from 'vitest';
import { findLists } from '../../../src/sources/json/find-lists.ts';

const message = (id: number | string) => ({ id, text: 'hi', at: 1 });
const push = (digit: number) => `-NabcdefghijkL${digit}mnop`;

describe('findLists()', () => {
  it.each<readonly [what: string, value: unknown, lists: readonly string[]]>([
    ['an array', [message(1), message(2)], ['']],
    [
      'lists inside one object',
      { ok: true, data: { users: [{ id: 1 }], messages: [message(1)] } },
      ['/data/users', '/data/messages'],
    ],
    ['an object of rows by push id', { [push(1)]: message(1) }, ['']],
    ['an object of rows by name', { intro: message(1), outro: message(2) }, ['']],
    [
      'rows by room and push id',
      { messages: { r1: { [push(1)]: message(1) }, r2: { [push(2)]: message(2) } } },
      ['/messages/*'],
    ],
    ['a list for each room', { general: [message(1)], random: [message(2)] }, ['/*']],
    [
      'lists inside the rows of a list',
      { rooms: [{ id: 1, messages: [message(1)] }] },
      ['/rooms', '/rooms/*/messages'],
    ],
    [
      'different things in one object',
      { users: { u1: { name: 'a' }, u2: { name: 'b' } }, messages: [message(1)] },
      ['/users', '/messages'],
    ],
    ['keys with slashes', { 'a/b': [message(1)] }, ['/a~1b']],
    ['no rows', { name: 'x', version: '1', files: ['a'], scripts: { test: 'x' } }, []],
    ['texts', ['a', 'b'], []],
    ['nothing', undefined, []],
    ['a wrapped value', { _id: { $oid: 'x' }, at: { $date: { $numberLong: '1' } } }, []],
  ])('sees in %s', (_what, value, lists) => {
    expect(findLists(value).map(({ list }) => list)).toEqual(lists);
  });

  it('gathers the rows of all lists that one pattern names', () => {
    const [found] = findLists({ general: [message(1), message(2)], random: [message(3)] });
    expect(found?.rows.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('stops at twenty lists', () => {
    const lists = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`list${index}`, [{ [`f${index}`]: 1 }]]),
    );
    expect(findLists(lists).length).toBe(20);
  });
});
