import type { Journal } from '../checkpoint/delivery/journal.ts';
import type { Clock } from '../lib/clock.ts';
import { type AdaptiveConcurrency, withAdaptiveConcurrency } from './pace/adaptive-concurrency.ts';
import { Breaker } from './pace/breaker.ts';
import type { Destination, RequestCounts } from './pace/destination.ts';
import { type Pace, waitMaxMs, withPace } from './pace/pace.ts';
import { withAttemptLog } from './pace/with-attempt-log.ts';
import { withRetry } from './pace/with-retry.ts';
import type { Target } from './target.ts';

/** What every request of a run goes through. */
export interface SendingLine {
  readonly target: Target;
  readonly pace: Pace;
  readonly clock: Clock;
  readonly random: () => number;
  readonly counts: RequestCounts;
  readonly onWait: (ms: number, why: string) => void;
  /** Aborted: nothing is waited for any more. */
  readonly pausing: AbortSignal;
}

/** Attempts per request, the first one included. */
export const attemptsMax = 6;

/** A request, wrapped from the inside: time it, write it down, wait for the pace before that, repeat what may be repeated. */
export function destinationOf(
  line: SendingLine & {
    readonly journal: Journal;
    readonly concurrency: AdaptiveConcurrency;
    readonly breaker: Breaker;
  },
): Destination {
  const { target, pace, clock, counts, journal, concurrency, pausing } = line;
  const service: Destination = {
    async send(batch, signal) {
      const muids = batch.rows.map(({ muid }) => muid);
      const outcome = await target.client.importBatch(batch.body, muids, signal);
      pace.learn('import', outcome.hints);
      return outcome;
    },
  };
  const logged = withAttemptLog(withAdaptiveConcurrency(service, concurrency, clock), journal, clock);
  return withRetry(withPace(logged, pace, counts, pausing), { ...line, attemptsMax, waitMaxMs });
}

/** Asks a destination that is down for one message, whatever it is: any answer shows that it is back. */
export function breakerOf({ target, pace, clock, counts, onWait }: SendingLine): Breaker {
  const probe = async (signal: AbortSignal): Promise<boolean> => {
    await pace.take('read', signal);
    counts.list++;
    const outcome = await target.client.listMessages({ limit: 1 }, signal);
    signal.throwIfAborted();
    return outcome.kind === 'answered' || outcome.why !== 'retry';
  };
  return new Breaker({ probe, clock, onWait });
}
