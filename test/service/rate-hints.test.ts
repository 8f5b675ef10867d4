import { describe, expect, it } from 'vitest';
import { rateHints } from '../../src/service/answers/rate-hints.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const seconds = now / 1000;

describe('rateHints()', () => {
  it.each([
    ['X-Rate-Limit', { 'x-rate-limit': '60', 'x-rate-limit-remaining': '7', 'x-rate-limit-reset': `${seconds + 20}` }],
    [
      'X-RateLimit',
      { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': `${seconds + 20}` },
    ],
  ])('reads the spelling %s', (_, headers) => {
    expect(rateHints(headers, now)).toEqual({ limitPerMinute: 60, remaining: 7, resetInMs: 20_000 });
  });

  it('takes a small reset for seconds to wait', () => {
    expect(rateHints({ 'x-ratelimit-reset': '15' }, now)).toEqual({ resetInMs: 15_000 });
  });

  it('compares a reset with the server clock if there is one', () => {
    const headers = { 'x-rate-limit-reset': `${seconds + 20}`, date: 'Sat, 21 Nov 2026 12:00:10 GMT' };
    expect(rateHints(headers, now + 86_400_000)).toEqual({ resetInMs: 10_000 });
  });

  it('never waits for a reset that has passed', () => {
    expect(rateHints({ 'x-rate-limit-reset': `${seconds - 20}` }, now)).toEqual({ resetInMs: 0 });
  });

  it('knows nothing without headers, and from headers without numbers', () => {
    expect(rateHints({}, now)).toEqual({});
    expect(
      rateHints({ 'x-rate-limit': 'many', 'x-rate-limit-remaining': '-1', 'x-ratelimit-reset': '1.5' }, now),
    ).toEqual({});
    expect(rateHints({ 'x-rate-limit': '0' }, now)).toEqual({});
  });
});
