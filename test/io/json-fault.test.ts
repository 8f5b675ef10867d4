import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault } from '../../src/io/json/json-fault.ts';
import { isNightly } from '../tier.ts';

const isAccepted = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('findJsonFault()', () => {
  it.each([
    ['{"a":1 "b":2}', 7, 'expected "," or "}", found a quotation mark'],
    ['{"a":1,"b"}', 10, 'expected ":", found "}"'],
    ['{a:1}', 1, 'expected a key, found "a"'],
    ['{,}', 1, 'expected a key, found ","'],
    ['[1 2]', 3, 'expected "," or "]", found "2"'],
    ['[1,]', 3, 'expected a value, found "]"'],
    ['-', 1, 'expected a digit, found the end'],
    ['1.', 2, 'expected a digit, found the end'],
    ['1e+', 3, 'expected a digit, found the end'],
    ['nul', 3, 'expected "null", found the end'],
    ['nulL', 3, 'expected "null", found "L"'],
    ['"a', 2, 'expected the end of a string, found the end'],
    ['"\\u12g4"', 5, 'expected an escape, found "g"'],
    ['{} x', 3, 'expected the end, found "x"'],
    ['', 0, 'expected a value, found the end'],
    ["'a'", 0, 'expected a value, found "\'"'],
    ['\u00a01', 0, 'expected a value, found byte 0xc2'],
  ])('in %s: at byte %i, %s', (text, byteOffset, reason) => {
    expect(findJsonFault(Buffer.from(text))).toEqual({ byteOffset, reason });
  });

  it('finds a fault exactly where JSON.parse does not accept the text', () => {
    const fragment = fc.constantFrom(
      ...['[', ']', '{', '}', ',', ':', '"', '\\', '\\n', '\\u00e9', '\\u12', ' ', '\t', '\n', '\f', '0', '1', '-'],
      ...['.', 'e', 'E', '+', 'true', 'fals', 'null', '"a"', '"a":', 'ä', '😀', '\u0001', '\u007f'],
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 15 }), (parts) => {
        const text = parts.join('');
        expect(findJsonFault(Buffer.from(text)) === undefined, text).toBe(isAccepted(text));
      }),
      { numRuns: isNightly ? 20_000 : 4_000 },
    );
  });

  it('finds no fault in what JSON.stringify writes', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => findJsonFault(Buffer.from(JSON.stringify(value))) === undefined));
  });

  it('does not mind nesting', () => {
    const depth = 100_000;
    expect(findJsonFault(Buffer.from('['.repeat(depth) + ']'.repeat(depth)))).toBeUndefined();
    expect(findJsonFault(Buffer.from('['.repeat(depth)))?.byteOffset).toBe(depth);
  });
});
