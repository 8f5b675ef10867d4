import { describe, expect, it } from 'vitest';
import { LogClock } from '../../../../src/sources/kit/time/log-clock.ts';

const timeOfDay = (text: string) => {
  const [hour, minute] = text.split(':').map(Number);
  return (hour! * 60 + minute!) * 60_000;
};

/** Returns the instants of lines with these times of day, as UTC. */
const instantsOf = (clock: LogClock, ...times: readonly string[]) =>
  times.map((time) => {
    const instant = clock.at(timeOfDay(time));
    return instant && `${new Date(instant.atMs).toISOString().slice(0, 16)}Z ${instant.assumed ?? ''}`.trim();
  });

const clockOf = (zone: string | undefined, day: string) => {
  const clock = new LogClock(zone);
  clock.setDay(Date.parse(day));
  return clock;
};

describe('LogClock', () => {
  it('knows no instant before it knows the day', () => {
    expect(instantsOf(new LogClock('Europe/Berlin'), '09:15')).toEqual([undefined]);
  });

  it('reads times of the day in its zone, and as UTC without one', () => {
    expect(instantsOf(clockOf('Europe/Berlin', '2026-03-02'), '09:15')).toEqual(['2026-03-02T08:15Z']);
    expect(instantsOf(clockOf(undefined, '2026-03-02'), '09:15')).toEqual(['2026-03-02T09:15Z']);
  });

  it('continues with the next day if midnight passed unmarked, and reports it once', () => {
    expect(instantsOf(clockOf(undefined, '2026-02-28'), '23:59', '00:01', '00:02')).toEqual([
      '2026-02-28T23:59Z',
      '2026-03-01T00:01Z day',
      '2026-03-01T00:02Z',
    ]);
  });

  it('keeps the day of lines written late', () => {
    expect(instantsOf(clockOf(undefined, '2026-03-02'), '13:00', '12:59', '13:00')).toEqual([
      '2026-03-02T13:00Z',
      '2026-03-02T12:59Z',
      '2026-03-02T13:00Z',
    ]);
  });

  it('takes the second of two equal hours once a line steps back', () => {
    const clock = clockOf('Europe/Berlin', '2026-10-25');
    expect(instantsOf(clock, '01:59', '02:30', '02:59', '02:10', '02:30', '03:00')).toEqual([
      '2026-10-24T23:59Z',
      '2026-10-25T00:30Z overlap',
      '2026-10-25T00:59Z overlap',
      '2026-10-25T01:10Z',
      '2026-10-25T01:30Z',
      '2026-10-25T02:00Z',
    ]);
  });

  it('names a time that never was', () => {
    expect(instantsOf(clockOf('Europe/Berlin', '2026-03-29'), '02:30')).toEqual(['2026-03-29T01:30Z gap']);
  });

  it('takes the day of a line that says it, and the offset', () => {
    const clock = new LogClock('Europe/Berlin');
    const localMs = Date.UTC(2026, 2, 2, 9, 15);
    expect(clock.exactly({ localMs, nanoseconds: 0 })).toEqual({ atMs: localMs - 3_600_000 });
    expect(clock.exactly({ localMs, nanoseconds: 0, offsetMs: 0 })).toEqual({ atMs: localMs });
    expect(clock.dayMs).toBe(Date.UTC(2026, 2, 2));
    expect(instantsOf(clock, '09:16')).toEqual(['2026-03-02T08:16Z']);
  });
});
