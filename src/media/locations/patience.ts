import { backoff } from '../../lib/backoff.ts';
import type { Clock } from '../../lib/clock.ts';
import { MediaFault } from './media-location.ts';

/** A file of 5 GiB has 320 parts: where one request in a hundred fails, none of them fails so often in 99 of 100 files. */
const attemptsMax = 4;
/** A longer wait that a server asks for is for whoever copies many files to keep, in ms. */
const waitMaxMs = 60_000;

/**
 * Does something again where it failed with a fault that may pass.
 *
 * @param mayRepeat Asked after a fault. @throws The last fault; the signal's reason.
 */
export async function patiently<T>(
  work: () => Promise<T>,
  {
    clock,
    signal,
    mayRepeat = () => true,
  }: { readonly clock: Clock; readonly signal: AbortSignal; readonly mayRepeat?: () => boolean },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof MediaFault && error.kind === 'again' && mayRepeat();
      const waitMs = Math.max(isPassing ? (error.retryAfterMs ?? 0) : 0, backoff(attempt + 1, Math.random()));
      if (!isPassing || attempt === attemptsMax || waitMs > waitMaxMs) throw error;
      await clock.sleep(waitMs, signal);
    }
  }
}
