import type { Clock } from '../lib/flow/clock.ts';
import type { RateHints, ReadOutcome } from '../service/outcome.ts';
import { backoff } from '../lib/flow/backoff.ts';
import type { Breaker } from './pace/breaker.ts';
import type { RequestCounts } from './destination.ts';
import { type Pace, waitMaxMs } from './pace.ts';

export interface AskOptions {
  readonly pace: Pace;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly counts: RequestCounts;
  /** Attempts per question. A read changes nothing, so it may be repeated at will. */
  readonly attemptsMax: number;
  /** Waits for a destination that is down, where all attempts have failed. */
  readonly breaker?: Breaker | undefined;
  /** Aborted: no wait is worth its end any more. Without it, waits end with the signal of the question. */
  readonly pausing?: AbortSignal | undefined;
}

type Question<T> = (signal: AbortSignal) => Promise<ReadOutcome<T> & { readonly hints: RateHints }>;

/** Asks the destination something, within its pace; repeats what fails in passing. */
export type Ask = <T>(question: Question<T>, signal: AbortSignal) => Promise<ReadOutcome<T>>;

/** Resolves with the answer, or with the last failure. Rejects with the signal's reason alone. */
export function createAsk({ pace, clock, random, counts, attemptsMax, breaker, pausing }: AskOptions): Ask {
  return async (question, signal) => {
    const waiting = pausing ?? signal;
    for (let attempt = 1; ; attempt++) {
      await pace.take('read', waiting);
      counts.list++;
      const outcome = await question(signal);
      pace.learn('read', outcome.hints);
      signal.throwIfAborted();
      if (outcome.kind === 'answered' || outcome.why === 'not-found' || outcome.why === 'too-long') return outcome;
      if (outcome.why === 'rate-limited') {
        counts.rateLimited++;
        pace.hold('read', outcome.retryAfterMs ?? 0);
      }
      const { retryAfterMs = 0 } = outcome;
      if (outcome.why === 'stop' || retryAfterMs > waitMaxMs) return outcome;
      if (attempt % attemptsMax > 0) await clock.sleep(Math.max(retryAfterMs, backoff(attempt + 1, random())), waiting);
      else if (!(await breaker?.outlast(outcome, waiting))) return outcome;
    }
  };
}
