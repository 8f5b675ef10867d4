import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteBudget } from '../../../src/media/fetch/byte-budget.ts';
import { HostPace } from '../../../src/media/fetch/host-pace.ts';
import { VirtualClock } from '../../scenes/virtual-clock.ts';
import { never } from './scene.ts';

describe('byteBudget()', () => {
  it('does not wait without a limit', async () => {
    const clock = new VirtualClock();
    await byteBudget(undefined, clock).spend(1e12, never);
    expect(clock.monotonic()).toBe(new VirtualClock().monotonic());
  });

  it('allows the given rate, however streams share it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1000, max: 10_000_000 }),
        fc.array(fc.array(fc.integer({ min: 1, max: 65_536 }), { minLength: 1, maxLength: 20 }), {
          minLength: 1,
          maxLength: 5,
        }),
        async (rate, streams) => {
          const clock = new VirtualClock();
          const began = clock.monotonic();
          const budget = byteBudget(rate, clock);
          const bytes = streams.flat().reduce((sum, chunk) => sum + chunk, 0);
          const streaming = streams.map(async (chunks) => {
            for (const chunk of chunks) await budget.spend(chunk, never);
          });
          await Promise.all(streaming);
          // The budget saved before the start: 0.1 s. Sums of fractions are slightly off.
          expect(clock.monotonic() - began).toBeGreaterThanOrEqual((bytes / rate) * 1000 - 101);
          expect(clock.monotonic() - began).toBeLessThanOrEqual((bytes / rate) * 1000 + 1);
        },
      ),
    );
  });

  it('gives streams equal shares', async () => {
    const clock = new VirtualClock();
    const budget = byteBudget(100_000, clock);
    const taken = [0, 0, 0];
    const endMs = clock.monotonic() + 10_000;
    const streaming = taken.map(async (_, stream) => {
      while (clock.monotonic() < endMs) {
        await budget.spend(10_000, never);
        taken[stream]! += 10_000;
      }
    });
    await Promise.all(streaming);
    expect(Math.max(...taken) - Math.min(...taken)).toBeLessThanOrEqual(20_000);
  });

  it('ends a wait when asked to', async () => {
    const stop = new AbortController();
    const waiting = byteBudget(1, new VirtualClock()).spend(1000, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });
});

describe('HostPace', () => {
  it('lets a host rest for as long as it asked, and no other', async () => {
    const clock = new VirtualClock();
    const pace = new HostPace(1, clock);
    pace.rest('a.test', 5000);
    pace.rest('a.test', 1000);
    expect([pace.restMs('a.test'), pace.restMs('b.test')]).toEqual([5000, 0]);
    await clock.sleep(5000);
    expect(pace.restMs('a.test')).toBe(0);
  });

  it('lets a host rest longer and longer that never answers', async () => {
    const clock = new VirtualClock();
    const pace = new HostPace(1, clock);
    const rests: number[] = [];
    for (let count = 0; count < 16; count++) {
      pace.failed('a.test');
      const restMs = pace.restMs('a.test');
      rests.push(restMs / 60_000);
      await clock.sleep(restMs);
    }
    expect(rests).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60]);
    pace.answered('a.test');
    pace.failed('a.test');
    expect(pace.restMs('a.test')).toBe(0);
  });
});
