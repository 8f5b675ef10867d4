import { describe, expect, it } from 'vitest';
import { writtenTime } from '../../../src/sources/database/followed/written-time.ts';

describe('writtenTime()', () => {
  it.each([
    ['2026-03-01 00:30:00.123456+00', '2026-02-28 23:30:00+00'],
    ['2026-03-01T00:30:00Z', '2026-02-28T23:30:00Z'],
    ['2026-03-01 00:30:00', '2026-02-28 23:30:00'],
    ['2026-03-01', '2026-02-28'],
    ['1750000000', '1749996400'],
    ['1750000000000', '1749996400000'],
    ['1750000000000001', '1749996400000000'],
    ['1750000000000000001', '1749996400000000000'],
  ])('writes an hour before %s in the same form', (value, wanted) => {
    const time = writtenTime(value)!;
    expect(time.write(time.ms - 3_600_000)).toBe(wanted);
  });

  it.each(['infinity', '17', '0000-00-00 00:00:00', '2026-13-01', 'ann', ''])('is nothing for %j', (value) => {
    expect(writtenTime(value)).toBeUndefined();
  });
});
