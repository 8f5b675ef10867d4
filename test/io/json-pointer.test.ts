import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPointer, parsePointer } from '../../src/io/json/json-pointer.ts';
import { anyText } from '../arbitrary-text.ts';

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
