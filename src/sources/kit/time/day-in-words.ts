import { dateLanguages } from './date-words.ts';

/** Languages of which months and days are known; those of East Asia write months as numbers. */
const languages: ReadonlySet<string> = new Set(
  'en de fr es it pt nl pl cs sk hu ro hr sl bg ru uk el tr sv da nb fi et lv lt be ca eu gl id ms vi'.split(' '),
);

/** Months of each language by their names, from 1: made when the first date is read. */
let known: readonly ReadonlyMap<string, number>[] | undefined;

const monthsOfAll = (): readonly ReadonlyMap<string, number>[] =>
  dateLanguages().flatMap(({ language, months }) => (languages.has(language) ? (months.get('gregory') ?? []) : []));

/**
 * Returns midnight of a day in UTC, as epoch milliseconds, from a date with the month as a word of any of these
 * languages, or with its numbers in the order of East Asia: `9 ноября 2017`, `March 2, 2026`, `2026年5月29日`. A year has
 * four digits; the remaining number is the day.
 *
 * @param date In lower case, without a time of day.
 * @returns undefined if no language knows the month, or several know it as different ones.
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
  known ??= monthsOfAll();
  const names = date.match(/[\p{L}\p{M}]+/gu) ?? [];
  const days = new Set<number>();
  for (const months of known) {
    const month = names.map((name) => months.get(name)).find((one) => one !== undefined);
    const day = month === undefined ? undefined : midnight(Number(year), month - 1, first ?? 0);
    if (day !== undefined) days.add(day);
  }
  return days.size === 1 ? [...days][0] : undefined;
}

function midnight(year: number, month: number, day: number): number | undefined {
  const ms = Date.UTC(year, month, day);
  return month >= 0 && month < 12 && new Date(ms).getUTCDate() === day ? ms : undefined;
}
