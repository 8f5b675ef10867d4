import { asString, secondsToMs } from '../kit/narrow.ts';
import { type ReadTime, timeReader } from '../kit/time/time-reading.ts';

const iso = timeReader('iso', 'UTC');

export const msOf = (value: unknown): number | undefined => {
  const text = asString(value);
  return text === undefined ? undefined : iso(text)?.atMs;
};

/** The time of an event: with microseconds; in version 3.0, in Unix seconds. */
export function readTime(createdAt: unknown, timestamp: unknown): ReadTime | undefined {
  const text = asString(createdAt);
  if (text !== undefined) return iso(text);
  const atMs = createdAt === undefined ? secondsToMs(timestamp) : undefined;
  return atMs === undefined ? undefined : { atMs, nanoseconds: 0 };
}
