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
    ['keys with slashes', { 'a/messages': [message(1)] }, ['/a~1messages']],
    [
      'collections of Firestore, with one room',
      {
        __collections__: {
          rooms: { lobby: { __collections__: { messages: { m: message(1) }, who: { w: message(1) } } } },
        },
      },
      ['/__collections__/rooms/*/__collections__/messages', '/__collections__/rooms/*/__collections__/who'],
    ],
    [
      'collections whose keys are paths',
      { rooms: { lobby: { name: 'Lobby', subCollection: { 'rooms/lobby/messages': { m: message(1) } } } } },
      ['/rooms', '/rooms/*/subCollection/rooms~1*~1messages'],
    ],
    [
      'collections below collections',
      {
        r: {
          a: { x: 1, subCollection: { 'r/a/t': { b: { y: 1, subCollection: { 'r/a/t/b/m': { c: message(1) } } } } } },
        },
      },
      ['/r', '/r/*/subCollection/r~1*~1t', '/r/*/subCollection/r~1*~1t/*/subCollection/r~1*~1t~1*~1m'],
    ],
    [
      'documents directly in a subCollection',
      { rooms: { lobby: { name: 'Lobby', subCollection: { m: message(1), n: message(2) } } } },
      ['/rooms', '/rooms/*/subCollection'],
    ],
    ['one room, whose key has a number', { messages: { room1: [message(1)] } }, ['/messages/*']],
    ['one room that is an array with holes', { messages: { lobby: [null, message(1)] } }, ['/messages/*']],
    ['rooms of which one is an array with holes', { r: [null, message(1)], s: [message(2)] }, ['/*']],
    ['rooms of which one has become an array', { r: [message(1)], s: { 4: message(2), 9: message(3) } }, ['/*']],
    ['rooms of which one is empty', { lobby: [], quay: [message(1)], pier: [message(2)] }, ['/*']],
    [
      'branches that look alike, one of them called messages',
      { messages: { r1: { [push(1)]: message(1) } }, archive: { r1: { [push(2)]: message(2) } } },
      ['/messages/*', '/archive/*'],
    ],
    ['lists of which one is empty', { users: [], messages: [message(1)] }, ['/messages']],
    [
      'a list in a list of its name',
      { message_parts: { message_parts: [message(1)] } },
      ['/message_parts/message_parts'],
    ],
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

  it('says both places where one key alone may be a name or a room', () => {
    const [found] = findLists({ messages: { lobby: { [push(1)]: message(1) } } });
    expect(found).toMatchObject({ list: '/messages/*', named: '/messages/lobby' });
    const [sure] = findLists({ messages: { room1: { [push(1)]: message(1) } } });
    expect(sure).not.toHaveProperty('named');
  });

  it('stops at twenty lists', () => {
    const lists = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`list${index}`, [{ [`f${index}`]: 1 }]]),
    );
    expect(findLists(lists).length).toBe(20);
  });
});
