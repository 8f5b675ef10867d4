import { describe, expect, it } from 'vitest';
import { createRateLimits } from '../../src/sandbox/http/rate-limit.ts';
import { apiKey, ask, clockAt, direct, importAll, list, now, sandboxOf } from './fixture.ts';

const answer = () => ({ status: 200, headers: {}, body: '{}' });
const perMinute = { import: 2, core: 3, standard: 4, send: 1 };

describe('rate limits', () => {
  it('count each class separately, and start again every minute', () => {
    const clock = clockAt(now + 59_000);
    const limit = createRateLimits(perMinute, clock);
    const statuses = (rateClass: 'import' | 'core') =>
      Array.from({ length: 4 }, () => limit(rateClass, undefined, answer).status);
    expect(statuses('import')).toEqual([200, 200, 429, 429]);
    expect(statuses('core')).toEqual([200, 200, 200, 429]);
    clock.ms += 1_000;
    expect(statuses('import')).toEqual([200, 200, 429, 429]);
  });

  it('count what each sender sends', () => {
    const limit = createRateLimits(perMinute, clockAt(now));
    const statuses = ['ann', 'bob', 'ann', undefined, undefined].map((uid) => limit('send', uid, answer).status);
    expect(statuses).toEqual([200, 200, 429, 200, 429]);
  });

  it('are sent in both spellings of the headers, with the wait once exceeded', () => {
    const limit = createRateLimits(perMinute, clockAt(now + 15_000));
    expect(limit('send', 'ann', answer).headers).toEqual({
      'x-rate-limit': '1',
      'x-rate-limit-remaining': '0',
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
    });
    const reset = String(now / 1000 + 60);
    expect(limit('send', 'ann', answer).headers).toMatchObject({
      'retry-after': '45',
      'x-rate-limit-reset': reset,
      'x-ratelimit-reset': reset,
    });
  });

  it('are those of the hosted service under its profile, and none otherwise', () => {
    const sandbox = sandboxOf({ profile: 'hosted' });
    for (let n = 0; n < 60; n++) expect(importAll(sandbox, direct(`m${n}`)).status).toBe(200);
    expect(importAll(sandbox, direct('m60'))).toMatchObject({
      status: 429,
      json: { error: { code: 'ERR_TOO_MANY_REQUESTS' } },
    });
    expect(list(sandbox, '').headers['x-ratelimit-limit']).toBe('20000');
    const body = JSON.stringify({ receiver: 'bob', receiverType: 'user', data: { text: 'Hello' } });
    const send = (onBehalfOf: string) =>
      ask(sandbox, { method: 'POST', path: '/v3/messages', headers: { apikey: apiKey, onBehalfOf }, body }).status;
    expect(Array.from({ length: 31 }, () => send('ann'))).toEqual([...Array(30).fill(200), 429]);
    expect(send('bob')).toBe(200);
    expect(list(sandboxOf(), '').headers).not.toHaveProperty('x-ratelimit-limit');
  });
});
