import { type ImportOutcome, isHeldBack, type NotDone } from '../../service/outcome.ts';
import { backoff } from '../../lib/flow/backoff.ts';
import type { SendingSession } from '../session.ts';
import { beforeSending, type Destination, NotSent } from '../destination.ts';

export interface RetryOptions
  extends Pick<SendingSession, 'attemptsMax' | 'breaker' | 'clock' | 'random' | 'counts' | 'onWait' | 'pausing'> {
  /** A server that asks for a longer wait than this stops the run instead, resumable. In ms. */
  readonly waitMaxMs: number;
  /**
   * Whether the caller reads back before anything is sent again. Needed if a service may store messages and still ask
   * for a pause. Default: false.
   */
  readonly readsBackFirst?: (() => boolean) | undefined;
}

/**
 * Repeats requests that surely changed nothing. Never repeats before the wait that the service asked for is over, and
 * not while the destination is down. A request that we held back ourselves is no attempt. Every other outcome is left
 * to the caller.
 */
export function withRetry(inner: Destination, options: RetryOptions): Destination {
  const { attemptsMax, waitMaxMs, breaker, clock, random, counts, onWait, pausing, readsBackFirst } = options;

  /** Waits before the next attempt. @returns Whether there is to be one. */
  async function pause(outcome: Repeatable, attempt: number, signal: AbortSignal): Promise<boolean> {
    try {
      const isLastOfSeries = attempt % attemptsMax === 0;
      if (isLastOfSeries) return outcome.why === 'unreachable' && (await breaker.outlast(outcome, pausing));
      const waitMs = waitBefore(attempt + 1, outcome, random());
      onWait(waitMs, `${outcome.code}: ${outcome.detail}`);
      await clock.sleep(waitMs, pausing);
      breaker.spend(outcome.why === 'rate-limited' ? 'asked' : 'silence', outcome, pausing);
      await breaker.closed();
      return true;
    } catch (reason) {
      // Stopped while waiting: what surely changed nothing must not end up unconfirmed.
      if (pausing.aborted || signal.aborted) return false;
      throw reason;
    }
  }

  return {
    async send(batch, signal) {
      if (batch.kind === 'again') breaker.spend('silence', repeatedBatch, pausing);
      await beforeSending(breaker.closed(), pausing);
      let last: NotDone | undefined;
      for (let attempt = 1; ; attempt++) {
        const outcome = await inner.send(batch, signal).catch((reason: unknown) => {
          if (last && reason instanceof NotSent) return last;
          throw reason;
        });
        if (outcome.kind === 'answered') breaker.noteAnswer(attempt === 1);
        if (isHeldBack(outcome) && !pausing.aborted) {
          last = outcome;
          attempt--;
          continue;
        }
        if (!isRepeatable(outcome)) return outcome;
        const asksTooMuch = (outcome.retryAfterMs ?? 0) > waitMaxMs;
        const isLeftToCaller = outcome.why === 'rate-limited' && readsBackFirst?.() === true;
        if (signal.aborted || asksTooMuch) return outcome;
        if (isLeftToCaller) return { ...outcome, isPassing: true };
        if (!(await pause(outcome, attempt, signal))) return outcome;
        last = outcome;
        counts.retried++;
      }
    },
  };
}

/** The longer of what the service asks for and our own: `Retry-After: 0` again and again is no reason to hammer. */
export function waitBefore(
  attempt: number,
  { why, retryAfterMs }: Pick<Repeatable, 'retryAfterMs'> & { readonly why: string },
  random: number,
): number {
  if (retryAfterMs !== undefined) return Math.max(retryAfterMs, backoff(attempt, random));
  return backoff(attempt, random, why === 'rate-limited' ? windowBackoff : {});
}

/**
 * A service that limits the rate without saying for how long: its windows are minutes. Five waits are at most
 * 15 + 30 + 3 * 60 s.
 */
const windowBackoff = { initialMs: 15_000, maxMs: 60_000 };

const repeatedBatch = { code: 'no_answer', detail: 'too many requests had to be sent again' };

type Repeatable = Extract<ImportOutcome, { kind: 'not-applied' }>;

const isRepeatable = (outcome: ImportOutcome): outcome is Repeatable =>
  outcome.kind === 'not-applied' && (outcome.why === 'unreachable' || outcome.why === 'rate-limited');
