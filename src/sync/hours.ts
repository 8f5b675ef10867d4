import { type Hours, holdsMinute } from './config/hours.ts';

/** When a job may run. None means at any time. */
export interface AllowedHours {
  readonly hours: readonly Hours[];
  readonly timeZone: string;
}

const minuteMs = 60_000;
/** Two days and an hour: hours that lie in the hour which a clock skips are missing once a year. */
const searchMaxMs = 49 * 3_600_000;

/** Whether it may run at this instant, by the clock on the wall there. */
export function isOpen({ hours, timeZone }: AllowedHours, atMs: number): boolean {
  if (hours.length === 0) return true;
  const minute = localMinute(timeZone, atMs);
  return hours.some((part) => holdsMinute(part, minute));
}

/** @returns `atMs` itself while it is open. */
export const nextOpening = (allowed: AllowedHours, atMs: number): number => nextMinute(allowed, atMs, true) ?? atMs;

/** @returns Nothing where it is always open. */
export const nextClosing = (allowed: AllowedHours, atMs: number): number | undefined =>
  nextMinute(allowed, atMs, false);

/** Minute by minute: whatever a zone does to its clocks, this is what somebody sees who looks at one. Some ms a call. */
function nextMinute(allowed: AllowedHours, atMs: number, wanted: boolean): number | undefined {
  if (isOpen(allowed, atMs) === wanted) return atMs;
  let at = atMs - (atMs % minuteMs) + minuteMs;
  for (; at <= atMs + searchMaxMs; at += minuteMs) if (isOpen(allowed, at) === wanted) return at;
  return undefined;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Minutes since midnight. */
export function localMinute(timeZone: string, atMs: number): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    formats.set(timeZone, format);
  }
  const [hour, minute] = format.format(atMs).split(':').map(Number);
  return hour! * 60 + minute!;
}
