import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../src/lib/flow/retry-after.ts';
import { retryAfterInText } from '../../src/service/answers/rate-hints.ts';
import { anyCharacter } from '../arbitrary-text.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const capMs = 3_600_000;
const date = 'Sat, 21 Nov 2026 12:00:00 GMT';

describe('parseRetryAfter()', () => {
  it.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['1.5', 1_500],
    ['1000000000', capMs],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
    ['Sat Nov 21 12:00:30 2026', 30_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['Sun, 21 Nov 2027 12:00:00 GMT', capMs],
    ['-5', undefined],
    ['1e9', undefined],
    ['soon', undefined],
    ['', undefined],
    ['2026-11-21', undefined],
    ['Sat, 99 Foo 2026 12:00:30 GMT', undefined],
    [undefined, undefined],
  ])('reads %j as %j ms', (value, ms) => {
    expect(parseRetryAfter(value, date, now, capMs)).toBe(ms);
  });

  it('compares a date with the server clock, not with ours', () => {
    const ours = now + 86_400_000;
    expect(parseRetryAfter('Sat, 21 Nov 2026 12:00:30 GMT', date, ours, capMs)).toBe(30_000);
  });

  it('falls back to the local clock if the Date header is missing or broken', () => {
    expect(parseRetryAfter('Sat, 21 Nov 2026 12:00:30 GMT', undefined, now, capMs)).toBe(30_000);
    expect(parseRetryAfter('Sat, 21 Nov 2026 12:00:30 GMT', 'yesterday', now, capMs)).toBe(30_000);
  });

  it('gives a wait between nothing and the cap, or none, for any string', () => {
    const header = fc.oneof(
      fc.string(),
      fc.string({ unit: anyCharacter }),
      fc.double().map(String),
      fc.date().map(String),
    );
    fc.assert(
      fc.property(header, fc.option(header, { nil: undefined }), (value, serverDate) => {
        const ms = parseRetryAfter(value, serverDate, now, capMs);
        return ms === undefined || (ms >= 0 && ms <= capMs);
      }),
    );
  });

  it('gives back every whole number of seconds up to the cap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3600 }), (s) => parseRetryAfter(`${s}`, date, now, capMs) === s * 1000),
    );
  });
});

describe('retryAfterInText()', () => {
  it.each([
    ['Too many requests. Please retry after 12 seconds.', 12_000],
    ['retry after 1 second', 1_000],
    ['Try again in 30s', 30_000],
    ['retry after 999999999 seconds', capMs],
    ['retry after a while', undefined],
    ['retry after 5 minutes', undefined],
    ['12 seconds', undefined],
  ])('reads %j as %j ms', (text, ms) => {
    expect(retryAfterInText(text, capMs)).toBe(ms);
  });
});
