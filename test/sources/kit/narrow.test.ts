import { describe, expect, it } from 'vitest';
import * as narrow from '../../../src/sources/kit/narrow.ts';

const strange = [undefined, null, 0, -1, 1.5, '', 'x', true, [], {}, Number.NaN, 2 ** 60];

describe('narrowing', () => {
  it('returns the value only if it has the requested type', () => {
    expect(strange.filter((value) => narrow.asObject(value))).toEqual([{}]);
    expect(strange.map((value) => narrow.asString(value)).filter(Boolean)).toEqual(['x']);
    expect(strange.map((value) => narrow.asCount(value)).filter((count) => count !== undefined)).toEqual([0]);
    expect(narrow.asArray([1])).toEqual([1]);
    expect(narrow.asArray({ 0: 1, length: 1 })).toEqual([]);
    expect(narrow.asStrings(['b', 'a', 1, '', 'b'])).toEqual(['b', 'a']);
  });

  it('makes words and numbers of anything without throwing', () => {
    const words = ['x', 7, null, true, { toString: 1 }, [{ toString: 1 }]].map(narrow.asWord);
    expect(words).toEqual(['x', '7', 'null', 'true', 'an object', 'an array']);
    expect(['12', 7, '', { valueOf: 1 }, null].map(narrow.asNumber)).toEqual([12, 7, 0, Number.NaN, Number.NaN]);
  });

  it('takes ids as text, and no number that has lost digits', () => {
    expect([7, '007', 2 ** 60].map(narrow.asId)).toEqual(['7', '007', undefined]);
    expect([-1, 1.5, '', null].map(narrow.asId)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('reads Unix seconds, also as text', () => {
    expect([0, 1.9, '1700000000', 1e10, '17000000001', '-1', -1].map(narrow.secondsToMs)).toEqual([
      ...[0, 1000, 1_700_000_000_000],
      ...[undefined, undefined, undefined, undefined],
    ]);
    expect([0, '0', 5].map(narrow.pastSecondsToMs)).toEqual([undefined, undefined, 5000]);
  });

  it('describes the value, cut short', () => {
    expect([undefined, null, [], {}, 'a'.repeat(50), 12].map(narrow.describe)).toEqual([
      ...['nothing', 'null', 'an array', 'an object', `"${'a'.repeat(40)}"`, '12'],
    ]);
    expect([null, [], 'secret', 1].map(narrow.wordFor)).toEqual(['null', 'an array', 'a string', 'a number']);
    expect(narrow.excerpt(`${'x'.repeat(59)}😀y`)).toBe(`"${'x'.repeat(59)}\ufffd…"`);
  });
});

describe('pastSecondsToMs()', () => {
  it.each([
    ['1433558319', 1433558319000],
    [1433558319, 1433558319000],
    [1433558319.7, 1433558319000],
    [0, undefined],
    ['0', undefined],
    ['', undefined],
    [null, undefined],
    [1433558319000, undefined],
  ])('reads %j', (value, ms) => expect(narrow.pastSecondsToMs(value)).toBe(ms));
});
