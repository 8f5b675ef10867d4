/** Languages of which months and days are known; those of East Asia write months as numbers. */
const languages =
  'en de fr es it pt nl pl cs sk hu ro hr sl bg ru uk el tr sv da nb fi et lv lt be ca eu gl id ms vi'.split(' ');

/** 2026-01-04, a Sunday. */
const firstSundayMs = Date.UTC(2026, 0, 4);
const dayMs = 86_400_000;

interface Words {
  readonly months: ReadonlyMap<string, number>;
  readonly days: readonly string[];
}

let known: readonly Words[] | undefined;

/** Names as they stand in a date, of every language: made where the first date is read. */
function wordsOf(language: string): Words {
  const part = (options: Intl.DateTimeFormatOptions, ms: number, type: 'month' | 'weekday') =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
      .formatToParts(ms)
      .find((one) => one.type === type)!
      .value.toLowerCase();
  const months = new Map<string, number>();
  for (let month = 0; month < 12; month += 1) {
    const ms = Date.UTC(2026, month, 5);
    months.set(part({ month: 'long' }, ms, 'month'), month);
    // In a date some languages decline it.
    months.set(part({ day: 'numeric', month: 'long', year: 'numeric' }, ms, 'month'), month);
  }
  const days = Array.from({ length: 7 }, (_, day) => part({ weekday: 'long' }, firstSundayMs + day * dayMs, 'weekday'));
  return { months, days };
}

/**
 * Midnight of a day in UTC, as epoch milliseconds, by a date with the month as a word of any of these languages, or with its numbers in
 * the order of East Asia: `9 ноября 2017`, `March 2, 2026`, `2026年5月29日`. A year has four digits; what is left is the day.
 *
 * @param date In lower case, without a time of day.
 * @returns undefined where no language knows the month, or several know it as different ones and no weekday tells which.
 */
export function dayInWords(date: string): number | undefined {
  const numbers = [...date.matchAll(/\d{1,4}/g)].map(([number]) => number);
  const year = numbers.find((number) => number.length === 4);
  const others = numbers.filter((number) => number !== year).map(Number);
  if (year === undefined || others.length > 2) return undefined;
  const [first, second] = others;
  if (second !== undefined) {
    return /[年년]/.test(date) ? midnight(Number(year), first! - 1, second) : undefined;
  }
  known ??= languages.map(wordsOf);
  const names = date.match(/[\p{L}\p{M}]+/gu) ?? [];
  const days = new Map<number, boolean>();
  for (const { months, days: weekdays } of known) {
    const month = names.map((name) => months.get(name)).find((one) => one !== undefined);
    const day = month === undefined ? undefined : midnight(Number(year), month, first ?? 0);
    if (day === undefined) continue;
    days.set(day, days.get(day) === true || date.includes(weekdays[new Date(day).getUTCDay()]!));
  }
  // One word may be two months in two languages: the day of the week tells which.
  const [certain] = days.size === 1 ? days.keys() : [...days].flatMap(([day, isDay]) => (isDay ? [day] : []));
  return certain;
}

function midnight(year: number, month: number, day: number): number | undefined {
  const ms = Date.UTC(year, month, day);
  return month >= 0 && month < 12 && new Date(ms).getUTCDate() === day ? ms : undefined;
}
