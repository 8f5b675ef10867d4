import { isTable, keyPath, listLeaves, type Settings, settingText, valueAt } from '../../src/lib/settings.ts';
import { means, spelledOut } from '../sources/tables/schemas/readings.ts';
import type { Right } from './databases.ts';

/** Answers the questions of `init` as an owner of the data would: takes an option, or gives a column, a word or a list of values. */

export interface Question {
  readonly key: string;
  readonly because: string;
  readonly readings: readonly { readonly value: unknown; readonly because: string }[];
}

/** A question with the owner's answer, if anything was on offer. */
export interface Asked extends Question {
  readonly answer: OwnersAnswer | null;
}

interface OwnersAnswer {
  /** As `--set` takes it. */
  readonly value: string;
  /** An option from 1, a value that was typed, or the first option where none is right. */
  readonly how: number | 'typed' | 'none is right';
}

export function answer({ key, readings }: Question, { mapping, owner }: Right): OwnersAnswer | null {
  const path = keyPath(key);
  const own = owner[key];
  const wanted = own ?? valueAt(spelledOut(mapping.source), path) ?? nothingFor(key);
  const option = readings.findIndex(({ value }) => wanted !== undefined && isSame(value, wanted));
  const set = (value: unknown, how: OwnersAnswer['how']) => ({ value: settingText(value), how });
  if (option >= 0) return set(readings[option]!.value, option + 1);
  if (key === 'tables.ignored' && readings.length > 0) return set(readings[0]!.value, 1);
  if (wanted !== undefined && isTypable(wanted)) return set(wanted, 'typed');
  return firstOffered({ readings });
}

/** The best on offer, where nothing that is right is. */
export const firstOffered = ({ readings: [first] }: Pick<Question, 'readings'>): OwnersAnswer | null =>
  first ? { value: settingText(first.value), how: 'none is right' } : null;

/** Whether an option says what is wanted, as far as it goes: a part of the words that are translated, or of the columns that choose rows. */
function isSame(option: unknown, wanted: unknown): boolean {
  const [one, other] = [option, wanted].map((value) => (typeof value === 'string' ? { from: value } : value));
  if (!isTable(one) || !isTable(other)) return means(one, other);
  if (typeof other.query === 'string' && typeof one.table === 'string') return namesTable(other.query, one.table);
  if ('query' in one && 'query' in other) return means(one, other);
  const own = Object.entries(one).filter(([key]) => key !== 'otherwise');
  if (own.length === 0) return Object.keys(other).length === 0;
  return own.every(([key, value]) => (key in other ? isSameWithin(key, value, other[key]) : false));
}

/** Where SQL joins what is asked of one table. A union takes more than one. */
const namesTable = (query: string, table: string): boolean =>
  !query.includes(' UNION ') && new RegExp(`(FROM|JOIN) "?${table}"?( |$)`).test(query);

const isSameWithin = (key: string, option: unknown, wanted: unknown): boolean =>
  key === 'values' && isTable(option) && isTable(wanted)
    ? Object.entries(option).every(([word, meaning]) => !(word in wanted) || wanted[word] === meaning)
    : means(option, wanted);

/** What an owner says who wants nothing of it. */
function nothingFor(key: string): unknown {
  if (/^\w+\.only\./.test(key)) return { any: true };
  if (key === 'zone') return 'UTC';
  if (/\.(only|skipWhen)$/.test(key)) return {};
  if (/\.edited$/.test(key)) return { from: { constant: false } };
  return /\.(reply|quote|deleted|pinned|kind|internal)(\.from)?$/.test(key) ? { constant: '' } : undefined;
}

/** A name or words, or values of columns: neither SQL nor a template. */
const isTypable = (value: unknown): boolean =>
  !isTable(value) ||
  listLeaves(value as Settings).every(
    ([path]) => !['query', 'template', 'constant', 'first', 'between'].includes(path.at(-1)!),
  );
