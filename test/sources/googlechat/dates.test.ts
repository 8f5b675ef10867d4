import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../../src/sources/googlechat/dates.ts';

describe('parseInstant()', () => {
  it.each([
    ['Thursday, November 3, 2016 at 11:59:50 AM UTC', '2016-11-03T11:59:50Z'],
    ['Friday, May 29, 2026 at 3:00:29\u202fAM UTC', '2026-05-29T03:00:29Z'],
    ['Monday, March 2, 2026 at 12:00:00 AM UTC', '2026-03-02T00:00:00Z'],
    ['Monday, March 2, 2026 at 12:00:01\u202fPM UTC', '2026-03-02T12:00:01Z'],
    // The day of the week does not match the date, as in made-up data.
    ['Tuesday, 7 February 2021 at 17:13:43 UTC', '2021-02-07T17:13:43Z'],
    ['2026年5月29日星期五 UTC 03:00:29', '2026-05-29T03:00:29Z'],
    ['2026年5月29日金曜日 3:00:29 UTC', '2026-05-29T03:00:29Z'],
    ['2026년 5월 29일 금요일 오후 3시 0분', undefined],
    ['2026년 5월 29일 금요일 오후 3:00:29 UTC', '2026-05-29T15:00:29Z'],
    ['2015. február 15., vasárnap 21:54:36 UTC', '2015-02-15T21:54:36Z'],
    ['Montag, 1. Juni 2026 um 10:11:12 UTC', '2026-06-01T10:11:12Z'],
    ['lundi 1 juin 2026 à 10:11:12 UTC', '2026-06-01T10:11:12Z'],
    ['lunes, 1 de junio de 2026, 10:11:12 UTC', '2026-06-01T10:11:12Z'],
    ['понедельник, 2 марта 2026 г. в 10:11:12 UTC', '2026-03-02T10:11:12Z'],
    // November in Polish, October in Croatian: the day of the week decides.
    ['poniedziałek, 2 listopada 2026 10:00:00 UTC', '2026-11-02T10:00:00Z'],
    ['petak, 2. listopada 2026. u 10:00:00 UTC', '2026-10-02T10:00:00Z'],
    ['2026-03-02T10:11:12Z', '2026-03-02T10:11:12Z'],
  ])('reads %j', (text, instant) => {
    expect(parseInstant(text)).toBe(instant === undefined ? undefined : Date.parse(instant));
  });

  it.each([
    '',
    'Yesterday',
    'Monday, March 2, 2026 at 9:00:00 AM',
    'Monday, March 2, 2026 at 9:00:00 AM UTC+02',
    'Monday, March 2, 2026 at 13:00:00 AM UTC',
    'Monday, February 30, 2026 at 9:00:00 AM UTC',
    'Monday, Marchember 2, 2026 at 9:00:00 AM UTC',
    'March 2026 at 9:00:00 AM UTC',
    '1 2 3 March 2026 at 9:00:00 AM UTC',
    '2 listopada 2026 10:00:00 UTC',
    '1'.repeat(100_000),
  ])('does not guess at %j', (text) => expect(parseInstant(text)).toBeUndefined());
});
