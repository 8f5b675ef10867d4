import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../../src/lib/text/instant.ts';

describe('parseInstant()', () => {
  it.each([
    ['2026-03-01', 1_772_323_200, 1_772_409_599],
    ['2026-03-01T00:00Z', 1_772_323_200, 1_772_323_200],
    ['2026-03-01T01:00:05+01:00', 1_772_323_205, 1_772_323_205],
    ['1772323200', 1_772_323_200, 1_772_323_200],
    ['0', 0, 0],
  ])('takes %s', (text, firstSecond, lastSecond) => {
    expect(parseInstant(text)).toEqual({ firstSecond, lastSecond });
  });

  it.each([
    '2026-02-30',
    '2026-13-01',
    '2026-03-01T10:00',
    '01/03/2026',
    '1772323200000',
    'yesterday',
    '',
    '1969-12-31',
  ])('rejects "%s" and names the expected form', (text) => {
    expect(() => parseInstant(text)).toThrow(/expected a date such as 2026-03-01/);
  });
});
