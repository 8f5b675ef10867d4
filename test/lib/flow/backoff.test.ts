import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoff } from '../../../src/lib/flow/backoff.ts';

describe('backoff()', () => {
  it.each([0, 1])('waits nothing before attempt %d', (attempt) => {
    expect(backoff(attempt, 0.999)).toBe(0);
  });

  it.each([
    [2, 500],
    [3, 1000],
    [4, 2000],
    [5, 4000],
    [6, 8000],
    [7, 16_000],
    [8, 30_000],
    [9, 30_000],
    [2000, 30_000],
  ])('waits before attempt %d a random part of %d ms', (attempt, maxMs) => {
    expect([0, 0.25, 0.5].map((random) => backoff(attempt, random))).toEqual([0, maxMs / 4, maxMs / 2]);
  });

  it('takes another first wait and another longest one', () => {
    expect(backoff(3, 0.5, { initialMs: 10 })).toBe(10);
    expect(backoff(9, 0.5, { initialMs: 10, maxMs: 100 })).toBe(50);
  });

  it('is finite, never negative and never beyond the longest wait', () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (attempt, random) => {
        const ms = backoff(attempt, random);
        return ms >= 0 && ms < 30_000;
      }),
    );
  });
});
