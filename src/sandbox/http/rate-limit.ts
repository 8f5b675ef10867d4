import type { Clock } from '../../lib/flow/clock.ts';
import type { RateClass } from '../../service/operation.ts';
import type { TransportAnswer } from '../../service/transport.ts';
import { failure } from '../answers.ts';
import { LastUsed } from '../../lib/maps/last-used.ts';

const windowMs = 60_000;

/** Requests of this class so far, in one minute of the clock. */
interface Window {
  minute: number;
  count: number;
}

export type RateLimits = (
  rateClass: RateClass,
  sender: string | undefined,
  answer: () => TransportAnswer,
) => TransportAnswer;

/**
 * Answers a limited number of requests of a class in every minute of the clock, and rejects the others with 429. For
 * `send` each sender has a separate window. Each answer states what is left, in both spellings of the headers.
 */
export function createRateLimits(perMinute: Readonly<Record<RateClass, number>>, clock: Clock): RateLimits {
  // Some 150 bytes each. A sender who is forgotten may send 30 messages more.
  const windows = new LastUsed<string, Window>(20_000);
  return (rateClass, sender, answer) => {
    const nowMs = clock.now();
    const limit = perMinute[rateClass];
    const { minute, count } = enter(windows, rateClass === 'send' ? `send ${sender ?? ''}` : rateClass, nowMs);
    const answered = count <= limit ? answer() : refusal((minute + 1) * windowMs, nowMs);
    return withHeaders(answered, budgetHeaders(limit, count));
  };
}

function enter(windows: LastUsed<string, Window>, key: string, nowMs: number): Window {
  const minute = Math.floor(nowMs / windowMs);
  const known = windows.get(key);
  const window = known?.minute === minute ? known : { minute, count: 0 };
  window.count++;
  windows.set(key, window);
  return window;
}

function refusal(resetMs: number, nowMs: number): TransportAnswer {
  const waitSeconds = Math.ceil((resetMs - nowMs) / 1000);
  const message = `Too many requests, retry after ${waitSeconds} seconds`;
  const reset = String(resetMs / 1000);
  return withHeaders(failure(429, { code: 'ERR_TOO_MANY_REQUESTS', message }), {
    'retry-after': String(waitSeconds),
    'x-rate-limit-reset': reset,
    'x-ratelimit-reset': reset,
  });
}

function budgetHeaders(perMinute: number, count: number): Record<string, string> {
  const limit = String(perMinute);
  const remaining = String(Math.max(perMinute - count, 0));
  return {
    'x-rate-limit': limit,
    'x-rate-limit-remaining': remaining,
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
  };
}

function withHeaders(answer: TransportAnswer, headers: Readonly<Record<string, string>>): TransportAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
