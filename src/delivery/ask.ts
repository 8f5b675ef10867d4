import type { Clock } from '../lib/flow/clock.ts';
import type { RateHints, ReadOutcome } from '../service/outcome.ts';
import { attemptsMax, backoff, retry } from '../lib/flow/retry.ts';
import { reportingSlow, slowAfterMs } from '../lib/flow/slow-request.ts';
import { usualRequestTimeoutMs } from '../service/profiles.ts';
import type { Breaker } from './pace/breaker.ts';
import type { RequestCounts } from './destination.ts';
import { waitMaxMs } from './limits.ts';
import type { Pace } from './pace.ts';

export interface AskOptions {
  readonly pace: Pace;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly counts: RequestCounts;
  /** Waits for a destination that is down, where all attempts have failed. */
  readonly breaker?: Breaker | undefined;
  /** Aborted: no wait is worth its end any more. Without it, waits end with the signal of the question. */
  readonly pausing?: AbortSignal | undefined;
  /** Reports a wait: how long it takes at most, in ms, and the reason. */
  readonly onWait?: ((ms: number, why: string) => void) | undefined;
  /** Called when an answer came that was reported as late. */
  readonly onAnswer?: (() => void) | undefined;
  /** Deadline of each attempt, in ms; 90 s by default. */
  readonly requestTimeoutMs?: number | undefined;
}

type Question<T> = (signal: AbortSignal) => Promise<ReadOutcome<T> & { readonly hints: RateHints }>;

/** Asks the destination something, within its pace; repeats what fails in passing. */
export type Ask = <T>(question: Question<T>, signal: AbortSignal) => Promise<ReadOutcome<T>>;

/** Resolves with the answer, or with the last failure. Rejects with the signal's reason alone. */
export function createAsk(options: AskOptions): Ask {
  const { pace, clock, random, counts, breaker, pausing, onWait, onAnswer } = options;
  return async <T>(question: Question<T>, signal: AbortSignal) => {
    const waiting = pausing ?? signal;
    const request = async (attempt: number) => {
      await pace.take('read', waiting);
      counts.list++;
      const onSlow = () =>
        onWait?.(givesUpInMs(options, attempt), `no answer to a listing yet ${triesOf(options, attempt)}`);
      const outcome = await reportingSlow(() => question(signal), { clock, onSlow, onEnd: onAnswer });
      pace.learn('read', outcome.hints);
      signal.throwIfAborted();
      return outcome;
    };
    const again = async (outcome: ReadOutcome<T>, attempt: number) => {
      if (outcome.kind === 'answered' || outcome.why === 'not-found' || outcome.why === 'too-long') return undefined;
      const { why, code, detail, retryAfterMs = 0 } = outcome;
      if (why === 'rate-limited') {
        counts.rateLimited++;
        pace.hold('read', retryAfterMs);
      }
      if (why === 'stop' || retryAfterMs > waitMaxMs) return undefined;
      if (attempt % attemptsMax === 0) return (await breaker?.outlast(outcome, waiting)) ? 'at once' : undefined;
      return { retryAfterMs, why: `${code}: ${detail} ${triesOf(options, attempt)}` };
    };
    return await retry(request, { again, clock, random, signal: waiting, onWait });
  };
}

/** Attempts come in series of `attemptsMax`; after each the breaker decides whether another one follows. */
const inSeries = (attempt: number): number => ((attempt - 1) % attemptsMax) + 1;

/** `(attempt 2 of 6; gives up then)`. With a breaker, it decides what happens then. */
const triesOf = (options: AskOptions, attempt: number): string =>
  `(attempt ${inSeries(attempt)} of ${attemptsMax}${options.breaker ? '' : '; gives up then'})`;

/** How long a question that is slow by now may go on, with every attempt that is left, in ms. */
function givesUpInMs({ requestTimeoutMs = usualRequestTimeoutMs }: AskOptions, attempt: number): number {
  let leftMs = requestTimeoutMs - slowAfterMs;
  for (let next = inSeries(attempt) + 1; next <= attemptsMax; next++) leftMs += backoff(next, 1) + requestTimeoutMs;
  return Math.max(leftMs, 0);
}
