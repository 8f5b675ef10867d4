/**
 * Writes src/sources/kit/time/date-words.json: the words of dates and times in every language that `Intl` knows, a language per line.
 *
 * The words are those of CLDR, as the Node that runs this has them: names of months and days, halves and parts of the day, eras, and
 * the words between the numbers. Run it after an update of Node: `node scripts/generate-date-words.ts`.
 */
import { writeFileSync } from 'node:fs';

const marks = /[\u00ad\u061c\u070f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** As `dateWord` of date-words.ts, which needs the table that is made here. */
const dateWord = (text: string) =>
  text
    .normalize('NFKC')
    .replace(marks, '')
    .toLowerCase()
    .replace(/[.\s]+/g, '');

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const pairs = letters.flatMap((a) => letters.map((b) => a + b));
const tags = Intl.DateTimeFormat.supportedLocalesOf([
  ...pairs,
  ...pairs.flatMap((pair) => letters.map((c) => pair + c)),
]);
const languages = [...new Set(tags.map((tag) => new Intl.Locale(tag).language))];
const regionNames = new Intl.DisplayNames('en', { type: 'region' });
const regionCodes = pairs.map((pair) => pair.toUpperCase()).filter((code) => regionNames.of(code) !== code);
const scripts = ['', '-Latn', '-Cyrl', '-Arab', '-Hant', '-Hans', '-Deva', '-Beng', '-Guru', '-Mtei', '-Olck', '-Tfng'];

/** Locales of one language that have data of their own. */
function localesOf(language: string): string[] {
  const regions = ['', ...regionCodes.map((code) => `-${code}`), '-419'];
  const known = scripts
    .map((script) => language + script)
    .filter((tag) => new Intl.DateTimeFormat(tag).resolvedOptions().locale === tag);
  return known.flatMap((tag) =>
    regions
      .map((region) => tag + region)
      .filter((one) => one === tag || new Intl.DateTimeFormat(one).resolvedOptions().locale === one),
  );
}

class Words {
  readonly months = new Map<string, Set<string>[]>();
  readonly weekdays = Array.from({ length: 7 }, () => new Set<string>());
  /** Hours of the day that a word is said of, a bit each. */
  readonly periods = new Map<string, number>();
  readonly eras = new Map<string, Set<string>>();
  readonly others = new Set<string>();
  /** Names of UTC. */
  readonly zones = new Set<string>();

  add(locale: string): void {
    const { calendar } = new Intl.DateTimeFormat(locale).resolvedOptions();
    for (const one of new Set(['gregory', calendar])) this.#addDates(`${locale}-u-ca-${one}`, one);
    this.#addTimes(locale);
  }

  #addDates(locale: string, calendar: string): void {
    const lists = this.months.get(calendar) ?? Array.from({ length: 13 }, () => new Set<string>());
    this.months.set(calendar, lists);
    const numbers = new Intl.DateTimeFormat(`en-u-ca-${calendar}`, { month: 'numeric', timeZone: 'UTC' });
    const formats = dateStyles.map((style) => new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }));
    for (let day = 0; day < 366; day += day < 7 ? 1 : 10) {
      const ms = Date.UTC(2026, 0, 4 + day);
      const month = Number(/\d+/.exec(numbers.format(ms)));
      for (const format of formats) {
        for (const { type, value } of format.formatToParts(ms)) {
          if (type === 'month' && hasLetters(value)) lists[month - 1]!.add(dateWord(value));
          else if (type === 'weekday') this.weekdays[new Date(ms).getUTCDay()]!.add(dateWord(value));
          else if (type === 'era') this.#addEra(dateWord(value), calendar);
          else if (type === 'literal') this.#addOthers(value);
        }
      }
    }
  }

  #addEra(word: string, calendar: string): void {
    if (word !== '') this.eras.set(word, (this.eras.get(word) ?? new Set()).add(calendar));
  }

  #addTimes(locale: string): void {
    for (const style of timeStyles) {
      const format = new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' });
      for (let hour = 0; hour < 24; hour += 1) {
        for (const minute of [0, 5]) {
          for (const { type, value } of format.formatToParts(Date.UTC(2026, 0, 5, hour, minute, 7))) {
            if (type === 'timeZoneName' && hasLetters(value)) this.zones.add(dateWord(value));
            else if (type === 'dayPeriod') this.#addPeriod(dateWord(value), hour);
            else if (type === 'literal') this.#addOthers(value);
          }
        }
      }
    }
  }

  #addPeriod(word: string, hour: number): void {
    if (word !== '') this.periods.set(word, (this.periods.get(word) ?? 0) | (1 << hour));
  }

  #addOthers(literal: string): void {
    for (const part of literal.split(/[^\p{L}\p{M}\p{N}.'’]+/u)) if (hasLetters(part)) this.others.add(dateWord(part));
  }

  toJson(): object {
    const joined = (words: Iterable<string>) => [...words].filter(Boolean).sort().join('|');
    const months = [...this.months].map(([calendar, lists]) => [
      calendar,
      lists.map(joined).slice(0, lists[12]!.size === 0 ? 12 : 13),
    ]);
    // Some narrow forms are letters that come before every time of day, as "v" does in Czech.
    const periods = Map.groupBy(
      [...this.periods].filter(([word]) => !this.others.has(word)),
      ([, mask]) => mask,
    );
    return {
      months: Object.fromEntries(months.filter(([, lists]) => (lists as string[]).some((list) => list !== ''))),
      weekdays: this.weekdays.map(joined),
      periods: Object.fromEntries(
        [...periods].map(([mask, words]) => [mask.toString(16), joined(words.map(([word]) => word))]),
      ),
      eras: Object.fromEntries([...this.eras].map(([word, calendars]) => [word, joined(calendars)])),
      others: joined(this.others),
      zones: joined(this.zones),
    };
  }
}

const hasLetters = (text: string) => /\p{L}/u.test(text);

const dateStyles: readonly Intl.DateTimeFormatOptions[] = [
  ...(['full', 'long', 'medium', 'short'] as const).map((dateStyle) => ({ dateStyle })),
  ...(['full', 'long', 'medium', 'short'] as const).map((dateStyle) => ({ dateStyle, timeStyle: 'long' }) as const),
  ...(['long', 'short'] as const).map((month) => ({ month })),
  ...(['long', 'short'] as const).map((weekday) => ({ weekday })),
  { era: 'short', year: 'numeric', month: 'numeric', day: 'numeric' },
];

const timeStyles: readonly Intl.DateTimeFormatOptions[] = [
  { timeStyle: 'short' },
  { timeStyle: 'medium' },
  { timeStyle: 'long' },
  ...([true, false] as const).map((hour12) => ({ hour: 'numeric', minute: '2-digit', hour12 }) as const),
  ...(['short', 'long', 'narrow'] as const).map(
    (dayPeriod) => ({ hour: 'numeric', minute: '2-digit', hour12: true, dayPeriod }) as const,
  ),
];

const lines = languages.toSorted().map((language) => {
  const words = new Words();
  for (const locale of localesOf(language)) words.add(locale);
  return `${JSON.stringify(language)}: ${JSON.stringify(words.toJson())}`;
});
/** The zero of every script that has decimal digits. */
const digits = Intl.supportedValuesOf('numberingSystem')
  .map((system) => new Intl.NumberFormat(`en-u-nu-${system}`).format(0))
  .filter((zero) => /^\p{Nd}$/u.test(zero));
const text = `{\n"digits": ${JSON.stringify([...new Set(digits)].join(''))},\n"languages": {\n${lines.join(',\n')}\n}\n}\n`;
writeFileSync(new URL('../src/sources/kit/time/date-words.json', import.meta.url), text);
console.log(`${lines.length} languages written to src/sources/kit/time/date-words.json`);
