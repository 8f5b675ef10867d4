import { LogClock, type LogInstant } from '../kit/time/log-clock.ts';
import type { RowProblem } from '../kit/entries.ts';
import { type Dialect, readLine, type Said } from './format.ts';
import { readDay, readMonthAndDay, readStamp, type StampTime } from './stamps.ts';

/** A line that says something, and when. */
export interface TimedRow {
  readonly kind: 'said';
  readonly said: Said;
  readonly instant: LogInstant;
  /** Its time for an order over all files: not before the line above, unless the clock stepped back by more than a day. */
  readonly orderMs: number;
  /** As the clock showed it. */
  readonly wallTime: string;
  /** The line says its zone. */
  readonly isExact: boolean;
}

export type LogRow =
  | TimedRow
  | { readonly kind: 'nothing' }
  | { readonly kind: 'more'; readonly text: string }
  | { readonly kind: 'problem'; readonly problem: RowProblem };

const oneDayMs = 86_400_000;

const nothing: LogRow = { kind: 'nothing' };

/** The lines of one file in their order, with the days that they do not say themselves. */
export class LogLines {
  readonly #dialect: Dialect;
  readonly #clock: LogClock;
  /** Year and month of the line before, for lines without a year. */
  #year: number | undefined;
  #month = 0;
  #timeOfDayMs = 0;
  #orderMs = -Infinity;

  /** @param dayMs The day that the name says. @param zone Undefined: UTC, which the caller says to be assumed. */
  constructor(dialect: Dialect, { dayMs, zone }: { dayMs: number | undefined; zone: string | undefined }) {
    this.#dialect = dialect;
    this.#clock = new LogClock(zone);
    this.#setDay(dayMs);
  }

  next(text: string): LogRow {
    const line = readLine(this.#dialect, text);
    if (line === undefined) return { kind: 'problem', problem: unknownLine(this.#dialect) };
    if (line.kind === 'nothing' || line.kind === 'more') return line;
    if (line.kind === 'day') {
      this.#setDay(readDay(line.text));
      return nothing;
    }
    const time = line.stamp && readStamp(line.stamp);
    if (line.stamp && !time) return { kind: 'problem', problem: unknownLine(this.#dialect) };
    const instant = this.#instantOf(time);
    if (!instant) return { kind: 'problem', problem: noDay };
    const wallTime = new Date(this.#clock.dayMs! + this.#timeOfDayMs).toISOString().slice(0, 19);
    const isSteppedBack = instant.atMs < this.#orderMs - oneDayMs;
    this.#orderMs = isSteppedBack ? instant.atMs : Math.max(this.#orderMs, instant.atMs);
    const isExact = time?.offsetMs !== undefined;
    return { kind: 'said', said: line.said, instant, orderMs: this.#orderMs, wallTime, isExact };
  }

  #setDay(localMs: number | undefined): void {
    this.#clock.setDay(localMs);
    if (localMs === undefined) return;
    this.#year = new Date(localMs).getUTCFullYear();
    this.#month = new Date(localMs).getUTCMonth();
  }

  /** An event without a time is of the time of the line before. */
  #instantOf(time: StampTime | undefined): LogInstant | undefined {
    if (time) this.#timeOfDayMs = time.timeOfDayMs;
    const dayMs = time?.monthAndDay === undefined ? time?.dayMs : this.#dayOf(time.monthAndDay);
    if (time?.monthAndDay !== undefined && dayMs === undefined) return undefined;
    if (dayMs === undefined) return this.#clock.at(this.#timeOfDayMs);
    return this.#clock.exactly({ localMs: dayMs + this.#timeOfDayMs, nanoseconds: 0, offsetMs: time?.offsetMs });
  }

  /** In January behind December a year has begun. */
  #dayOf(monthAndDay: string): number | undefined {
    if (this.#year === undefined) return undefined;
    const month = new Date(readMonthAndDay(2000, monthAndDay) ?? 0).getUTCMonth();
    if (month < this.#month - 6) this.#year += 1;
    this.#month = month;
    return readMonthAndDay(this.#year, monthAndDay);
  }
}

const unknownLine = ({ name }: Dialect): RowProblem => ({
  code: 'irc-unknown-line',
  reason: `The line is neither a message nor an event of the program that wrote the beginning of the file (${name})`,
});

const noDay: RowProblem = {
  code: 'irc-no-day',
  reason: 'The line says the time of day, and nothing says which day it is',
};
