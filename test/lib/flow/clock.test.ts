import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/lib/flow/clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether it is over once so much time has passed. */
async function isOverAfter(ms: number, sleeping: Promise<void>): Promise<boolean> {
  let isOver = false;
  void sleeping.then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(ms);
  return isOver;
}

describe('systemClock.sleep()', () => {
  it('resolves after the time and not before', async () => {
    const sleeping = systemClock.sleep(1000);
    expect(await isOverAfter(999, sleeping)).toBe(false);
    expect(await isOverAfter(1, sleeping)).toBe(true);
  });

  it.each([2 ** 31, Number.POSITIVE_INFINITY])(
    'does not end immediately if %d exceeds the maximum of a timer',
    async (ms) => {
      expect(await isOverAfter(86_400_000, systemClock.sleep(ms))).toBe(false);
    },
  );

  it('rejects with the reason of its signal immediately, and leaves no timer behind', async () => {
    const stop = new AbortController();
    const sleeping = systemClock.sleep(1000, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(sleeping).rejects.toThrow('stopped');
    await expect(systemClock.sleep(1000, stop.signal)).rejects.toThrow('stopped');
    expect(vi.getTimerCount()).toBe(0);
  });
});
