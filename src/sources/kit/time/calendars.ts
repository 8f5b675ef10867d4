const dayMs = 86_400_000;

/** Calendars that differ from ours by the number of the year alone. */
const yearsAhead: Readonly<Record<string, number>> = { gregory: 0, buddhist: 543, roc: -1911 };

/** First days of a year of other calendars, and the mean length of a year in days: good to some days. */
const anchors: Readonly<Record<string, { readonly year: number; readonly ms: number; readonly days: number }>> = {
  persian: { year: 1403, ms: Date.UTC(2024, 2, 20), days: 365.2422 },
  'islamic-umalqura': { year: 1446, ms: Date.UTC(2024, 6, 7), days: 354.367 },
};

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Midnight of a day of some calendar, as if it were UTC, in ms. `month` and `day` count from 1.
 *
 * @param calendar As `Intl` calls it: `gregory`, `buddhist`, `roc`, `persian`, `islamic-umalqura`.
 * @returns undefined for a day or a calendar that there is not.
 */
export function calendarDay(
  calendar: string,
  [year, month, day]: readonly [number, number, number],
): number | undefined {
  const ahead = yearsAhead[calendar];
  if (ahead !== undefined) return gregorianDay(year - ahead, month, day);
  const anchor = anchors[calendar];
  if (!anchor || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const days = (year - anchor.year) * anchor.days + (month - 1) * (anchor.days / 12) + day - 1;
  const near = anchor.ms + Math.round(days) * dayMs;
  if (!Number.isFinite(near) || Math.abs(near) > 8e15) return undefined;
  for (let step = 0; step <= 8; step += 1) {
    for (const ms of [near - step * dayMs, near + step * dayMs]) if (isDay(calendar, ms, [year, month, day])) return ms;
  }
  return undefined;
}

function gregorianDay(year: number, month: number, day: number): number | undefined {
  if (year < 100 || month < 1 || month > 12 || day < 1) return undefined;
  const ms = Date.UTC(year, month - 1, day);
  return new Date(ms).getUTCMonth() === month - 1 ? ms : undefined;
}

function isDay(calendar: string, ms: number, wanted: readonly number[]): boolean {
  const format =
    formats.get(calendar) ??
    new Intl.DateTimeFormat(`en-u-ca-${calendar}`, {
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      timeZone: 'UTC',
    });
  formats.set(calendar, format);
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number.parseInt(value, 10)]));
  return (['year', 'month', 'day'] as const).every((type, index) => parts.get(type) === wanted[index]);
}
