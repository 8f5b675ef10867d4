import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/flow/seeded-random.ts';
import { sharedPace } from '../../src/delivery/pace.ts';
import { manualClock } from './manual-clock.ts';

const minuteMs = 60_000;

interface Load {
  readonly perMinute: number;
  readonly minutes: number;
  /** How many processes send as fast as they may, on one file. */
  readonly processes: number;
  /** A request takes up to so long to get there. */
  readonly jitterMs: number;
  readonly random: () => number;
}

/** When requests of processes that never rest arrive at the service, sorted, in ms. */
async function arrivals({ perMinute, minutes, processes, jitterMs, random }: Load): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-windows-'));
  const clock = manualClock();
  const times: number[] = [];
  const paces = Array.from({ length: processes }, () =>
    sharedPace({ path: join(folder, 'pace.db'), address: 'a', perMinute: { import: perMinute }, clock, onWait() {} }),
  );
  const stop = new AbortController();
  for (const pace of paces) void sendForEver(pace);
  await clock.advance(minutes * minuteMs);
  stop.abort(new Error('enough'));
  for (const pace of paces) pace.close();
  rmSync(folder, { recursive: true });
  return times.sort((a, b) => a - b);

  async function sendForEver(pace: (typeof paces)[number]): Promise<void> {
    while (!stop.signal.aborted) {
      await pace.take('import', stop.signal).catch(() => {});
      times.push(clock.monotonic() + random() * jitterMs);
    }
  }
}

/** Requests in every full minute that begins at a multiple of `stepMs`. */
function countsOfWindows(times: readonly number[], minutes: number, stepMs: number): number[] {
  const sorted = times.toSorted((one, other) => one - other);
  const counts: number[] = [];
  let [first, end] = [0, 0];
  for (let start = stepMs; start + minuteMs <= minutes * minuteMs; start += stepMs) {
    while (sorted[first]! < start) first++;
    while (sorted[end]! < start + minuteMs) end++;
    counts.push(end - first);
  }
  return counts;
}

describe('sharedPace() against a service that counts', () => {
  const loads = [
    { perMinute: 60, processes: 1 },
    { perMinute: 60, processes: 2 },
    { perMinute: 600, processes: 2 },
  ];
  it.each(loads)(
    'uses 98 % of every window of $perMinute, and never more than all of it: $processes processes',
    async (load) => {
      const minutes = 6;
      const times = await arrivals({ ...load, minutes, jitterMs: 0, random: () => 0 });
      for (const stepMs of [minuteMs, 250]) {
        const counts = countsOfWindows(times, minutes, stepMs);
        expect(Math.max(...counts)).toBeLessThanOrEqual(load.perMinute);
        expect(Math.min(...counts)).toBeGreaterThanOrEqual(0.98 * load.perMinute);
      }
    },
  );

  it('stays within every window, fixed and sliding, whatever the rate, the processes and the way there are', async () => {
    const load = fc.record({
      perMinute: fc.integer({ min: 1, max: 240 }),
      processes: fc.integer({ min: 1, max: 3 }),
      seed: fc.integer({ min: 1 }),
    });
    const property = fc.asyncProperty(load, async ({ seed, ...some }) => {
      const random = seededRandom(seed);
      const minutes = 4;
      const times = await arrivals({ ...some, minutes, jitterMs: 500, random });
      for (const [index, time] of times.entries()) {
        const last = times[index + some.perMinute];
        if (last !== undefined) expect(last - time).toBeGreaterThanOrEqual(minuteMs);
      }
    });
    await fc.assert(property, { numRuns: 25 });
  });
});
