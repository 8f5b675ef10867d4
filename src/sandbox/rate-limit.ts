import type { Clock } from '../lib/clock.ts';
import type { TransportAnswer } from '../service/transport.ts';
import { failure } from './answers.ts';
import type { Handler } from './handler.ts';

const windowMs = 60_000;

/** The handler, `perMinute` times in every minute of the clock. Each answer tells what is left, in both spellings of the headers. */
export function withRateLimit(handler: Handler, perMinute: number, clock: Clock): Handler {
  let window = 0;
  let count = 0;
  return (service, request) => {
    const nowMs = clock.now();
    const current = Math.floor(nowMs / windowMs);
    if (current !== window) count = 0;
    window = current;
    count++;
    const answer = count <= perMinute ? handler(service, request) : refusal((window + 1) * windowMs, nowMs);
    return withHeaders(answer, budgetHeaders(perMinute, count));
  };
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
