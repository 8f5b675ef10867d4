/**
 * Slack's `ts`: `"1433558319.000002"`, seconds and a six-digit fraction, unique in its channel. It is an id that looks like a number:
 * as a float it would lose digits, so it is only ever cut as a string.
 */
const usual = /^\d{10}\.\d{6}$/;
const other = /^(\d{1,10})(?:\.(\d{1,6}))?$/;

/** Epoch milliseconds of a `ts`, the fraction cut after three digits. Undefined where it is none. */
export function timestampMs(ts: string): number | undefined {
  if (usual.test(ts)) return Number(ts.slice(0, 10)) * 1000 + Number(ts.slice(11, 14));
  const parts = other.exec(ts);
  return parts ? Number(parts[1]) * 1000 + Number((parts[2] ?? '').padEnd(3, '0').slice(0, 3)) : undefined;
}

/** The `ts` as ten digits, a point and six digits, so that comparing code units orders it. */
export function timestampSortKey(ts: string): string {
  if (ts.length === 17 && ts.charCodeAt(10) === 46) return ts;
  const [seconds = '', fraction = ''] = ts.split('.');
  return `${seconds.padStart(10, '0')}.${fraction.padEnd(6, '0')}`;
}

/** Epoch milliseconds of a time in whole seconds: a number, or a string as exports of 2015 and 2016 have it. 0 means never. */
export function secondsToMs(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && seconds < 1e10 ? Math.floor(seconds) * 1000 : undefined;
}
