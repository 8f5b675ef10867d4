import { describe, expect, it } from 'vitest';
import { parseData, timesIn } from '../../../src/sources/sendbird/format.ts';

describe('timesIn()', () => {
  it.each<[unknown, string]>([
    [1772442000123, '2026-03-02T09:00:00.123Z'],
    ['1772442000123', '2026-03-02T09:00:00.123Z'],
    [1772442000, '2026-03-02T09:00:00.000Z'],
    ['1772442000', '2026-03-02T09:00:00.000Z'],
    ['2026-03-02 09:00:00+0000', '2026-03-02T09:00:00.000Z'],
    ['2026-03-02 10:00:00+01:00', '2026-03-02T09:00:00.000Z'],
    ['2026-03-02T09:00:00.5Z', '2026-03-02T09:00:00.500Z'],
    ['2026-03-02 09:00:00', '2026-03-02T09:00:00.000Z'],
  ])('reads %j', (value, time) => expect(new Date(timesIn(undefined)(value)!).toISOString()).toBe(time));

  it.each([0, -1, '0', '-1', '1969-12-31 23:59:59+0000', '', null, undefined, {}, 'soon', 1e20])(
    'says never of %j',
    (value) => expect(timesIn(undefined)(value)).toBeUndefined(),
  );

  it('takes dates without a zone as of the zone that the export was asked for', () =>
    expect(timesIn('Europe/Berlin')('2026-07-02 09:00:00')).toBe(Date.UTC(2026, 6, 2, 7)));
});

describe('parseData()', () => {
  it.each<[unknown, unknown]>([
    ['{"a":1}', { a: 1 }],
    [' [1] ', [1]],
    ['{broken', '{broken'],
    ['7', '7'],
    ['', ''],
    [null, null],
  ])('takes %j for %j', (value, found) => expect(parseData(value)).toEqual(found));
});
