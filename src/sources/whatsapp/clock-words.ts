import { dateWord, hourOfDay, isBetweenNumbers, isEra, periodsNamed } from '../kit/time/date-words.ts';

/** Meaning of the words around a clock, such as `klo`, `下午` and `p. m.`. */
export interface ClockWords {
  /** Readings of the words for a part of the day, a bit for each hour; undefined without such a word. */
  readonly periods: ReadonlySet<number> | undefined;
  /** The word for a part of the day, as it is looked up; empty without one. */
  readonly said: string;
  /** A part of the day in Chinese, Japanese or Korean. */
  readonly isEastern: boolean;
  /** Words of no language; empty mostly. */
  readonly unknown: string;
}

/** Words that a name for a part of the day may have, the longest first: `de la mañana`. */
const sizes = [4, 3, 2, 1];
const rememberedMax = 1000;
const remembered = new Map<string, ClockWords>();

/** The words between the date and the clock, and those behind the clock. */
export function clockWords(before: string, after: string): ClockWords {
  const text = `${before}\n${after}`;
  const known = remembered.get(text);
  if (known !== undefined) return known;
  if (remembered.size >= rememberedMax) remembered.clear();
  const words = readWords(wordsIn(before, true), wordsIn(after, false));
  remembered.set(text, words);
  return words;
}

/** Arabic writes one letter for the era, which is never behind the clock, and for the second half of the day. */
const wordsIn = (text: string, isBefore: boolean): readonly string[] =>
  text.split(/[\s,،、()]+/).filter((part) => /[\p{L}\p{M}]/u.test(part) && !(isBefore && isOnlyEra(dateWord(part))));

const isOnlyEra = (word: string): boolean => isEra(word) && (word.length === 1 || periodsNamed(word) === undefined);

function readWords(before: readonly string[], after: readonly string[]): ClockWords {
  const parts = [...before, ...after];
  const unknown: string[] = [];
  let periods: ReadonlySet<number> | undefined;
  let said = '';
  let isEastern = false;
  for (let at = 0; at < parts.length; ) {
    const count = sizes.find(
      (one) => at + one <= parts.length && isKnown(dateWord(parts.slice(at, at + one).join(''))),
    );
    const word = dateWord(parts.slice(at, at + (count ?? 1)).join(''));
    const hours = periodsNamed(word);
    // A letter may be a part of the day in one language, and come before every clock in another.
    const isOpen = word.length === 1 && hours !== undefined && isBetweenNumbers(word);
    if (count === undefined || isOpen) unknown.push(word);
    else if (hours !== undefined) {
      periods = hours;
      said = word;
      isEastern ||= /^[\u4e00-\u9fff\uac00-\ud7af]/.test(word);
    }
    at += count ?? 1;
  }
  return { periods, said, isEastern, unknown: unknown.join(' ') };
}

const isKnown = (word: string): boolean => periodsNamed(word) !== undefined || isBetweenNumbers(word);

/** The hour of the day, and the words that leave it open; `hour` above 23 for one that no clock shows. */
export function hourOf(hour: number, words: ClockWords): { readonly hour: number; readonly unknown: string } {
  if (words.periods === undefined) return { hour, unknown: words.unknown };
  const inDay = hour > 12 ? hour : hourOfDay(hour, words.periods);
  return inDay === undefined ? { hour, unknown: words.unknown || words.said } : { hour: inDay, unknown: '' };
}
