/** A part of every day, in minutes since midnight; where it ends before it begins it crosses midnight. */
export interface Hours {
  readonly fromMinute: number;
  /** Not included. */
  readonly toMinute: number;
  /** As it was written: `22:00-06:00`. */
  readonly text: string;
}

/** `22:00-06:00`; `24:00` is the end of the day. @throws RangeError in words for the user. */
export function parseHours(text: string): Hours {
  const match = /^(\d{1,2}):(\d{2})\s?-\s?(\d{1,2}):(\d{2})$/.exec(text.trim());
  const [fromMinute, toMinute] = match
    ? [minuteOf(match[1]!, match[2]!), minuteOf(match[3]!, match[4]!)]
    : [undefined, undefined];
  if (fromMinute === undefined || toMinute === undefined || fromMinute === dayMinutes) {
    throw new RangeError(`expected hours such as 22:00-06:00, found "${text}"`);
  }
  if (fromMinute === toMinute) throw new RangeError(`expected two different times, found "${text}"`);
  return { fromMinute, toMinute, text: text.trim() };
}

const dayMinutes = 24 * 60;

function minuteOf(hour: string, minute: string): number | undefined {
  const minutes = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && minutes <= dayMinutes ? minutes : undefined;
}

/** @param minute Of the day. */
export const holdsMinute = ({ fromMinute, toMinute }: Hours, minute: number): boolean =>
  fromMinute < toMinute ? minute >= fromMinute && minute < toMinute : minute >= fromMinute || minute < toMinute;
