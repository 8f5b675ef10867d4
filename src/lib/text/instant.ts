/** A time that a person wrote, as the seconds that it covers: a date covers its day. Unix seconds, both included. */
export interface Instant {
  readonly firstSecond: number;
  readonly lastSecond: number;
}

const daySeconds = 86_400;
const dateOnly = /^\d{4}-\d\d-\d\d$/;
const withZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * `2026-03-01` (in UTC), `2026-03-01T09:30Z`, `2026-03-01T09:30:00+01:00`, or Unix seconds. A time without a zone is not taken:
 * it would mean another second on another machine.
 *
 * @throws RangeError in words for the user.
 */
export function parseInstant(text: string): Instant {
  const trimmed = text.trim();
  if (/^\d{1,10}$/.test(trimmed)) return { firstSecond: Number(trimmed), lastSecond: Number(trimmed) };
  const isDate = dateOnly.test(trimmed);
  const ms = isDate || withZone.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  // `Date.parse` turns 30 February into 2 March.
  const isThatDay = !isDate || (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(trimmed));
  if (Number.isNaN(ms) || ms < 0 || !isThatDay) {
    throw new RangeError(
      `expected a date such as 2026-03-01, or a time with its zone, such as 2026-03-01T09:30Z, found "${text}"`,
    );
  }
  const firstSecond = ms / 1000;
  return { firstSecond, lastSecond: isDate ? firstSecond + daySeconds - 1 : firstSecond };
}
