import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timestampMs, timestampSortKey } from '../../../src/sources/slack/message.ts';

describe('timestampMs()', () => {
  it.each([
    ['1433558319.000002', 1433558319000],
    ['1483051909.018632', 1483051909018],
    ['1483051909.999999', 1483051909999],
    ['1483051909', 1483051909000],
    ['1483051909.5', 1483051909500],
    ['99999.000001', 99999000],
    ['0000000000.000000', 0],
  ])('cuts %s to milliseconds', (ts, ms) => expect(timestampMs(ts)).toBe(ms));

  it.each([
    '',
    'yesterday',
    '1e9',
    '-1.000000',
    '1433558319.',
    '.000002',
    '12345678901.000000',
    '1433558319.0000001',
    ' 1433558319.000002',
  ])('says that %j is none', (ts) => expect(timestampMs(ts)).toBeUndefined());
});

describe('timestampSortKey()', () => {
  it('orders as the times do, to the microsecond', () => {
    const part = fc.tuple(fc.integer({ min: 0, max: 9_999_999_999 }), fc.integer({ min: 0, max: 999_999 }));
    const toTs = ([seconds, micros]: [number, number]) => `${seconds}.${String(micros).padStart(6, '0')}`;
    fc.assert(
      fc.property(part, part, (a, b) => {
        const isEarlier = a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
        expect(timestampSortKey(toTs(a)) < timestampSortKey(toTs(b))).toBe(isEarlier);
      }),
    );
  });

  it('gives two spellings of one time the same key', () => {
    expect(timestampSortKey('1483051909.5')).toBe(timestampSortKey('1483051909.500000'));
  });
});
