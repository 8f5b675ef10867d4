import { countOf } from '../lib/text/count.ts';
import { type KeyPath, type Settings, settingText, yamlLine } from '../lib/settings.ts';
import type { Option } from '../model/option.ts';
import type { ValueRows } from '../model/value-rows.ts';
import type { Finding, Reading, RowsLookedAt } from '../sources/table-source.ts';
import type { About, Answer, Decision, DecisionOption } from './decision.ts';
import { readValues } from './proposal/read-values.ts';
import { findWords, sayQuestion, sayValue } from './proposal/say-value.ts';

/** One way to answer a question: `value` is that of the key. */
interface OpenReading extends Reading {
  /** Value at the question's `path`: the same, or a table with it. */
  readonly written: unknown;
}

export interface Question {
  /** Dotted key inside the `source:` section. */
  readonly key: string;
  readonly because: string;
  readonly rows: RowsLookedAt | undefined;
  /** Columns or tables that an own answer may name. */
  readonly choices: Finding['choices'];
  /** The likeliest first. */
  readonly readings: readonly Reading[];
  /** Answers behind them that set other keys. */
  readonly instead: readonly Option[];
}

/** A question of the source that has no answer yet. */
export interface OpenQuestion extends Question {
  readonly isRequired: boolean;
  /** Part of the section that is left out as long as the question is open: the key itself, or the table around it. */
  readonly path: KeyPath;
  readonly readings: readonly OpenReading[];
}

/** How the export would be read, as far as that is decided. */
export interface Proposed {
  /** The mapping's `source:` section, without what is open. */
  readonly options: Settings;
  readonly findings: readonly Finding[];
  readonly open: readonly OpenQuestion[];
  /** With the first reading of everything that is open: to look at rows, never to plan by. Without it: `options`. */
  readonly filled?: Settings;
}

export const asQuestion = (finding: Finding): Question => ({
  key: finding.key,
  because: finding.because,
  rows: finding.rows,
  choices: finding.choices,
  readings: listReadings(finding),
  instead: finding.instead ?? [],
});

/** All readings of a finding, the likeliest first. One that throws together what may belong apart comes last. */
function listReadings({ value, because, alternatives, isHarmless, isEvident }: Finding): readonly Reading[] {
  const chosen = { value, because, ...(isHarmless && { isHarmless }), ...(isEvident && { isEvident }) };
  const all: readonly Reading[] = value === undefined ? alternatives : [chosen, ...alternatives];
  return all.toSorted((one, other) => Number(one.isLastResort ?? false) - Number(other.isLastResort ?? false));
}

/** Values of a column that are shown with an example. */
const valuesMax = 8;

/** `"5" (phone) in 2 rows, such as "He called about the invoice"`. */
export const describeValue = ({ value, word, rows, example }: ValueRows): string =>
  `${value === '' ? 'empty' : JSON.stringify(value)}${word === undefined ? '' : ` (${word})`} in ${countOf(rows, 'row')}${example === undefined ? '' : `, such as ${JSON.stringify(example)}`}`;

/** Facts about a question that the source does not know. */
interface Known {
  /** How much it is about, where someone has counted more than the rows that the source looked at. */
  readonly about?: About;
  /** Absent while it is open, like the answer. */
  readonly value?: unknown;
  readonly answer?: Answer | null;
}

/** The decision that a question of a source is. */
export function questionDecision(question: Question, { about, value, answer = null }: Known = {}): Decision {
  const { key, because, rows, choices, readings, instead } = question;
  const found = findWords(key);
  const { of, input } = found.words;
  const given = value === undefined ? readings[0]?.value : value;
  const table = input.type === 'values' ? readValues(key, given, rows) : undefined;
  const named = input.type === 'column' || input.type === 'table' ? choices : undefined;
  return {
    id: `source.${key}`,
    question: sayQuestion(found),
    why: because,
    about: about ?? aboutRows(question, of),
    examples: Object.values(rows?.values ?? {}).flatMap((found) => found.slice(0, valuesMax).map(describeValue)),
    options: [
      ...readings.map((reading, index) => asOption(question, reading, index)),
      ...instead.map((option) => ({ because: '', ...option, isProposed: false, isLastResort: false })),
    ],
    input: { ...input, key: `source.${key}`, ...(named && { choices: named }), ...(table && { table }) },
    ifUndecided: { stops: true },
    answer,
  };
}

function asOption(
  { key, because: evidence, rows, readings }: Question,
  reading: Reading,
  index: number,
): DecisionOption {
  const { value, because, isHarmless, isEvident, isLastResort } = reading;
  const said = sayValue(findWords(key), value, rows);
  // Queries over the same tables differ in what is said of them.
  const isSame = (other: Reading) => other !== reading && sayValue(findWords(key), other.value, rows) === said;
  const does = because !== '' && readings.some(isSame) ? `${said}: ${because}` : said;
  return {
    does,
    effect: { sets: { [`source.${key}`]: settingText(value) } },
    // The sentence of evidence stands above all options.
    because: does !== said || because === evidence || because.toLowerCase() === does.toLowerCase() ? '' : because,
    isProposed: index === 0 && (isHarmless ?? isEvident) === true,
    isLastResort: isLastResort === true,
  };
}

/** Says what a value does, whether it is among the readings or not. */
export const sayAnswer = ({ key, rows }: Question, value: unknown): string => sayValue(findWords(key), value, rows);

/** Index of the reading with a value; -1 for a value of the owner's own. */
export const findOption = ({ readings }: Question, value: unknown): number =>
  readings.findIndex((reading) => yamlLine(reading.value) === yamlLine(value));

/** Rows of the table, if all of them were looked at: a part says nothing of the whole. */
function aboutRows(question: Question, of: About['of']): About {
  const { rows } = question;
  if (!rows?.isWhole) return { count: null, of, isExact: false };
  const disputed = countDisputed(question);
  return { count: disputed?.count ?? rows.count, of, isExact: disputed?.isExact ?? true };
}

/** Counts the rows, among those looked at, that readings sort differently; undefined if they sort none by values. Rows of several columns may be the same. */
export function countDisputed({
  key,
  readings,
  rows,
}: Question): (Pick<About, 'isExact'> & { readonly count: number }) | undefined {
  const tables = readings.flatMap(({ value }) => readValues(key, value, rows) ?? []);
  const counts = (tables[0]?.columns ?? []).map(({ values }, at) =>
    values
      .filter(({ value }) => new Set(tables.map(({ columns }) => columns[at]!.chosen[value])).size > 1)
      .reduce((sum, one) => sum + one.rows, 0),
  );
  const disputed = counts.filter((count) => count > 0);
  if (rows === undefined || disputed.length === 0) return undefined;
  const count = Math.min(
    rows.count,
    disputed.reduce((sum, one) => sum + one, 0),
  );
  return { count, isExact: disputed.length === 1 };
}
