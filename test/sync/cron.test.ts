import { describe, expect, it } from 'vitest';
import { nextCronInstant, parseCron, parseTimeZone } from '../../src/sync/config/times.ts';

/** The next instants, as a clock in UTC shows them. */
function instants(cron: string, timeZone: string, from: string, count: number): string[] {
  const found: string[] = [];
  for (let at = Date.parse(from); found.length < count; ) {
    at = nextCronInstant({ cron, timeZone }, at)!;
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

describe('nextCronInstant() when clocks are put forward', () => {
  it('runs what falls into the lost hour right after it, once: Europe/Berlin, 29 March 2026', () => {
    expect(instants('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00Z', 3)).toEqual([
      '2026-03-28T01:30',
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ]);
  });

  it('runs what falls into the lost hour right after it, once: America/New_York, 8 March 2026', () => {
    expect(instants('30 2 * * *', 'America/New_York', '2026-03-07T00:30Z', 3)).toEqual([
      '2026-03-07T07:30',
      '2026-03-08T07:00',
      '2026-03-09T06:30',
    ]);
  });

  it('keeps the half-hour interval of a job', () => {
    expect(instants('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:00Z', 4)).toEqual([
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
      '2026-03-29T02:00',
    ]);
  });
});

describe('nextCronInstant() when clocks are put back', () => {
  it('runs what has a fixed time once: Europe/Berlin, 25 October 2026', () => {
    expect(instants('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
  });

  it('runs what has a fixed time once: America/New_York, 1 November 2026', () => {
    expect(instants('30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', 2)).toEqual([
      '2026-11-01T05:30',
      '2026-11-02T06:30',
    ]);
  });

  it('runs what comes every hour in both of the hours that have one name', () => {
    expect(instants('0 * * * *', 'America/New_York', '2026-11-01T04:30Z', 3)).toEqual([
      '2026-11-01T05:00',
      '2026-11-01T06:00',
      '2026-11-01T07:00',
    ]);
  });
});

describe('nextCronInstant() that is asked again', () => {
  const cron = '30 2 * * *';
  const asked = (timeZone: string, at: string) =>
    new Date(nextCronInstant({ cron, timeZone }, Date.parse(at))!).toISOString().slice(0, 16);

  it('returns the same as a single call: before an instant, at it, for another zone, and after a clock was set back', () => {
    expect([
      asked('Europe/Berlin', '2026-06-01T00:00Z'),
      asked('Europe/Berlin', '2026-06-01T00:29:59.999Z'),
      asked('Asia/Tokyo', '2026-06-01T00:29Z'),
      asked('Europe/Berlin', '2026-06-01T00:30Z'),
      asked('Europe/Berlin', '2026-05-01T00:00Z'),
      asked('Europe/Berlin', '2026-06-01T00:00Z'),
    ]).toEqual([
      '2026-06-01T00:30',
      '2026-06-01T00:30',
      '2026-06-01T17:30',
      '2026-06-02T00:30',
      '2026-05-01T00:30',
      '2026-06-01T00:30',
    ]);
  });
});

describe('parseCron()', () => {
  it.each(['0 * * * *', '*/10 * * * * *', '0 0 * * MON-FRI', '@daily'])('takes "%s"', (text) => {
    expect(parseCron(text)).toBe(text);
  });

  it.each([
    ['hourly', 'expected a cron expression of five fields'],
    ['0 * *', 'expected a cron expression of five fields'],
    ['61 * * * *', 'Invalid value for minute: 61'],
    ['0 0 0 1 1 * 2030', 'found "0 0 0 1 1 * 2030"'],
    ['0 0 30 2 *', 'names no instant at all'],
  ])('refuses "%s"', (text, words) => {
    expect(() => parseCron(text)).toThrow(words);
  });
});

it('parseTimeZone() rejects an unknown zone', () => {
  expect(parseTimeZone('Europe/Berlin')).toBe('Europe/Berlin');
  expect(() => parseTimeZone('Berlin')).toThrow('expected the name of a time zone');
});
