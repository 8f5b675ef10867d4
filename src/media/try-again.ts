import { backoff } from '../lib/flow/backoff.ts';
import type { Clock } from '../lib/flow/clock.ts';
import { MediaFault } from './media-location.ts';

/** Tries of one request to a location. */
const triesMax = 5;

export interface TryOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** Repeats what may work later, five times at most, and never before a location says. @throws what the last try threw. */
export async function tryAgain<T>(
  request: (signal: AbortSignal) => Promise<T>,
  { clock, random, signal }: TryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request(signal);
    } catch (error) {
      signal.throwIfAborted();
      const isPassing = error instanceof MediaFault && error.kind === 'again';
      if (!isPassing || attempt === triesMax) throw error;
      await clock.sleep(Math.max(error.retryAfterMs ?? 0, backoff(attempt + 1, random())), signal);
    }
  }
}
