import { type LocalTime, Zone } from './wall-time.ts';

/** A line's instant, and what had to be assumed for it. */
export interface LogInstant {
  readonly atMs: number;
  /** `day`: midnight passed without a word; the others as `ReadTime` has them. */
  readonly assumed?: 'gap' | 'overlap' | 'day';
}

const dayMs = 86_400_000;

/**
 * Wall times of a log's lines, which stand in order: a line says the time of day, and seldom the day.
 *
 *     const clock = new LogClock('Europe/Berlin');
 *     clock.setDay(Date.UTC(2026, 9, 25)); // a line said so, or the name of the file
 *     clock.at(9 * 3_600_000);             // { atMs: … } of 9:00 on that day
 *
 * What a single time leaves open, the order of the lines decides: in the night in which the clock is put back, the hour that comes
 * twice is the first until a line steps back, and the second from there on. Where the time of day falls by more than half a day
 * and no line says that the day changed, it is the next day (`assumed: 'day'`). Smaller steps back are those of lines that were
 * written late, and are kept.
 */
export class LogClock {
  readonly #zone: Zone;
  #dayMs: number | undefined;
  #last: { readonly localMs: number; readonly atMs: number } | undefined;

  /** @param zone Of the times; undefined: UTC, which the reader says to be assumed. */
  constructor(zone: string | undefined) {
    this.#zone = new Zone(zone ?? 'UTC');
  }

  /**
   * Sets the day of the following lines.
   *
   * @param localMs Any time of the day as if it were UTC; undefined: not known.
   */
  setDay(localMs: number | undefined): void {
    this.#dayMs = localMs === undefined ? undefined : Math.floor(localMs / dayMs) * dayMs;
  }

  /** Midnight as if it were UTC, if the day is known. */
  get dayMs(): number | undefined {
    return this.#dayMs;
  }

  /**
   * @param timeOfDayMs Since midnight.
   * @returns undefined if the day is not known yet.
   */
  at(timeOfDayMs: number): LogInstant | undefined {
    if (this.#dayMs === undefined) return undefined;
    const isNextDay = this.#last !== undefined && this.#dayMs + timeOfDayMs < this.#last.localMs - dayMs / 2;
    if (isNextDay) this.#dayMs += dayMs;
    const instant = this.exactly({ localMs: this.#dayMs + timeOfDayMs, nanoseconds: 0 });
    return isNextDay ? { atMs: instant.atMs, assumed: 'day' } : instant;
  }

  /** For a line that says its day itself. */
  exactly({ localMs, offsetMs }: LocalTime): LogInstant {
    this.setDay(localMs);
    const { atMs, assumed, laterMs } =
      offsetMs === undefined ? this.#zone.findInstant(localMs) : { atMs: localMs - offsetMs };
    const isSecond = laterMs !== undefined && this.#last !== undefined && atMs < this.#last.atMs;
    this.#last = { localMs, atMs: isSecond ? laterMs : atMs };
    // The order of the lines says that it is the second: nothing had to be assumed.
    return assumed === undefined || isSecond ? { atMs: this.#last.atMs } : { atMs, assumed };
  }
}
