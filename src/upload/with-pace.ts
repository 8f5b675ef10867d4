import type { RequestCounts } from './counts.ts';
import type { Destination } from './destination.ts';
import type { Pace } from './pace.ts';

/** Waits for a slot before each request, and tells the pace what the answer says about limits. */
export function withPace(inner: Destination, pace: Pace, counts: RequestCounts): Destination {
  return {
    async send(batch, signal) {
      await pace.take('import', signal);
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
