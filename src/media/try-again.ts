import { retry } from '../lib/flow/retry.ts';
import type { RunControls } from '../lib/flow/run-controls.ts';
import { MediaFault } from './media-location.ts';

/** Tries of one request to a location. */
const triesMax = 5;

export type TryOptions = Pick<RunControls, 'clock' | 'random' | 'signal'>;

/** Repeats what may work later, five times at most, and never before a location says. @throws what the last try threw. */
export async function tryAgain<T>(
  request: (signal: AbortSignal) => Promise<T>,
  { clock, random, signal }: TryOptions,
): Promise<T> {
  const again = (result: T | MediaFault, attempt: number) =>
    result instanceof MediaFault && result.kind === 'again' && attempt < triesMax
      ? { retryAfterMs: result.retryAfterMs }
      : undefined;
  const ended = await retry(
    () =>
      request(signal).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof MediaFault) return error;
        throw error;
      }),
    { again, clock, random, signal },
  );
  if (ended instanceof MediaFault) throw ended;
  return ended;
}
