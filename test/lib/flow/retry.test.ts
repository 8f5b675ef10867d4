import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoff, retry } from '../../../src/lib/flow/retry.ts';
import { manualClock } from '../../delivery/manual-clock.ts';

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

describe('retry()', () => {
  function scene(outcomes: readonly string[]) {
    const clock = manualClock();
    const left = [...outcomes];
    const told: [number, string][] = [];
    const stop = new AbortController();
    const ended = retry(async (attempt) => `${attempt} ${left.shift() ?? 'well'}`, {
      again: (outcome, attempt) => {
        if (outcome.endsWith('again')) return { why: outcome };
        if (outcome.endsWith('asked')) return { retryAfterMs: 60_000, why: outcome };
        return outcome.endsWith('now') && attempt < 9 ? 'at once' : undefined;
      },
      onWait: (ms, why) => told.push([ms, why]),
      ...{ clock, random: () => 0.5, signal: stop.signal },
    });
    return { clock, told, stop, ended };
  }

  it('asks once if the first outcome is good enough', async () => {
    const { clock, ended } = scene(['final']);
    expect([await ended, clock.slept]).toEqual(['1 final', []]);
  });

  it('waits longer and longer, never less than it is asked to, and says why', async () => {
    const { clock, told, ended } = scene(['again', 'asked', 'again', 'now']);
    await clock.advance(3_600_000);
    expect(await ended).toBe('5 well');
    expect(clock.slept).toEqual([250, 60_000, 1000]);
    expect(told).toEqual([
      [250, '1 again'],
      [60_000, '2 asked'],
      [1000, '3 again'],
    ]);
  });

  it('ends with the reason of its signal while it waits', async () => {
    const { stop, ended } = scene(['asked']);
    const caught = ended.catch((reason: unknown) => reason);
    stop.abort('stopped');
    expect(await caught).toBe('stopped');
  });
});
