import { Cron } from 'croner';

/** When a job runs: a cron expression, and the zone in which its hours are meant. */
export interface CronSchedule {
  readonly cron: string;
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
}

/**
 * Returns the next instant of the expression. When the clock is put forward, runs in the lost hour start right after
 * it. When it is put back, runs with a fixed time start once, and periodic runs continue evenly. That is what `croner`
 * does, and tests hold it to it.
 *
 * @param afterMs Not included.
 * @returns Undefined if the expression names no instant: the 30th of February.
 */
export function nextCronInstant({ cron, timeZone }: CronSchedule, afterMs: number): number | undefined {
  const key = `${timeZone} ${cron}`;
  const known = answers.get(key);
  if (known && known.afterMs <= afterMs && afterMs < (known.nextMs ?? Infinity)) return known.nextMs;
  // Without a function it starts no timer.
  const parsed = new Cron(cron, { timezone: timeZone, mode: '5-or-6-parts' });
  const nextMs = parsed.nextRun(new Date(afterMs))?.getTime();
  answers.set(key, { afterMs, nextMs });
  return nextMs;
}

/** The last answer for each schedule: it is the same one until then, and asked for every half a minute. */
const answers = new Map<string, { readonly afterMs: number; readonly nextMs: number | undefined }>();

/** The expression itself. @throws RangeError in words for the user. */
export function parseCron(text: string): string {
  const fields = text.trim().split(/\s+/).length;
  if (!text.trim().startsWith('@') && fields !== 5 && fields !== 6) throw unreadable(text, `it has ${fields}`);
  try {
    if (nextCronInstant({ cron: text, timeZone: 'UTC' }, Date.UTC(2026, 0, 1)) !== undefined) return text;
  } catch (cause) {
    const reason = (cause as Error).message.replace(/^CronPattern: /, '');
    throw unreadable(text, reason);
  }
  throw new RangeError(`"${text}" names no instant at all`);
}

const unreadable = (text: string, why: string) =>
  new RangeError(`expected a cron expression of five fields, or six with seconds, found "${text}": ${why}`);

/** @throws RangeError in words for the user. */
export function parseTimeZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    throw new RangeError(`expected the name of a time zone, such as Europe/Berlin or UTC, found "${text}"`);
  }
}

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
    ? [parseMinute(match[1]!, match[2]!), parseMinute(match[3]!, match[4]!)]
    : [undefined, undefined];
  if (fromMinute === undefined || toMinute === undefined || fromMinute === dayMinutes) {
    throw new RangeError(`expected hours such as 22:00-06:00, found "${text}"`);
  }
  if (fromMinute === toMinute) throw new RangeError(`expected two different times, found "${text}"`);
  return { fromMinute, toMinute, text: text.trim() };
}

const dayMinutes = 24 * 60;

function parseMinute(hour: string, minute: string): number | undefined {
  const minutes = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && minutes <= dayMinutes ? minutes : undefined;
}

/** @param minute Of the day. */
export const holdsMinute = ({ fromMinute, toMinute }: Hours, minute: number): boolean =>
  fromMinute < toMinute ? minute >= fromMinute && minute < toMinute : minute >= fromMinute || minute < toMinute;
