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
}

/** 24.8 days. A timer that is set to more fires at once. */
const timeoutMaxMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1000,
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
};
