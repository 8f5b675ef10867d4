import type { Clock } from '../lib/clock.ts';
import type { ImportOutcome } from '../service/outcome.ts';
import { backoff } from './backoff.ts';
import type { RequestCounts } from './counts.ts';
import type { Destination } from './destination.ts';

export interface RetryOptions {
  /** Attempts per batch and call, the first one included. */
  readonly attemptsMax: number;
  /** A server that asks for a longer wait than this stops the run instead, resumable. In ms. */
  readonly waitMaxMs: number;
  /** Whether a muid that is already there is refused: then an unknown outcome may be repeated at once. */
  readonly duplicates: 'unknown' | 'refused';
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly counts: RequestCounts;
  /** Told before each wait. */
  readonly onWait: (ms: number, why: string) => void;
}

/**
 * Repeats what surely changed nothing; and what may have, where the destination refuses duplicates.
 * Every other outcome is the caller's to resolve.
 */
export function withRetry(inner: Destination, options: RetryOptions): Destination {
  const { attemptsMax, waitMaxMs, clock, random, counts, onWait } = options;
  return {
    async send(batch, signal) {
      for (let attempt = 1; ; attempt++) {
        const outcome = await inner.send(batch, signal);
        if (attempt >= attemptsMax || !isRepeatable(outcome, options.duplicates) || signal.aborted) return outcome;
        const { retryAfterMs } = outcome;
        if (retryAfterMs !== undefined && retryAfterMs > waitMaxMs) return outcome;
        const waitMs = retryAfterMs ?? backoff(attempt + 1, random(), isRateLimited(outcome) ? windowBackoff : {});
        onWait(waitMs, `${outcome.code}: ${outcome.detail}`);
        await clock.sleep(waitMs, signal).catch((reason: unknown) => {
          // Stopped while waiting: what surely changed nothing must not end up in doubt.
          if (outcome.kind !== 'not-applied' || !signal.aborted) throw reason;
        });
        if (signal.aborted) return outcome;
        counts.retried++;
      }
    },
  };
}

/**
 * A service that limits the rate without saying for how long: its windows are minutes. Five waits are at most
 * 15 + 30 + 3 * 60 s.
 */
const windowBackoff = { initialMs: 15_000, maxMs: 60_000 };

const isRateLimited = (outcome: Repeatable) => outcome.kind === 'not-applied' && outcome.why === 'rate-limited';

type Repeatable = Exclude<ImportOutcome, { kind: 'answered' }>;

function isRepeatable(outcome: ImportOutcome, duplicates: 'unknown' | 'refused'): outcome is Repeatable {
  if (outcome.kind === 'unknown') return duplicates === 'refused';
  return outcome.kind === 'not-applied' && (outcome.why === 'unreachable' || outcome.why === 'rate-limited');
}
