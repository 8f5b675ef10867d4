import { dateLanguages, type LanguageWords } from '../kit/time/date-words.ts';

/** The numbers and words of a date as one language understands them. */
export interface ScannedDate {
  /** From left to right; without the month, if that is a word. */
  readonly numbers: readonly string[];
  /** Names of the month: what each calendar of the language takes it for. */
  readonly months: readonly (readonly [calendar: string, month: number])[];
  readonly weekdays: ReadonlySet<number>;
  readonly era: string | undefined;
  /** Hours of the day that match the words next to the clock, a bit each; undefined without such words. */
  readonly hours: number | undefined;
  readonly isUtc: boolean;
}

/** Placeholder for the clock in a date. */
export const clockMark = ';';

/** `am` and `pm`, which every language may have. */
const latin: ReadonlyMap<string, number> = new Map([
  ['am', 0xfff],
  ['pm', 0xfff000],
]);

/** How each language understands the date. A language that misses one of its words does not. @param text As `dateText` writes it. */
export const scanDate = (text: string): readonly ScannedDate[] =>
  dateLanguages().flatMap((language) => new Scan(language, text).run() ?? []);

/** Words of a language by their first letter, the longest first. */
const indexes = new Map<LanguageWords, ReadonlyMap<string, readonly string[]>>();

function indexWords(language: LanguageWords): ReadonlyMap<string, readonly string[]> {
  const known = indexes.get(language);
  if (known !== undefined) return known;
  const { months, weekdays, periods, eras, others, zones } = language;
  const words = [...months.values(), weekdays, periods, eras, others, zones, latin].flatMap((one) => [...one.keys()]);
  const sorted = [...new Set(words)].sort((a, b) => b.length - a.length);
  const index = Map.groupBy(sorted, (word) => firstCharacter(word));
  indexes.set(language, index);
  return index;
}

const firstCharacter = (text: string, at = 0): string => String.fromCodePoint(text.codePointAt(at) ?? 0);

class Scan {
  readonly #language: LanguageWords;
  readonly #text: string;
  readonly #numbers: string[] = [];
  #months: ScannedDate['months'] = [];
  #weekdays: ReadonlySet<number> = new Set();
  #era: string | undefined;
  #hours: number | undefined;
  #isUtc = false;

  constructor(language: LanguageWords, text: string) {
    this.#language = language;
    this.#text = text;
  }

  run(): ScannedDate | undefined {
    for (let at = 0; at < this.#text.length; ) {
      const end = this.#step(at);
      if (end === undefined) return undefined;
      at = end;
    }
    return {
      numbers: this.#numbers,
      months: this.#months,
      weekdays: this.#weekdays,
      era: this.#era,
      hours: this.#hours,
      isUtc: this.#isUtc,
    };
  }

  /** @returns where the next step begins; undefined at a word that the language does not have. */
  #step(at: number): number | undefined {
    const first = firstCharacter(this.#text, at);
    if (!/[\p{L}\p{M}\p{N}]/u.test(first)) return at + first.length;
    if (/[0-9]/.test(first)) {
      const [number] = /^\d+/.exec(this.#text.slice(at))!;
      this.#numbers.push(number);
      return at + number.length;
    }
    for (const word of indexWords(this.#language).get(first) ?? []) {
      const end = this.#endOf(word, at);
      if (end === undefined) continue;
      this.#take(word, at, end);
      return end;
    }
    return undefined;
  }

  /** Dots and white space inside a word count for nothing. */
  #endOf(word: string, at: number): number | undefined {
    let end = at;
    for (const letter of word) {
      while (end > at && /[.\s]/.test(this.#text[end] ?? '')) end += 1;
      if (!this.#text.startsWith(letter, end)) return undefined;
      end += letter.length;
    }
    return isLetter.test(word) && (joined.test(this.#text.slice(0, at)) || /^[\p{L}\p{M}]/u.test(this.#text.slice(end)))
      ? undefined
      : end;
  }

  #take(word: string, at: number, end: number): void {
    const { months, weekdays, periods, eras, others, zones } = this.#language;
    const named = [...months].flatMap(([calendar, names]) => {
      const month = names.get(word);
      return month === undefined ? [] : [[calendar, month] as const];
    });
    const hours = periods.get(word) ?? (others.has(word) ? undefined : latin.get(word));
    const days = weekdays.get(word);
    if (named.length > 0 && this.#months.length === 0) this.#months = named;
    else if (days !== undefined && this.#weekdays.size === 0) this.#weekdays = days;
    else if (zones.has(word)) this.#isUtc = true;
    else if (hours !== undefined && (!eras.has(word) || this.#isAtClock(at, end))) {
      this.#hours = (this.#hours ?? 0xffffff) & hours;
    } else if (eras.has(word)) this.#era = eras.get(word);
  }

  /** Arabic writes one letter for the era and for the second half of the day. */
  #isAtClock(at: number, end: number): boolean {
    const isBehind = this.#text.slice(0, at).trimEnd().endsWith(clockMark);
    return isBehind || this.#text.slice(end).trimStart().startsWith(clockMark);
  }
}

/** A single letter is a word only by itself: else any word could be spelled with them. */
const isLetter = /^[\p{Script=Latin}\p{Script=Cyrillic}]$/u;
const joined = /\p{L}$/u;
