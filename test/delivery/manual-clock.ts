import type { Clock } from '../../src/lib/flow/clock.ts';

export interface ManualClock extends Clock {
  /** Lets time pass; all sleepers until then wake, in order. */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock; the monotonic clock goes on. */
  jump(ms: number): void;
  /** How long each sleep was asked to last, in order. */
  readonly slept: readonly number[];
}

/** Time that passes only when a test says so. */
export function manualClock(startMs = Date.parse('2026-11-21T12:00:00Z')): ManualClock {
  let elapsed = 0;
  let offset = startMs;
  const slept: number[] = [];
  const sleepers = new Set<{ readonly until: number; wake(): void }>();
  return {
    slept,
    now: () => offset + elapsed,
    monotonic: () => elapsed,
    uptime: () => elapsed,
    jump(ms) {
      offset += ms;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        slept.push(ms);
        const sleeper = { until: elapsed + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => sleepers.delete(sleeper) && reject(signal.reason));
      }),
    async advance(ms) {
      const end = elapsed + ms;
      for (;;) {
        await settled();
        const [next] = [...sleepers].sort((a, b) => a.until - b.until);
        if (!next || next.until > end) break;
        elapsed = Math.max(elapsed, next.until);
        sleepers.delete(next);
        next.wake();
      }
      elapsed = end;
    },
  };
}

/** Lets everything that needs no time happen. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
