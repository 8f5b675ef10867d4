import type { ExportInput } from '../io/input/export-input.ts';
import type { Settings } from '../lib/settings.ts';
import { ignoring } from './ignored-files.ts';
import { type BesideReading, nothingBeside } from '../model/reading-result.ts';
import { type Proposal, type TableOutline, type TableSource, tablesInQuery } from '../sources/table-source.ts';
import type { ExportTables } from '../model/export-tables.ts';

/** Distinct values of one column; one with more of them sorts nothing. */
const wordsMax = 100;
const wordLengthMax = 60;

/** Collects the values by which conditions and lists of values sort rows, by role and column: `messages.kind`. */
export class SortingWords {
  readonly #words = new Map<string, Set<string>>();

  readonly note = (column: string, word: string): void => {
    const words = this.#words.get(column);
    if (words === undefined) this.#words.set(column, new Set([word.slice(0, wordLengthMax)]));
    else if (words.size < wordsMax) words.add(word.slice(0, wordLengthMax));
  };

  list(): Readonly<Record<string, readonly string[]>> {
    const sorted = [...this.#words].filter(([, words]) => words.size < wordsMax);
    return Object.fromEntries(sorted.map(([column, words]) => [column, [...words].sort()]));
  }
}

/** Other tables that are remembered. */
const othersMax = 2000;

/** Returns which tables the exports have. @throws SourceError */
export async function listTables(
  adapter: TableSource,
  inputs: readonly ExportInput[],
  options: Settings,
): Promise<ExportTables> {
  const outlines: TableOutline[] = [];
  for (const input of inputs) outlines.push(...(await adapter.outline(input, options)));
  return sortTables(options, outlines);
}

/** Without a section `tables`, the only table is read. */
function sortTables(options: Readonly<Record<string, unknown>>, outlines: readonly TableOutline[]): ExportTables {
  const texts = options.tables === undefined ? undefined : textsIn(options.tables);
  const names = outlines.map(({ name }) => name);
  const queried = new Set(
    (texts ?? []).filter((text) => /\s/.test(text)).flatMap((text) => tablesInQuery(text, names)),
  );
  const isNamed = ignoring(texts ?? []);
  // A file may be named by a pattern, and then one of its lists.
  const isPart = (name: string) => {
    const at = name.indexOf('#');
    return at !== -1 && isNamed(name.slice(0, at)) && (texts ?? []).includes(name.slice(at + 1));
  };
  const isRead = ({ name }: TableOutline) => texts === undefined || isNamed(name) || isPart(name) || queried.has(name);
  const [read, others] = [outlines.filter(isRead), outlines.filter((outline) => !isRead(outline))];
  return {
    read: Object.fromEntries(
      read.map(({ name, columns }) => [name, Object.fromEntries(columns.map((column) => [column.name, column.type]))]),
    ),
    others: Object.fromEntries(others.slice(0, othersMax).map(({ name, rows }) => [name, rows ?? null])),
  };
}

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Returns what else the tables hold, by their first rows. @throws SourceError */
export async function lookBeside(
  adapter: TableSource,
  inputs: readonly ExportInput[],
  options: Settings,
): Promise<BesideReading> {
  const proposals: Proposal[] = [];
  for (const input of inputs) proposals.push(await adapter.propose(input, options));
  return joined(proposals.flatMap(({ beside }) => beside ?? []));
}

/** Things that several inputs have, once, whatever their numbers are. */
function joined(all: readonly BesideReading[]): BesideReading {
  const withoutNumbers = (key: string, value: unknown) => (typeof value === 'number' || key === 'ids' ? null : value);
  const once = (found: readonly unknown[]) =>
    new Map(found.map((item) => [JSON.stringify(item, withoutNumbers), item])).values();
  const kinds = Object.keys(nothingBeside) as (keyof BesideReading)[];
  return Object.fromEntries(
    kinds.map((kind) => [kind, [...once(all.flatMap((one): readonly unknown[] => one[kind]))]]),
  ) as never;
}
