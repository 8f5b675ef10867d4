import { describe, expect, it } from 'vitest';
import { parseHours } from '../../src/sync/config/times.ts';
import { isOpen, nextClosing, nextOpening, rateAt } from '../../src/sync/job.ts';

const hoursOf = (texts: readonly string[], timeZone = 'UTC') => ({ hours: texts.map(parseHours), timeZone });
const at = (text: string) => Date.parse(text);
const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16));

describe('parseHours()', () => {
  it.each(['22:00-06:00', '0:00-24:00', '09:30 - 17:00'])('takes "%s"', (text) => {
    expect(parseHours(text).text).toBe(text);
  });

  it.each(['22-6', '25:00-06:00', '24:00-06:00', '08:60-09:00', '08:00-08:00', 'night'])('refuses "%s"', (text) => {
    expect(() => parseHours(text)).toThrow(/expected (hours such as|two different times)/);
  });
});

describe('allowed hours', () => {
  it('cross midnight', () => {
    const night = hoursOf(['22:00-06:00']);
    expect(
      ['21:59', '22:00', '23:59', '00:00', '05:59', '06:00'].map((time) => isOpen(night, at(`2026-05-01T${time}Z`))),
    ).toEqual([...[false, true, true, true, true, false]]);
    expect(iso(nextOpening(night, at('2026-05-01T12:00:30Z')))).toBe('2026-05-01T22:00');
    expect(iso(nextClosing(night, at('2026-05-01T23:10Z')))).toBe('2026-05-02T06:00');
  });

  it('are always open if there are none', () => {
    expect(isOpen(hoursOf([]), 0)).toBe(true);
    expect(nextClosing(hoursOf([]), at('2026-05-01T12:00Z'))).toBeUndefined();
    expect(nextClosing(hoursOf(['00:00-24:00']), at('2026-05-01T12:00Z'))).toBeUndefined();
  });

  it('may be several; one that directly follows another keeps them open', () => {
    const parts = hoursOf(['12:00-13:00', '13:00-14:00', '20:00-21:00']);
    expect(iso(nextClosing(parts, at('2026-05-01T12:30Z')))).toBe('2026-05-01T14:00');
    expect(iso(nextOpening(parts, at('2026-05-01T14:00Z')))).toBe('2026-05-01T20:00');
  });

  it('follow the clock on the wall: an hour less in spring, an hour more in autumn', () => {
    const night = hoursOf(['01:00-05:00'], 'Europe/Berlin');
    const lengthFrom = (text: string) => (nextClosing(night, at(text))! - at(text)) / 3_600_000;
    expect(lengthFrom('2026-03-28T00:00Z')).toBe(4);
    expect(lengthFrom('2026-03-29T00:00Z')).toBe(3);
    expect(lengthFrom('2026-10-24T23:00Z')).toBe(5);
  });

  it('that lie in the hour which is skipped begin a day later', () => {
    const lost = hoursOf(['02:10-02:50'], 'Europe/Berlin');
    expect(iso(nextOpening(lost, at('2026-03-29T00:00Z')))).toBe('2026-03-30T00:10');
    const lostInNewYork = hoursOf(['02:10-02:50'], 'America/New_York');
    expect(iso(nextOpening(lostInNewYork, at('2026-03-08T06:00Z')))).toBe('2026-03-09T06:10');
  });
});

it('rateAt() takes the first entry that fits, in the zone of the job', () => {
  const rates = [
    { hours: parseHours('08:00-18:00'), rate: 10 },
    { hours: parseHours('06:00-22:00'), rate: 30 },
  ];
  const rateIn = (timeZone: string, time: string) => rateAt({ rates, timeZone }, at(`2026-05-01T${time}Z`));
  expect(['05:59', '06:00', '08:00', '17:59', '18:00', '22:00'].map((time) => rateIn('UTC', time))).toEqual([
    ...[undefined, 30, 10, 10, 30, undefined],
  ]);
  expect(rateIn('Europe/Berlin', '06:00')).toBe(10);
});
