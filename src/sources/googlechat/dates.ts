/** Languages of which months and days are known; those of East Asia write months as numbers. */
const languages =
  'en de fr es it pt nl pl cs sk hu ro hr sl bg ru uk el tr sv da nb fi et lv lt ca eu gl id ms vi'.split(' ');

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

const time = /(\d{1,2})[:.](\d{2})[:.](\d{2})(?:\s?([ap])\.?\s?m\b)?/;
const morning = /上午|午前|오전/;
const afternoon = /下午|午後|오후/;
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/**
 * The instant of a date as Takeout writes it, in whatever order and language: `Thursday, November 3, 2016 at 11:59:50 AM UTC`,
 * `2026年5月29日星期五 UTC 03:00:29`, `2015. február 15., vasárnap 21:54:36 UTC`.
 *
 * @returns undefined where the language is not known, or the zone is not UTC.
 */
export function instantOf(text: string): number | undefined {
  if (text.length > 200) return undefined;
  if (iso.test(text)) return Date.parse(text);
  const words = text.toLowerCase();
  const found = time.exec(words);
  if (!found || !/utc(?![+-]?\d)|gmt(?![+-]?\d)/.test(words)) return undefined;
  const date = words.slice(0, found.index) + ' '.repeat(found[0].length) + words.slice(found.index + found[0].length);
  const day = rememberedDay(date);
  const seconds = secondsOf(found, words);
  return day === undefined || seconds === undefined ? undefined : day + seconds * 1000;
}

/** Days by how they are written: most messages of a chat share theirs with others. */
const rememberedMax = 10_000;
const remembered = new Map<string, number | undefined>();

function rememberedDay(date: string): number | undefined {
  const known = remembered.get(date);
  if (known !== undefined || remembered.has(date)) return known;
  if (remembered.size >= rememberedMax) remembered.clear();
  const day = dayOf(date);
  remembered.set(date, day);
  return day;
}

function secondsOf([, hours, minutes, seconds, half]: RegExpExecArray, words: string): number | undefined {
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds)];
  const isAfternoon = half === 'p' || afternoon.test(words);
  const isTwelve = half !== undefined || isAfternoon || morning.test(words);
  if (m > 59 || s > 60 || h > (isTwelve ? 12 : 23)) return undefined;
  return ((isTwelve ? (h % 12) + (isAfternoon ? 12 : 0) : h) * 60 + m) * 60 + s;
}

/** Midnight of the day. A year has four digits; what is left is the day, in front of it the month where that is a number. */
function dayOf(date: string): number | undefined {
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
