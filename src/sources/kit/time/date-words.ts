import table from './date-words.json' with { type: 'json' };

/**
 * The words of dates in every language that `Intl` knows, out of `date-words.json` (`scripts/generate-date-words.ts` writes it): the
 * data of the Node that runs may be older, or of one language.
 *
 *     hourOfDay(6, periodsNamed('p.m.')); // 18
 *     asciiDigits('٦:٠٢');             // 6:02
 */
export interface LanguageWords {
  readonly language: string;
  /** Months by their names, from 1, for each calendar that the language uses. */
  readonly months: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Days of the week by their names, from 0 for Sunday. One name may mean two. */
  readonly weekdays: ReadonlyMap<string, ReadonlySet<number>>;
  /** Hours of the day that a word goes with, a bit each. */
  readonly periods: ReadonlyMap<string, number>;
  readonly eras: ReadonlyMap<string, string>;
  /** Words between the numbers, such as `um` and `г`. */
  readonly others: ReadonlySet<string>;
  /** Names of UTC. */
  readonly zones: ReadonlySet<string>;
}

const marks = /[\u00ad\u061c\u070f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** The text in lower case, without marks of direction, with the digits 0 to 9. */
export const dateText = (text: string): string => asciiDigits(text.normalize('NFKC').replace(marks, '').toLowerCase());

/** A word as the table has it: in lower case, without dots, white space and marks of direction. */
export const dateWord = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(marks, '')
    .toLowerCase()
    .replace(/[.\s]+/g, '');

/** Made when the first date is read. */
let known: readonly LanguageWords[] | undefined;

export function dateLanguages(): readonly LanguageWords[] {
  known ??= Object.entries(table.languages).map(([language, words]) => ({
    language,
    months: new Map(Object.entries(words.months).map(([calendar, lists]) => [calendar, numbered(lists, 1)])),
    weekdays: weekdaysIn(words.weekdays),
    periods: new Map(
      Object.entries(words.periods).flatMap(([mask, list]) =>
        wordsIn(list).map((word) => [word, Number.parseInt(mask, 16)] as const),
      ),
    ),
    eras: new Map(Object.entries(words.eras)),
    others: new Set(wordsIn(words.others)),
    zones: new Set(['utc', 'gmt', ...wordsIn(words.zones)]),
  }));
  return known;
}

const wordsIn = (list: string): readonly string[] => list.split('|').filter((word) => word !== '');

const numbered = (lists: readonly string[], first: number): ReadonlyMap<string, number> =>
  new Map(lists.flatMap((list, index) => wordsIn(list).map((word) => [word, index + first] as const)));

function weekdaysIn(lists: readonly string[]): ReadonlyMap<string, ReadonlySet<number>> {
  const days = new Map<string, Set<number>>();
  for (const [day, list] of lists.entries()) {
    for (const word of wordsIn(list)) days.set(word, (days.get(word) ?? new Set()).add(day));
  }
  return days;
}

let periods: ReadonlyMap<string, ReadonlySet<number>> | undefined;
let others: ReadonlySet<string> | undefined;
let eras: ReadonlySet<string> | undefined;

/** Hours of the day that the word goes with, in each language that has it. @param word As `dateWord` writes it. */
export function periodsNamed(word: string): ReadonlySet<number> | undefined {
  periods ??= allPeriods();
  return periods.get(word);
}

function allPeriods(): ReadonlyMap<string, ReadonlySet<number>> {
  const masks = new Map<string, Set<number>>();
  for (const { periods: own } of dateLanguages()) {
    for (const [word, mask] of own) masks.set(word, (masks.get(word) ?? new Set()).add(mask));
  }
  return masks;
}

/**
 * Whether the word is used between the numbers of dates in any language.
 *
 * @param word In the form that `dateWord` returns.
 */
export function isBetweenNumbers(word: string): boolean {
  others ??= new Set(dateLanguages().flatMap((one) => [...one.others]));
  return others.has(word);
}

/** Whether the word is an era in any language. @param word As `dateWord` writes it. */
export function isEra(word: string): boolean {
  eras ??= new Set(dateLanguages().flatMap((one) => [...one.eras.keys()]));
  return eras.has(word);
}

/**
 * Returns the hour of the day, from 0 to 23, for an hour on the clock and the words next to it.
 *
 * @param masks Readings of the words, each with a bit for every hour that it matches.
 * @returns undefined if the readings disagree, or none of them has the hour.
 */
export function hourOfDay(hour: number, masks: Iterable<number>): number | undefined {
  if (hour > 12) return hour <= 23 ? hour : undefined;
  const found = new Set<number>();
  for (const mask of masks) {
    const half = hour % 12;
    for (const one of [half, half + 12]) if ((mask >> one) & 1) found.add(one);
  }
  const [first] = found;
  return found.size === 1 ? first : undefined;
}

const zeros = [...table.digits].map((zero) => zero.codePointAt(0)!).sort((a, b) => b - a);

/** The text with the decimal digits of every script as 0 to 9. */
export const asciiDigits = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!;
    const zero = zeros.find((one) => one <= code) ?? code;
    return code - zero < 10 ? String(code - zero) : digit;
  });
