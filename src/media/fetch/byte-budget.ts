import type { Clock } from '../../lib/flow/clock.ts';

/** Bytes that may come in. */
export interface ByteBudget {
  /** Resolves when so many bytes that have come are paid for. Rejects with the signal's reason. */
  spend(bytes: number, signal: AbortSignal): Promise<void>;
}

/** What was not used stays for so long: timers are late, and that must not cost rate. */
const savedMs = 100;

/**
 * A token bucket that streams pay into after each chunk. Chunks are some 64 KiB, each stream waits until its own is paid, and
 * the next one of all of them stands behind those that came before: streams get equal shares.
 *
 * Over any time at most `bytesPerSecond` times it, and what comes in 0.1 s, and one chunk of each stream.
 *
 * @param bytesPerSecond Nothing: as fast as it comes.
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
