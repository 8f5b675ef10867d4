import type { Reading } from '../../table-source.ts';
import { type ColumnProfile, count } from './columns.ts';

/** The answer "all of them": it holds for values as well that the sample does not have. */
export const everyRow = { any: true } as const;

/** A number or a letter that means nothing without the program. */
export const isCode = (text: string): boolean => /^(?:-?\d{1,4}|\p{L})$/u.test(text);

/** The meaning of each word, from the words of each meaning. */
export const meaningOfWords = <T extends string>(words: Readonly<Partial<Record<T, string>>>): ReadonlyMap<string, T> =>
  new Map((Object.keys(words) as T[]).flatMap((meaning) => words[meaning]!.split(' ').map((word) => [word, meaning])));

/** So many values are offered one by one; of more, the commonest. */
export const valuesMax = 20;
const commonMax = 5;

/** Number of rows of each value, in the order in which they are met. */
export function countRows({ texts }: ColumnProfile): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Values to offer one by one, with their rows. */
export function offeredValues(profile: ColumnProfile): readonly (readonly [value: string, rows: number])[] {
  const values = [...countRows(profile)];
  return values.length <= valuesMax ? values : values.sort((a, b) => b[1] - a[1]).slice(0, commonMax);
}

/** `3 values`; of many, that not all of them are offered. */
export function describeValues(profile: ColumnProfile): string {
  const [values, offered] = [new Set(profile.texts).size, offeredValues(profile).length];
  return offered === values ? `${count(values)} values` : `${count(values)} values, of which the commonest are offered`;
}

/** Whether values come again, as those do that sort rows: twice on average if they are many. */
export const repeats = ({ texts }: ColumnProfile, times = 2): boolean => {
  const values = new Set(texts).size;
  return values <= valuesMax || values * times <= texts.length;
};

/** Rows with one value; the empty text stands for none. */
export const rowsWith = (value: string): object => (value === '' ? { filled: false } : [value]);

/**
 * Readings that take the rows without a value, with one of the values, with any, or all.
 *
 * @param isMoment Whether values are times or people, of which one says what any other says: none is offered but a value of many rows, like 0.
 */
export function rowReadings(profile: ColumnProfile, isMoment: boolean): readonly Reading[] {
  const values = isMoment
    ? offeredValues(profile).filter(([, rows]) => rows > 1 && rows * 5 > profile.rowCount)
    : offeredValues(profile);
  const mayLack = isMoment || profile.texts.length < profile.rowCount;
  return [
    ...(mayLack ? [{ value: { filled: false }, because: 'those without a value' }] : []),
    ...values.map(([value]) => ({ value: [value], because: `those with ${JSON.stringify(value)} alone` })),
    ...(mayLack ? [{ value: { filled: true }, because: 'those with a value' }] : []),
    { value: everyRow, because: 'all of them' },
  ];
}
