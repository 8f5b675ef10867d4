import { describe, expect, it } from 'vitest';
import { timeLeft } from '../../../src/lib/flow/smoothed-rate.ts';

/** A clock that a test sets, and the time left on it. */
function setUp(total: number, forecastMs: number | undefined) {
  let ms = 0;
  const left = timeLeft({ total, forecastMs, clock: { monotonic: () => ms } });
  return {
    left,
    at(nowMs: number, done: number) {
      ms = nowMs;
      return left(done).etaMs;
    },
  };
}

describe('timeLeft()', () => {
  it('is the forecast before the first message', () => {
    expect(setUp(1_000, 600_000).at(0, 0)).toBe(600_000);
  });

  it('returns nothing before the first message if there is no forecast', () => {
    const { at, left } = setUp(1_000, undefined);
    expect(left(0)).toEqual({});
    expect(at(10_000, 100)).toBeCloseTo(90_000);
  });

  it('switches to the measured speed within a minute', () => {
    // Forecast: 100 ms each. Seen: 200 ms each.
    const { at } = setUp(10_000, 1_000_000);
    expect(at(30_000, 150)).toBeCloseTo(9_850 * 150);
    expect(at(60_000, 300)).toBeCloseTo(9_700 * 200);
    expect(at(120_000, 600)).toBeCloseTo(9_400 * 200);
  });

  it('forgets a long wait after five minutes', () => {
    const { at } = setUp(100_000, undefined);
    at(120_000, 0);
    for (let second = 121; second <= 600; second++) at(second * 1_000, (second - 120) * 10);
    // Ten a second again; windows are a fiftieth coarse.
    const eta = at(601_000, 4_810)!;
    expect(eta / (100_000 - 4_810)).toBeGreaterThan(95);
    expect(eta / (100_000 - 4_810)).toBeLessThan(105);
  });

  it('keeps to the forecast while nothing at all arrives, and is zero at the end', () => {
    const { at } = setUp(1_000, 600_000);
    expect(at(300_000, 0)).toBe(600_000);
    expect(at(310_000, 1_000)).toBe(0);
  });
});
