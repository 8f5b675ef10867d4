import type { Reading } from '../../table-source.ts';
import { type Choice, type ColumnProfile, count, distinct } from './columns.ts';
import { type Candidate, explained } from './evidence.ts';

/** Shown of the values of a column. */
const valuesMax = 3;
const candidatesMax = 8;

/** `"Bearbeiter": 60 of 60 rows have it, 3 different: Müller, Jörg; Weiß, Nina; …`. */
export function showSample(profile: ColumnProfile): string {
  const { name, texts, rowCount } = profile;
  const values = distinct(profile);
  const shown = values.slice(0, valuesMax).map((text) => (text.length > 20 ? `${text.slice(0, 19)}…` : text));
  const more = values.length > valuesMax ? '; …' : '';
  const filled = `${count(texts.length)} of ${count(rowCount)} rows have it`;
  return `"${name}": ${filled}, ${count(values.length)} different: ${shown.join('; ')}${more}`;
}

/** Texts about candidates. */
export const question = {
  /** A decision, with what spoke for it and what came next. */
  certain(value: unknown, ranked: readonly Candidate<ColumnProfile>[], margin: number, because: string): Choice {
    return { value, because, isRequired: true, explained: explain(ranked, margin) };
  },

  /** Columns as readings, the likeliest first. */
  readings(ranked: readonly Candidate<ColumnProfile>[]): readonly Reading[] {
    return ranked.slice(0, candidatesMax).map(({ value }) => ({ value: value.name, because: showSample(value) }));
  },
};

const explain = (ranked: readonly Candidate<ColumnProfile>[], margin: number): readonly string[] => [
  ...ranked.slice(0, candidatesMax).map((one) => `${one.points}  "${one.value.name}": ${explained(one)}`),
  ...(ranked.length > 1 ? [`${margin} ahead of the next`] : []),
];
