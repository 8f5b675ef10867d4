import { serverNow } from '../../lib/flow/retry-after.ts';
import type { TransportAnswer } from '../transport.ts';
import type { RateHints } from '../outcome.ts';

/** Above it a reset is a point in time, below it a number of seconds to wait. */
const epochSecondsMin = 1_000_000_000;

/**
 * Returns the facts about the pace in an answer. Two spellings are documented by the hosted service (rate limit pages,
 * 2026-11): `X-Rate-Limit`, `X-Rate-Limit-Remaining`, `X-Rate-Limit-Reset` and `X-RateLimit-Limit`, `-Remaining`,
 * `-Reset`.
 */
export function rateHints(headers: TransportAnswer['headers'], nowMs: number): RateHints {
  const limit = count(headers['x-rate-limit'] ?? headers['x-ratelimit-limit']);
  const remaining = count(headers['x-rate-limit-remaining'] ?? headers['x-ratelimit-remaining']);
  const reset = count(headers['x-rate-limit-reset'] ?? headers['x-ratelimit-reset']);
  return {
    ...(limit !== undefined && limit > 0 && { limitPerMinute: limit }),
    ...(remaining !== undefined && { remaining }),
    ...(reset !== undefined && { resetInMs: resetIn(reset, serverNow(headers.date, nowMs)) }),
  };
}

const resetIn = (reset: number, serverNowMs: number): number =>
  reset < epochSecondsMin ? reset * 1000 : Math.max(reset * 1000 - serverNowMs, 0);

/** The whole number with which the value begins: `60`, `60;w=60`. */
function count(value: string | undefined): number | undefined {
  const digits = /^\s*(\d{1,12})(?![\d.])/.exec(value ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** "… retry after 12 seconds": the hosted service says it in the text of a 429, where headers may be missing. */
export function retryAfterInText(text: string, capMs: number): number | undefined {
  const seconds = /\b(?:retry|again)\s+(?:after|in)\s+(\d{1,9})\s*s(?:ec(?:ond)?s?)?\b/i.exec(text)?.[1];
  return seconds === undefined ? undefined : Math.min(Number(seconds) * 1000, capMs);
}
