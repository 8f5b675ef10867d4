import type { Clock } from '../../lib/flow/clock.ts';
import type { Destination } from '../destination.ts';
import type { Journal } from '../../store/batches.ts';

/**
 * Writes every request down before its first byte leaves, and what came of it afterwards.
 * Innermost wrapper: a batch that waits for its turn is not yet an intent, so a kill while waiting leaves nothing unconfirmed.
 */
export function withAttemptLog(inner: Destination, journal: Journal, clock: Clock): Destination {
  return {
    async send(batch, signal, slot) {
      batch.attemptCount++;
      await journal.beginAttempt(batch, clock.now(), clock.uptime());
      const outcome = await inner.send(batch, signal, slot);
      journal.endAttempt(batch, outcome, clock.now());
      return outcome;
    },
  };
}
