import { isTable, keyPath, type Settings, valueAt } from '../../../lib/settings.ts';
import { countOf, formatCount } from '../../../lib/text/count.ts';
import type { ValueRows } from '../../../model/value-rows.ts';
import type { Finding, NamedChoice, RowsLookedAt } from '../../table-source.ts';
import { valueText } from '../bind/value.ts';
import { profileColumn } from './columns.ts';
import type { Graph } from './graph/graph.ts';
import type { TableGroup } from './graph/groups.ts';
import { findValueWords, type ValueWords } from './graph/value-words.ts';
import { countRows } from './which-rows.ts';

/** More values than these are not counted: such a column sorts rows by whether there is a value. */
const valuesMax = 1000;
/** Columns or tables to choose from, what is shown of each, and characters of that. */
const choicesMax = 200;
const shownMax = 3;
const textMax = 60;

interface Tables {
  readonly graph: Graph;
  readonly all: readonly TableGroup[];
  readonly find: (role: string) => TableGroup | undefined;
  readonly options: Settings;
  readonly nulls: readonly string[];
}

/** Says of a finding how many rows it comes from, which values sort them, and of an open one what may be named instead. */
export function withRows(finding: Finding, { graph, all, find, options, nulls }: Tables): Finding {
  const [section = '', name = ''] = keyPath(finding.key);
  const isOfTables = section === 'tables';
  const group = find(isOfTables ? name : section in ofMessages ? 'messages' : section);
  const isOpen = finding.alternatives.length > 0 || (finding.isRequired && finding.value === undefined);
  const choices = isOpen ? (isOfTables ? listTables(all) : group ? listColumns(group) : []) : [];
  const open = { ...finding, ...(choices.length > 0 && { choices }) };
  if (group === undefined) return open;
  const { rows } = group.sample;
  const told = valueAt(options, section === 'messages' ? ['messages', 'text'] : [section, 'name']);
  const text = isTable(told) ? told.from : told;
  const sorting = sortingColumns(finding);
  const words = sorting.length > 0 ? findValueWords(graph, group) : (new Map() as ValueWords);
  const columns = sorting.map((column) => {
    const values = countValues(group, column, nulls, text).map((one): ValueRows => {
      const word = words.get(column)?.get(one.value);
      return word === undefined ? one : { ...one, word };
    });
    return [column, values] as const;
  });
  const looked: RowsLookedAt = {
    count: rows.length,
    isWhole: !group.isCut && !group.parts.some(({ isAtLeast }) => isAtLeast),
    values: Object.fromEntries(columns.filter(([, values]) => values.length > 0)),
  };
  return { ...open, rows: looked };
}

/** Names of columns alone: what a table holds that nobody reads is not shown. */
const listTables = (groups: readonly TableGroup[]): readonly NamedChoice[] =>
  groups.slice(0, choicesMax).map(({ name, columns, isCut, sample: { rows } }) => ({
    name,
    fits: `${isCut ? 'over ' : ''}${countOf(rows.length, 'row')}`,
    holds: `with ${columns
      .slice(0, shownMax)
      .map((column) => column.name)
      .join(', ')}${columns.length > shownMax ? ', …' : ''}`,
  }));

const listColumns = ({ columns }: TableGroup): readonly NamedChoice[] =>
  columns.slice(0, choicesMax).map(({ name, profile: { texts, rowCount } }) => ({
    name,
    fits: `${formatCount(texts.length)} of ${countOf(rowCount, 'row')}, ${formatCount(new Set(texts).size)} different`,
    holds: isSecret.test(name) ? '' : [...new Set(texts)].slice(0, shownMax).map(cut).join(' · '),
  }));

const isSecret = /pass|pwd|secret|token|hash|salt/i;

const cut = (text: string): string => (text.length > textMax ? `${text.slice(0, textMax - 1)}…` : text);

/** Settings of the whole source that are about messages. */
const ofMessages = { zone: true, nulls: true };

/** Columns by which the readings of a finding sort rows. */
function sortingColumns({ key, value, alternatives }: Finding): readonly string[] {
  const [section, name, ...column] = keyPath(key);
  if (name === 'only' && column.length > 0) return [column.join('.')];
  const readings = [value, ...alternatives.map((reading) => reading.value)].filter(isTable);
  if (name === 'only' || name === 'skipWhen') return [...new Set(readings.flatMap(Object.keys))];
  const isSorting = key === 'messages.kind' || key === 'conversations.type';
  return section !== 'tables' && isSorting
    ? [...new Set(readings.flatMap(({ from }) => (typeof from === 'string' ? [from] : [])))]
    : [];
}

/** @param text Column that says what a row is about. */
function countValues(
  { sample: { rows } }: TableGroup,
  column: string,
  nulls: readonly string[],
  text: unknown,
): readonly ValueRows[] {
  const profile = profileColumn(rows, column, nulls);
  const counts = countRows(profile);
  const empty = profile.rowCount - profile.texts.length;
  if (counts.size > valuesMax) return [];
  const examples = new Map<string, string>();
  if (typeof text === 'string')
    for (const row of rows) {
      const example = valueText(row.get(text)) ?? '';
      const value = valueText(row.get(column))?.trim() ?? '';
      if (example !== '' && !examples.has(value)) examples.set(value, cut(example.slice(0, textMax + 1)));
    }
  const withExample = (value: string, count: number): ValueRows => {
    const example = examples.get(value);
    return { value, rows: count, ...(example !== undefined && { example }) };
  };
  const values = [...counts].map(([value, count]) => withExample(value, count));
  return [...values, ...(empty > 0 ? [withExample('', empty)] : [])].toSorted((a, b) => b.rows - a.rows);
}
