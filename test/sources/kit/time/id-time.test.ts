import { describe, expect, it } from 'vitest';
import { formatFault, timeReader } from '../../../../src/sources/kit/time/time-reading.ts';

const sentMs = Date.UTC(2023, 2, 15, 21, 41, 26, 768);
const sinceMisskey = (sentMs - Date.UTC(2000, 0, 1)).toString(36).padStart(8, '0');
const push = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const inPush = Array.from({ length: 8 }, (_, at) => push[Math.trunc(sentMs / 64 ** (7 - at)) % 64]).join('');

describe('timeReader()', () => {
  // Examples of the pages that document each format.
  it.each([
    ['objectid', '507f1f77bcf86cd799439011', '2012-10-17T21:13:27.000Z'],
    ['ulid', '01ARYZ6S41TSV4RRFFQ69G5FAV', '2016-07-30T22:36:16.385Z'],
    ['ksuid', '0ujtsYcgvSTl8PAuAdqWYSMnLOv', '2017-10-10T04:00:47.000Z'],
    ['uuid', 'c232ab00-9414-11ec-b3c8-9f6bdeced846', '2022-02-22T19:22:22.000Z'],
    ['uuid', '1ec9414c-232a-6b00-b3c8-9f6bdeced846', '2022-02-22T19:22:22.000Z'],
    ['uuid', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f', '2022-02-22T19:22:22.000Z'],
    ['uuid', '017F22E279B07CC398C4DC0C0C07398F', '2022-02-22T19:22:22.000Z'],
    ['discord-id', '175928847299117063', '2016-04-30T11:18:25.796Z'],
    ['twitter-id', '1541815603606036480', '2022-06-28T16:07:40.105Z'],
  ])('reads the time at which an id was made as %s: %s', (format, id, expected) => {
    expect(formatFault(format)).toBeUndefined();
    expect(new Date(timeReader(format, undefined)(id)!.atMs).toISOString()).toBe(expected);
  });

  it.each([
    ['cuid', `c${sentMs.toString(36)}0000udocl363eofy`],
    ['firebase-id', `${inPush}IEjaIOFHR0xd`],
    ['aid', `${sinceMisskey}m8`],
    ['aidx', `${sinceMisskey}abcd0001`],
    ['meid', `${(sentMs + 0x8000_0000_0000).toString(16)}a1b2c3d4e5f6`],
    ['meidg', `g${sentMs.toString(16)}a1b2c3d4e5f6`],
    ['mastodon-id', String((BigInt(sentMs) << 16n) + 12_345n)],
    ['snowflake-0', String((BigInt(sentMs) << 22n) + 12_345n)],
    ['snowflake-1546300800000', String((BigInt(sentMs - 1_546_300_800_000) << 22n) + 4_194_303n)],
  ])('reads the millisecond at which an id was made as %s: %s', (format, id) => {
    expect(formatFault(format)).toBeUndefined();
    expect(timeReader(format, undefined)(id)).toEqual({ atMs: sentMs, nanoseconds: 0 });
  });

  it.each([
    ['uuid', '3f2b1c4d-1111-4222-8333-0123456789ab'],
    ['ulid', '8ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
    ['discord-id', '12'],
    ['objectid', '507f1f77bcf86cd79943901z'],
  ])('reads no time of %s from %s', (format, id) => expect(timeReader(format, undefined)(id)).toBeUndefined());
});
