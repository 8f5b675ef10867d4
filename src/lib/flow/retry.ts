import type { RunControls } from './run-controls.ts';

/**
 * Attempts of a request before the breaker is asked, of a batch before it is quarantined, of a message alone, and with other messages,
 * before it has failed. Five waits between six attempts take at most 15.5 s (`backoff`).
 */
export const attemptsMax = 6;

/** 10 minutes: a destination that asks for a longer wait stops the run instead, resumable. */
export const waitMaxMs = 600_000;

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

/** The wait before the next attempt: `backoff`, but never less than the other side asks for. */
export interface Wait extends BackoffOptions {
  /** In ms. */
  readonly retryAfterMs?: number | undefined;
  /** Shown while it lasts. */
  readonly why?: string;
}

/** `undefined`: there is no other attempt. */
type Again = Wait | 'at once' | undefined;

export interface RetryOptions<T> extends Pick<RunControls, 'clock' | 'random' | 'signal'> {
  /** Whether an outcome is worth another attempt, and the wait before it. `attempt`: from 1. */
  readonly again: (outcome: T, attempt: number) => Again | Promise<Again>;
  readonly onWait?: ((ms: number, why: string) => void) | undefined;
}

/** Repeats a request while `again` says so. @returns The last outcome. @throws what the request throws, and the signal's reason. */
export async function retry<T>(
  request: (attempt: number) => Promise<T>,
  { again, clock, random, signal, onWait }: RetryOptions<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await request(attempt);
    const wait = await again(outcome, attempt);
    if (!wait) return outcome;
    if (wait === 'at once') continue;
    const ms = Math.max(wait.retryAfterMs ?? 0, backoff(attempt + 1, random(), wait));
    onWait?.(ms, wait.why ?? '');
    await clock.sleep(ms, signal);
  }
}
