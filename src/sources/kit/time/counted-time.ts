/** Times that are written as one number: units since the first instant of some calendar. */

/** An instant. */
export interface Instant {
  readonly atMs: number;
  /** Part below a millisecond, in ns: 0 to 999,999. */
  readonly nanoseconds: number;
}

/** Digits behind the second that a unit counts, and the seconds from 1970 to the instant that is 0. */
interface Count {
  readonly digits: number;
  readonly epochS: number;
}

const unix = 0;
/** 1 January 2001: Core Foundation's, which iMessage's `chat.db` and Core Data write. */
const apple = 978_307_200;

const counts = {
  'unix-s': { digits: 0, epochS: unix },
  'unix-ms': { digits: 3, epochS: unix },
  'unix-us': { digits: 6, epochS: unix },
  pubnub: { digits: 7, epochS: unix },
  'unix-ns': { digits: 9, epochS: unix },
  'apple-s': { digits: 0, epochS: apple },
  'apple-ns': { digits: 9, epochS: apple },
  // 1 January 1601, in UTC: https://learn.microsoft.com/windows/win32/api/minwinbase/ns-minwinbase-filetime (2026-11)
  filetime: { digits: 7, epochS: -11_644_473_600 },
  // 1 January 0001; whether local or UTC is not written: https://learn.microsoft.com/dotnet/api/system.datetime.ticks (2026-11)
  'dotnet-ticks': { digits: 7, epochS: -62_135_596_800 },
} as const satisfies Readonly<Record<string, Count>>;

export type CountFormat = keyof typeof counts;

export const isCountFormat = (format: string): format is CountFormat => Object.hasOwn(counts, format);

/** The last instant that a JavaScript Date can hold: in the year 275760. */
const latestMs = 8_640_000_000_000_000;

/** Numbers are taken apart as text: nanoseconds since 1970 have more digits than a JavaScript number. */
export function readCount(text: string, format: CountFormat): Instant | undefined {
  return readUsualCount(text, counts[format]) ?? readAnyCount(text, format);
}

/** Whole seconds or milliseconds, in half the time. */
function readUsualCount(text: string, { digits, epochS }: Count): Instant | undefined {
  if (digits > 3 || !/^\d{1,15}$/.test(text)) return undefined;
  const ms = Number(text) * (digits === 3 ? 1 : 1000);
  return ms > latestMs ? undefined : { atMs: epochS * 1000 + ms, nanoseconds: 0 };
}

function readAnyCount(text: string, format: CountFormat): Instant | undefined {
  const match = /^(-?)(\d{1,20})(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const { digits, epochS } = counts[format];
  const [, sign, whole, fraction = ''] = match;
  const all = whole!.padStart(digits, '0') + fraction;
  const msEnd = Math.max(whole!.length, digits) - digits + 3;
  const ms = Number(all.slice(0, msEnd).padEnd(msEnd, '0'));
  const nanoseconds = Number(all.slice(msEnd, msEnd + 6).padEnd(6, '0'));
  if (ms > latestMs) return undefined;
  const epochMs = epochS * 1000;
  if (sign === '') return { atMs: epochMs + ms, nanoseconds };
  return nanoseconds === 0
    ? { atMs: epochMs - ms, nanoseconds }
    : { atMs: epochMs - ms - 1, nanoseconds: 1_000_000 - nanoseconds };
}

/** Noon of 1 January 4713 BC is day 0; 1970 begins in the middle of day 2,440,587. SQLite's `julianday()`, in UTC. */
const julianEpochDays = 2_440_587.5;

/** Julian days with the time of day as their fraction, rounded to the millisecond: 2458058.42415. */
export function readJulian(text: string): Instant | undefined {
  if (!/^\d{7}(?:\.\d+)?$/.test(text)) return undefined;
  return { atMs: Math.round((Number(text) - julianEpochDays) * 86_400_000), nanoseconds: 0 };
}
