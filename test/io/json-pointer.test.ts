import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPointer, matchPart, nameInPattern, parsePointer } from '../../src/io/json/json-pointer.ts';
import { anyText } from '../arbitrary-text.ts';

describe('matchPart()', () => {
  it.each([
    ['m', 'm', {}],
    ['m', 'n', undefined],
    ['*', 'a/b', { wildcardKey: 'a/b' }],
    ['rooms/*/messages', 'rooms/r1/messages', { wildcardKey: 'r1' }],
    ['rooms/*/threads/*/messages', 'rooms/r1/threads/t/messages', { wildcardKey: 't' }],
    ['rooms/*/messages', 'rooms/r1/members', undefined],
    ['rooms/*/messages', 'rooms/r1/s/messages', undefined],
    ['a*b', 'acb', undefined],
  ])('of %j and the key %j is %j', (part, key, match) => {
    expect(matchPart(part, key)).toEqual(match);
  });
});

describe('nameInPattern()', () => {
  it('is the last name, also of a part that is a path', () => {
    expect(nameInPattern(['rooms', '*', 'messages', '*'])).toBe('messages');
    expect(nameInPattern(['rooms', '*', 'subCollection', 'rooms/*/messages'])).toBe('messages');
    expect(nameInPattern(['a/b'])).toBe('a/b');
    expect(nameInPattern(['*'])).toBeUndefined();
  });
});

describe('parsePointer()', () => {
  it('takes a pointer apart', () => {
    expect(parsePointer('')).toEqual([]);
    expect(parsePointer('/')).toEqual(['']);
    expect(parsePointer('/a~1b/0/m~01')).toEqual(['a/b', '0', 'm~1']);
  });

  it('rejects text that is not a pointer', () => {
    for (const text of ['a', 'a/b', '/a~', '/~2']) expect(parsePointer(text)).toBeUndefined();
  });

  it('gives back the parts that formatPointer() was given, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(anyText), (parts) => {
        expect(parsePointer(formatPointer(parts))).toEqual(parts);
      }),
    );
  });
});
