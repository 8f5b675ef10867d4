import { type ImportOutcome, isHeldBack, type NotDone } from '../../service/outcome.ts';
import { attemptsMax, backoff, waitMaxMs } from '../../lib/flow/retry.ts';
import type { SendingSession } from '../session.ts';
import { beforeSending, type Destination, NotSent } from '../destination.ts';
import { windowBackoff } from './limits.ts';

type Waiting = Pick<SendingSession, 'breaker' | 'clock' | 'random' | 'onWait' | 'pausing'>;

export interface RetryOptions extends Waiting, Pick<SendingSession, 'counts'> {
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
  const { breaker, counts, pausing, readsBackFirst } = options;
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
        try {
          if (!(await waitForNext(outcome, attempt, options))) return outcome;
        } catch (reason) {
          // Stopped while waiting: what surely changed nothing must not end up unconfirmed.
          if (pausing.aborted || signal.aborted) return outcome;
          throw reason;
        }
        last = outcome;
        counts.retried++;
      }
    },
  };
}

/** Waits before the next attempt of what surely changed nothing. @returns Whether there is to be one. @throws the reason of `pausing`. */
export async function waitForNext(
  outcome: Pick<Repeatable, 'code' | 'detail' | 'retryAfterMs'> & { readonly why: string },
  attempt: number,
  { breaker, clock, random, onWait, pausing }: Waiting,
): Promise<boolean> {
  const isLastOfSeries = attempt % attemptsMax === 0;
  if (isLastOfSeries) return outcome.why !== 'rate-limited' && (await breaker.outlast(outcome, pausing));
  const waitMs = waitBefore(attempt + 1, outcome, random());
  onWait(waitMs, `${outcome.code}: ${outcome.detail}`);
  await clock.sleep(waitMs, pausing);
  breaker.spend(outcome.why === 'rate-limited' ? 'asked' : 'silence', outcome, pausing);
  await breaker.closed();
  return true;
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

const repeatedBatch = { code: 'no_answer', detail: 'too many requests had to be sent again' };

type Repeatable = Extract<ImportOutcome, { kind: 'not-applied' }>;

const isRepeatable = (outcome: ImportOutcome): outcome is Repeatable =>
  outcome.kind === 'not-applied' && (outcome.why === 'unreachable' || outcome.why === 'rate-limited');
