import { uptime } from 'node:os';

/** Time as everything here sees it; injected so that tests can name the exact wait. */
export interface Clock {
  /** Wall time in epoch milliseconds: for stamps that people read, and for what another process must understand. */
  now(): number;
  /** Milliseconds that never jump, from an arbitrary start: for waits and durations inside this process. */
  monotonic(): number;
  /** Milliseconds since the machine started: never jumps, and goes on from one process to the next. */
  uptime(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms`, unless it is cancelled before: with the function that it returns. Keeps no process alive. Absent: never calls back. */
  alarm?(ms: number, call: () => void): () => void;
}

/** 24.8 days. A timer that is set to more fires at once. */
const timeoutMaxMs = 2 ** 31 - 1;

/**
 * Difference between wall and monotonic clock, in ms, from which on the wall clock was set or the machine slept; the
 * monotonic clock does not count sleep.
 */
const partedMs = 10;

/** The system is asked again only after such a jump: it takes its time to answer, and every request is stamped with it. */
function uptimeReader(): () => number {
  let aheadMs = 0;
  let wallAheadMs = Number.NaN;
  return () => {
    const monotonic = performance.now();
    const wallAhead = Date.now() - monotonic;
    if (!(Math.abs(wallAhead - wallAheadMs) < partedMs)) {
      wallAheadMs = wallAhead;
      aheadMs = uptime() * 1000 - monotonic;
    }
    return monotonic + aheadMs;
  };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: uptimeReader(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        Math.min(ms, timeoutMaxMs),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
  alarm(ms, call) {
    const timer = setTimeout(call, Math.min(ms, timeoutMaxMs)).unref();
    return () => clearTimeout(timer);
  },
};
