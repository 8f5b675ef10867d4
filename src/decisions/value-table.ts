import type { ValueRows } from '../model/value-rows.ts';

/** Values of columns, and the meanings that each may get. */
export interface ValueTable {
  readonly columns: readonly {
    readonly name: string;
    readonly values: readonly ValueRows[];
    /** The meaning of each value, as the answer or the first option has it. */
    readonly chosen: Readonly<Record<string, string>>;
  }[];
  /** Each with its words. */
  readonly meanings: readonly (readonly [meaning: string, words: string])[];
  /** How the setting is written: every value with its meaning, or lists of those that are taken or left out. */
  readonly form: 'meanings' | 'taken' | 'taken-by-column' | 'left-out-by-column';
}

/** Meanings by column, by value. */
export type ChosenMeanings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The setting by which values have these meanings. */
export function valuesSetting({ form }: Pick<ValueTable, 'form'>, chosen: ChosenMeanings): unknown {
  const [[column, values] = ['', {}]] = Object.entries(chosen);
  if (form === 'meanings') return { from: column, values };
  const wanted = form === 'left-out-by-column' ? 'drop' : 'keep';
  const pick = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).flatMap(([value, meaning]) => (meaning === wanted ? [value] : []));
  if (form === 'taken') return pick(values);
  const sorted = Object.entries(chosen).filter(([, of]) => Object.values(of).includes('drop'));
  return Object.fromEntries(sorted.map(([name, of]) => [name, pick(of)]));
}

/** The setting for a table by its name: one of a database, a file, or a list in a file, behind a `#`. */
export function tableSetting(name: string, isFile: boolean): unknown {
  if (!isFile) return { table: name };
  const [file, ...list] = name.split('#');
  return list.length === 0 ? { file } : { file, list: list.join('#') };
}
