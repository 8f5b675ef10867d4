import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeReader } from '../../../../src/sources/kit/time/time-reading.ts';

const iso = (format: string, value: unknown, zone = 'UTC') => {
  const time = timeReader(format, zone)(String(value));
  return time && `${new Date(time.atMs).toISOString()}+${time.nanoseconds}`;
};

describe('timeReader()', () => {
  it.each([
    ['iso', '2024-03-01T12:00:00Z', '2024-03-01T12:00:00.000Z+0'],
    ['iso', '2024-03-01 12:00:00.123456789+02', '2024-03-01T10:00:00.123Z+456789'],
    ['iso', '2024-03-01 12:00:00 UTC', '2024-03-01T12:00:00.000Z+0'],
    ['iso', '2024-03-01T12:00-03:30', '2024-03-01T15:30:00.000Z+0'],
    ['iso', ' 2024-03-01 ', '2024-03-01T00:00:00.000Z+0'],
    ['iso', '2024-02-29T23:59:60Z', '2024-03-01T00:00:00.000Z+0'],
    ['unix-s', '1709294400', '2024-03-01T12:00:00.000Z+0'],
    ['unix-s', 1709294400.5, '2024-03-01T12:00:00.500Z+0'],
    ['unix-s', '1709294400.123456789', '2024-03-01T12:00:00.123Z+456789'],
    ['unix-s', '-1.5', '1969-12-31T23:59:58.500Z+0'],
    ['unix-ms', '1709294400123', '2024-03-01T12:00:00.123Z+0'],
    ['unix-ms', '5', '1970-01-01T00:00:00.005Z+0'],
    ['unix-us', '1709294400123456', '2024-03-01T12:00:00.123Z+456000'],
    ['unix-us', '-1', '1969-12-31T23:59:59.999Z+999000'],
    ['pubnub', '17092944001234567', '2024-03-01T12:00:00.123Z+456700'],
    ['unix-ns', '1709294400123456789', '2024-03-01T12:00:00.123Z+456789'],
    ['excel', '45352.5', '2024-03-01T12:00:00.000Z+0'],
    ['excel', '45352,75', '2024-03-01T18:00:00.000Z+0'],
    ['dotnet', '/Date(1709294400000+0100)/', '2024-03-01T12:00:00.000Z+0'],
    ['dd.MM.yyyy HH:mm:ss', '01.03.2024 12:00:01', '2024-03-01T12:00:01.000Z+0'],
    ['M/d/yyyy h:mm a', '3/1/2024 12:05 AM', '2024-03-01T00:05:00.000Z+0'],
    ['M/d/yyyy h:mm a', '3/1/2024 12:05 p.m.', '2024-03-01T12:05:00.000Z+0'],
    ['d MMM yyyy, HH:mm XXX', '1 Mar 2024, 12:00 +01:00', '2024-03-01T11:00:00.000Z+0'],
    ["EEEE, MMMM d, yyyy 'at' H:mm:ss.SSS", 'Friday, March 1, 2024 at 9:00:00.25', '2024-03-01T09:00:00.250Z+0'],
    ['d.M.yy', '1.3.69', '2069-03-01T00:00:00.000Z+0'],
  ])('reads %s: %j', (format, value, expected) => {
    expect(iso(format, value)).toBe(expected);
  });

  it('reads the most usual way as any other, whatever letter of it is another', () => {
    const letter = fc.constantFrom(...'0569-:.TZ +/a');
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), fc.nat(24), letter, (date, at, other) => {
        const usual = date.toISOString();
        const changed = usual.slice(0, at) + other + usual.slice(at + 1);
        for (const text of [usual, changed, changed.replace('.000', '')])
          if (text.endsWith('Z')) expect(iso('iso', text)).toBe(iso('iso', `${text.slice(0, -1)}+00:00`));
      }),
    );
  });

  it.each([
    ['iso', '2023-02-29'],
    ['iso', '2024-03-01T12:00:00.Z'],
    ['iso', '2024-13-01'],
    ['iso', '2024-03-01T24:00:00'],
    ['iso', '0001-01-01'],
    ['iso', '1709294400'],
    ['iso', '1 March 2024'],
    ['unix-s', '1.70929E+9'],
    ['unix-s', '99999999999999999999'],
    ['unix-ms', ''],
    ['excel', '0'],
    ['excel', '9999999'],
    ['dd.MM.yyyy', '1.3.2024'],
    ['d.M.yyyy h:mm a', '1.3.2024 13:00 PM'],
    ['d MMM yyyy', '1 Maaliskuu 2024'],
  ])('does not read %s: %j', (format, value) => {
    expect(iso(format, value)).toBeUndefined();
  });

  it.each([
    ['2026-03-29 01:59', '2026-03-29T00:59:00.000Z', undefined],
    ['2026-03-29 02:30', '2026-03-29T01:30:00.000Z', 'gap'],
    ['2026-03-29 03:00', '2026-03-29T01:00:00.000Z', undefined],
    ['2026-10-25 01:59', '2026-10-24T23:59:00.000Z', undefined],
    ['2026-10-25 02:30', '2026-10-25T00:30:00.000Z', 'overlap'],
    ['2026-10-25 03:00', '2026-10-25T02:00:00.000Z', undefined],
    ['2026-07-01 12:00', '2026-07-01T10:00:00.000Z', undefined],
    ['2026-03-29 02:30Z', '2026-03-29T02:30:00.000Z', undefined],
  ])('knows when the clock was changed: %s in Berlin', (text, instant, assumed) => {
    const time = timeReader('iso', 'Europe/Berlin')(text)!;
    expect([new Date(time.atMs).toISOString(), time.assumed]).toEqual([instant, assumed]);
  });

  it('agrees with the clock of any zone, every hour of a year', () => {
    for (const zone of ['America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Casablanca', '+05:45']) {
      const read = timeReader('iso', zone);
      const clock = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
      for (let atMs = Date.UTC(2025, 0, 1); atMs < Date.UTC(2026, 0, 1); atMs += 3_600_000 * 5) {
        const time = read(clock.format(atMs))!;
        if (time.assumed === undefined) expect(time.atMs, `${zone} ${clock.format(atMs)}`).toBe(atMs);
      }
    }
  });

  it('reports that UTC was assumed only if no zone is known', () => {
    expect(timeReader('iso', undefined)('2024-03-01 12:00')?.assumed).toBe('utc');
    expect(timeReader('iso', undefined)('2024-03-01T12:00Z')?.assumed).toBeUndefined();
    expect(timeReader('unix-s', undefined)('1')?.assumed).toBeUndefined();
  });
});
