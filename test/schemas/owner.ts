import { isDeepStrictEqual } from 'node:util';
import type { Decision } from '../../src/decisions/decision.ts';
import {
  isTable,
  keyPath,
  listLeaves,
  parseValue,
  type Settings,
  settingText,
  valueAt,
} from '../../src/lib/settings.ts';
import { means, spelledOut } from '../sources/tables/schemas/readings.ts';
import type { Right } from './databases.ts';

/** Answers the questions of `init` as an owner of the data would: takes an option, or gives a column, a word or a list of values. */

/** A question with the owner's answer, if anything was on offer. */
export interface Asked extends Omit<Decision, 'answer'> {
  readonly answer: OwnersAnswer | null;
}

interface OwnersAnswer {
  /** As `--set` takes it. */
  readonly value: string;
  /** An option from 1, a value that was typed, or the first option where none is right. */
  readonly how: number | 'typed' | 'none is right';
}

export function answer(question: Decision, { mapping, owner }: Right): OwnersAnswer | null {
  const key = question.id.replace(/^source\./, '');
  const values = valuesOffered(question);
  const wanted = owner[key] ?? valueAt(spelledOut(mapping.source), keyPath(key)) ?? nothingFor(key);
  const exact = values.findIndex((value) => isDeepStrictEqual(value, wanted));
  const option = exact >= 0 ? exact : values.findIndex((value) => wanted !== undefined && isSame(value, wanted));
  if (option >= 0) return { value: settingText(values[option]), how: option + 1 };
  // Whatever names messages may stay behind.
  if (key === 'tables.ignored' && values.length > 0) return { value: settingText(values[0]), how: 1 };
  if (wanted !== undefined && isTypable(wanted)) return { value: settingText(wanted), how: 'typed' };
  return firstOffered(question);
}

/** The best on offer, where nothing that is right is. */
export function firstOffered(question: Pick<Decision, 'id' | 'options'>): OwnersAnswer | null {
  const [first] = valuesOffered(question);
  return first === undefined ? null : { value: settingText(first), how: 'none is right' };
}

const valuesOffered = ({ id, options }: Pick<Decision, 'id' | 'options'>): readonly unknown[] =>
  options.flatMap(({ effect }) =>
    'sets' in effect && effect.sets[id] !== undefined ? [parseValue(effect.sets[id])] : [],
  );

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

/** The answer of an owner who wants nothing of it. */
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
