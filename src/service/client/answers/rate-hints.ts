import type { TransportAnswer } from '../../transport.ts';
import type { RateHints } from './outcome.ts';

/** Above it a reset is a point in time, below it a number of seconds to wait. */
const epochSecondsMin = 1_000_000_000;

/**
 * What the answer says about the pace. Two spellings are documented by the public service (rate limit pages, 2026-11):
 * `X-Rate-Limit`, `X-Rate-Limit-Remaining`, `X-Rate-Limit-Reset` and `X-RateLimit-Limit`, `-Remaining`, `-Reset`.
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

function resetIn(reset: number, serverNowMs: number): number {
  if (reset < epochSecondsMin) return reset * 1000;
  return Math.max(reset * 1000 - serverNowMs, 0);
}

/** The whole number with which the value begins: `60`, `60;w=60`. */
function count(value: string | undefined): number | undefined {
  const digits = /^\s*(\d{1,12})(?![\d.])/.exec(value ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * The wait that a Retry-After header asks for, in ms from the answer's arrival; nothing if it says nothing usable.
 *
 * Seconds or an HTTP date. A date is compared with the answer's own Date header, because the clocks of two machines differ;
 * without a usable one, with ours.
 *
 * @param capMs the most that is returned: `Retry-After: 1000000000` is a fault, not a wait of 31 years.
 */
export function parseRetryAfter(
  value: string | undefined,
  date: string | undefined,
  nowMs: number,
  capMs: number,
): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, capMs);
  const untilMs = parseHttpDate(text);
  if (untilMs === undefined) return undefined;
  return Math.min(Math.max(untilMs - serverNow(date, nowMs), 0), capMs);
}

/** "… retry after 12 seconds": the public service says it in the text of a 429, where headers may be missing. */
export function retryAfterInText(text: string, capMs: number): number | undefined {
  const seconds = /\b(?:retry|again)\s+(?:after|in)\s+(\d{1,9})\s*s(?:ec(?:ond)?s?)?\b/i.exec(text)?.[1];
  return seconds === undefined ? undefined : Math.min(Number(seconds) * 1000, capMs);
}

/** The server's clock as the answer tells it, else ours. */
export function serverNow(date: string | undefined, nowMs: number): number {
  return (date === undefined ? undefined : parseHttpDate(date.trim())) ?? nowMs;
}

/** The three forms of RFC 9110; `Date.parse` alone also takes `5` and `Tuesday` for dates. */
function parseHttpDate(text: string): number | undefined {
  const isHttpDate = /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)[a-z]{0,6},? [-A-Za-z0-9: ]{15,25}$/.test(text);
  if (!isHttpDate) return undefined;
  const ms = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(ms) ? undefined : ms;
}
