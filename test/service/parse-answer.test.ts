import { describe, expect, it } from 'vitest';
import { parseAnswer } from '../../src/service/outcome.ts';
import { isNightly } from '../tier.ts';

describe('parseAnswer()', () => {
  it('returns nothing for invalid JSON', () => {
    expect(parseAnswer('<html>')).toBeUndefined();
    expect(parseAnswer('{"data":{"m1":{"succ')).toBeUndefined();
    expect(parseAnswer('')).toBeUndefined();
  });

  // More levels than any stack has frames.
  const endless = isNightly ? 1_000_000 : 200_000;

  it.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('returns nothing for excessive nesting: %s', (open, close) => {
    const nested = (levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
    expect(parseAnswer(nested(500))).toBeDefined();
    expect(parseAnswer(nested(501))).toBeUndefined();
    expect(parseAnswer(nested(endless))).toBeUndefined();
    // Also if a long number makes the parser visit every value.
    expect(parseAnswer(`{"id":12345678901234567890,"data":${nested(endless)}}`)).toBeUndefined();
  });

  it('keeps every digit of an id that came as a number', () => {
    const body = '{"data":[{"id":175928847299117063,"sentAt":1700000000},{"id":175928847299117064}]}';
    expect(parseAnswer(body)).toEqual({
      data: [{ id: '175928847299117063', sentAt: 1_700_000_000 }, { id: '175928847299117064' }],
    });
  });

  it('leaves numbers alone that are not ids, and ids that fit', () => {
    expect(parseAnswer('{"id":7,"n":175928847299117063}')).toEqual({ id: 7, n: Number('175928847299117063') });
  });

  it('keeps a key named __proto__ as plain data', () => {
    expect(Object.keys(parseAnswer('{"__proto__":{"a":1}}') as object)).toEqual(['__proto__']);
  });
});
