import { isTable, keyPath } from '../../lib/settings.ts';
import type { RowsLookedAt } from '../../sources/table-source.ts';
import type { ValueTable } from '../value-table.ts';

const meanings: Readonly<Record<string, ValueTable['meanings']>> = {
  'conversations.type': [
    ['private', 'members alone'],
    ['public', 'everybody'],
    ['direct', 'two people'],
    ['group-direct', 'a few people'],
  ],
  'messages.kind': [
    ['message', 'a message of a person'],
    ['system', 'a line of the platform'],
    ['call', 'a call'],
  ],
};

const sorting = [
  ['keep', 'taken'],
  ['drop', 'left out'],
] as const;

/** Returns the values that a key sorts rows by; undefined if none were looked at. @param answer The value of the key. */
export function readValues(key: string, answer: unknown, rows: RowsLookedAt | undefined): ValueTable | undefined {
  const [, name, ...inner] = keyPath(key);
  const found = Object.entries(rows?.values ?? {});
  // Those of texts are the words that they begin with.
  if (found.length === 0 || (name === 'skipWhen' && inner.length > 0)) return undefined;
  const isOfMeanings = key in meanings;
  const read = (column: string, value: string) =>
    isOfMeanings
      ? readMeaning(answer, value, meanings[key]![0]![0])
      : isTaken(inner.length > 0 || !isTable(answer) ? answer : answer[column], value, name === 'skipWhen');
  return {
    columns: found.map(([column, values]) => ({
      ...{ name: column, values },
      chosen: Object.fromEntries(values.map(({ value }) => [value, read(column, value)])),
    })),
    meanings: meanings[key] ?? sorting,
    form: isOfMeanings
      ? 'meanings'
      : inner.length > 0
        ? 'taken'
        : name === 'skipWhen'
          ? 'left-out-by-column'
          : 'taken-by-column',
  };
}

function readMeaning(answer: unknown, value: string, usual: string): string {
  const { values, constant } = (isTable(answer) ? answer : {}) as Readonly<Record<string, unknown>>;
  return String((isTable(values) ? values[value] : undefined) ?? constant ?? usual);
}

function isTaken(condition: unknown, value: string, isOfLeavingOut: boolean): 'keep' | 'drop' {
  if (condition === undefined || (isTable(condition) && !('filled' in condition))) return 'keep';
  const isNamed = isTable(condition)
    ? (value !== '') === condition.filled
    : [condition].flat().map(String).includes(value);
  return isNamed === isOfLeavingOut ? 'drop' : 'keep';
}
