import type { Clock } from '../../lib/flow/clock.ts';

export interface ByteBudget {
  /** Resolves when so many bytes that have come are paid for. Rejects with the signal's reason. */
  spend(bytes: number, signal: AbortSignal): Promise<void>;
}

/** Unused budget is kept for this long: timers are late, and that must not cost rate. */
const savedMs = 100;

/**
 * Creates a token bucket that streams pay into after each chunk. Chunks are some 64 KiB. Each stream waits until its
 * own chunk is paid, and its next chunk queues behind those that came before, so streams get equal shares.
 *
 * In any period at most `bytesPerSecond` times its length arrives, plus the bytes of 0.1 s, plus one chunk of each
 * stream.
 *
 * @param bytesPerSecond Undefined: no limit.
 */
export function byteBudget(bytesPerSecond: number | undefined, clock: Clock): ByteBudget {
  if (bytesPerSecond === undefined) return { spend: async () => {} };
  let paidUntilMs = Number.NEGATIVE_INFINITY;
  return {
    async spend(bytes, signal) {
      const now = clock.monotonic();
      paidUntilMs = Math.max(now - savedMs, paidUntilMs) + (bytes / bytesPerSecond) * 1000;
      if (paidUntilMs > now) await clock.sleep(paidUntilMs - now, signal);
    },
  };
}
