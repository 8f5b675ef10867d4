export interface BackoffOptions {
  /** First wait at most, in ms. Default 500. */
  readonly initialMs?: number;
  /** Longest wait, in ms. Default 30,000. */
  readonly maxMs?: number;
}

/**
 * Wait before attempt `attempt`, in ms: full jitter over `initialMs * 2^(attempt - 2)`, capped at `maxMs`.
 *
 * With the defaults (500 ms, 30 s) and six attempts the five waits are at most 0.5 + 1 + 2 + 4 + 8 = 15.5 s, half that on average.
 * A longer wait given by the server replaces this one and gets no jitter: the server knows, we guess.
 *
 * @param attempt 2 for the first retry. Attempt 1 never waits.
 * @param random In [0, 1). Injected so tests can name the exact wait.
 */
export function backoff(
  attempt: number,
  random: number,
  { initialMs = 500, maxMs = 30_000 }: BackoffOptions = {},
): number {
  if (attempt < 2) return 0;
  return random * Math.min(maxMs, initialMs * 2 ** (attempt - 2));
}
