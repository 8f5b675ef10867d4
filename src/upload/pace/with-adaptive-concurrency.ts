import type { Clock } from '../../lib/clock.ts';
import type { ImportOutcome } from '../../service/client/outcome.ts';
import type { AdaptiveConcurrency } from './adaptive-concurrency.ts';
import type { Destination } from './destination.ts';

/** Tells how long each request took and how it went. Innermost: no wait of our own counts as the destination's. */
export function withAdaptiveConcurrency(
  inner: Destination,
  concurrency: AdaptiveConcurrency,
  clock: Clock,
): Destination {
  let inFlightCount = 0;
  return {
    async send(batch, signal) {
      const leftAtMs = clock.monotonic();
      concurrency.noteLeft(++inFlightCount);
      try {
        const outcome = await inner.send(batch, signal);
        concurrency.note({ leftAtMs, answeredAtMs: clock.monotonic(), isTrouble: isTrouble(outcome) });
        return outcome;
      } finally {
        inFlightCount--;
      }
    },
  };
}

/** What fewer requests at a time may help against. A message that is not acceptable is not. */
function isTrouble(outcome: ImportOutcome): boolean {
  if (outcome.kind === 'not-applied') return outcome.why === 'rate-limited' || outcome.why === 'unreachable';
  return outcome.kind === 'unknown';
}
