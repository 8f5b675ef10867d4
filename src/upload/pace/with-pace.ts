import type { RequestCounts } from './counts.ts';
import { beforeSending, type Destination } from './destination.ts';
import type { Pace } from './pace.ts';

/**
 * Waits for a slot before each request, and tells the pace what the answer says about limits.
 *
 * @param pausing Aborted: who still waits for a slot gives it up.
 */
export function withPace(inner: Destination, pace: Pace, counts: RequestCounts, pausing: AbortSignal): Destination {
  return {
    async send(batch, signal) {
      await beforeSending(pace.take('import', pausing), pausing);
      counts.import++;
      const outcome = await inner.send(batch, signal);
      if (outcome.kind === 'not-applied' && outcome.why === 'rate-limited') {
        counts.rateLimited++;
        pace.hold('import', outcome.retryAfterMs ?? 0);
      }
      return outcome;
    },
  };
}
