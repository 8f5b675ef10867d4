/**
 * Local times and zones, by the time zone data of `Intl`. (`Temporal` would say all this, but Node 22 and 24 do not have it.)
 */

const dayMs = 86_400_000;

/** Days for which a zone keeps its offset in memory: some 30 years of messages, about 1 MB. */
const daysMax = 10_000;

/** An instant, and what had to be assumed where a local time names none or two. */
export interface ZonedInstant {
  readonly atMs: number;
  /** `gap`: the clock was put forward over this time; `overlap`: it was put back, and this time came twice. */
  readonly assumed?: 'gap' | 'overlap';
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Local times of one zone. */
export class Zone {
  readonly #format: Intl.DateTimeFormat | undefined;
  /** Offset in ms by day of local time; null where the clock may be changed around that day. */
  readonly #offsetOfDay = new Map<number, number | null>();

  /** @throws RangeError for a name that is no zone: see `isTimeZone`. */
  constructor(name: string) {
    if (name.toUpperCase() === 'UTC') return;
    this.#format = new Intl.DateTimeFormat('en', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /**
   * The instant of a local time. In a gap the time is read with the offset from before it, so that it comes out as much
   * later as the clock was put forward; of two instants the earlier one is taken.
   *
   * @param localMs The local date and time as if it were UTC, in epoch ms.
   */
  instantOf(localMs: number): ZonedInstant {
    if (!this.#format) return { atMs: localMs };
    const day = Math.floor(localMs / dayMs);
    let offset = this.#offsetOfDay.get(day);
    if (offset === undefined) {
      const before = this.#offsetAt((day - 1) * dayMs);
      offset = before === this.#offsetAt((day + 2) * dayMs) ? before : null;
      if (this.#offsetOfDay.size >= daysMax) this.#offsetOfDay.clear();
      this.#offsetOfDay.set(day, offset);
    }
    return offset === null ? this.#nearChange(localMs) : { atMs: localMs - offset };
  }

  #nearChange(localMs: number): ZonedInstant {
    const before = this.#offsetAt(localMs - dayMs);
    const after = this.#offsetAt(localMs + dayMs);
    const instants = [localMs - before, localMs - after].filter((atMs) => atMs + this.#offsetAt(atMs) === localMs);
    const [first, second] = instants;
    if (first === undefined) return { atMs: localMs - before, assumed: 'gap' };
    if (second === undefined || second === first) return { atMs: first };
    return { atMs: Math.min(first, second), assumed: 'overlap' };
  }

  /** What is added to UTC at this instant, in ms. */
  #offsetAt(atMs: number): number {
    const parts = new Map(this.#format!.formatToParts(atMs).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
    const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
    const local = Date.UTC(year, part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return local - Math.floor(atMs / 1000) * 1000;
  }
}
