/**
 * The wait that a Retry-After header asks for, in ms from the answer's arrival; nothing if it says nothing usable.
 *
 * Seconds or an HTTP date. A date is compared with the answer's own Date header, because the clocks of two machines differ;
 * without a usable one, with ours.
 *
 * @param capMs the most that is returned: `Retry-After: 1000000000` is a fault, not a wait of 31 years.
 */
export function parseRetryAfter(
  value: string | undefined,
  date: string | undefined,
  nowMs: number,
  capMs: number,
): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, capMs);
  const untilMs = parseHttpDate(text);
  if (untilMs === undefined) return undefined;
  return Math.min(Math.max(untilMs - serverNow(date, nowMs), 0), capMs);
}

/** Returns the server's clock from the answer, otherwise ours. */
export const serverNow = (date: string | undefined, nowMs: number): number =>
  (date === undefined ? undefined : parseHttpDate(date.trim())) ?? nowMs;

/** The three forms of RFC 9110; `Date.parse` alone also takes `5` and `Tuesday` for dates. */
function parseHttpDate(text: string): number | undefined {
  const isHttpDate = /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)[a-z]{0,6},? [-A-Za-z0-9: ]{15,25}$/.test(text);
  if (!isHttpDate) return undefined;
  const ms = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(ms) ? undefined : ms;
}
