import { describe, expect, test } from 'vitest';
import { formatBytes, formatDuration } from '../../src/lib/text/quantity.ts';
import { countOf, formatCount, formatDay, formatShare, formatUtc } from '../../src/report/format.ts';

test('formatCount() separates thousands', () => {
  expect([0, 999, 1_000, 12_482_110].map(formatCount)).toEqual(['0', '999', '1,000', '12,482,110']);
  expect([countOf(1, 'message'), countOf(2, 'person', 'people')]).toEqual(['1 message', '2 people']);
});

test('formatShare() says 0% and 100% only where that is exact', () => {
  const shares = [0, 1, 999_999, 1_000_000, 500_000].map((part) => formatShare(part, 1_000_000));
  expect(shares).toEqual(['0%', '<0.1%', '>99.9%', '100%', '50.0%']);
  expect(formatShare(0, 0)).toBe('–');
});

describe('formatDuration()', () => {
  test('formatDuration() uses two units at most', () => {
    const durations = [0, 400, 9_949, 34_000, 200_400, 7_500_000, 273_600_000].map(formatDuration);
    expect(durations).toEqual(['0 s', '0.4 s', '9.9 s', '34 s', '3 min 20 s', '2 h 5 min', '3 d 4 h']);
  });

  test('formatDuration() carries when it rounds up to the next unit', () => {
    const durations = [9_951, 59_600, 3_599_700, 86_399_000].map(formatDuration);
    expect(durations).toEqual(['10 s', '1 min', '1 h', '1 d']);
  });
});

test('formatBytes() uses binary units', () => {
  const sizes = [1, 812, 1_024, 1_468_006, 1_048_575, 53_687_091_200].map(formatBytes);
  expect(sizes).toEqual(['1 byte', '812 bytes', '1 KiB', '1.4 MiB', '1 MiB', '50 GiB']);
});

test('formatUtc() and formatDay() show an invalid date as it is', () => {
  expect(formatUtc(Date.UTC(2024, 2, 1, 14, 5, 59))).toBe('2024-03-01 14:05 UTC');
  expect(formatDay(Date.UTC(2024, 2, 1))).toBe('2024-03-01');
  expect([formatUtc(Number.MAX_SAFE_INTEGER), formatDay(null)]).toEqual(['9007199254740991 ms', '–']);
});
