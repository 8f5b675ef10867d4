import { type TableOutline, tablesInQuery, isTableSource } from '../../sources/table-source.ts';
import type { ExportTables } from '../../model/export-tables.ts';
import type { Store } from '../../store/open.ts';
import type { PlanInput } from '../plan-options.ts';

/** Distinct values of one column; one with more of them sorts nothing. */
const wordsMax = 100;
/** Characters of a value. */
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

/** Returns which tables the exports have; undefined for a source without tables. @throws SourceError */
export async function listTables({
  reader,
  adapter,
  sourceOptions,
  corrections,
}: PlanInput): Promise<ExportTables | undefined> {
  if (!isTableSource(adapter) || corrections !== undefined) return undefined;
  const options = sourceOptions as Readonly<Record<string, unknown>>;
  const outlines: TableOutline[] = [];
  for (const input of await reader.inputs()) outlines.push(...(await adapter.outline(input, options)));
  return sortTables(options, outlines);
}

/** Without a section `tables`, the only table is read. */
function sortTables(options: Readonly<Record<string, unknown>>, outlines: readonly TableOutline[]): ExportTables {
  const texts = options.tables === undefined ? undefined : textsIn(options.tables);
  const names = outlines.map(({ name }) => name);
  const queried = new Set(
    (texts ?? []).filter((text) => /\s/.test(text)).flatMap((text) => tablesInQuery(text, names)),
  );
  const isRead = ({ name }: TableOutline) => texts === undefined || texts.includes(name) || queried.has(name);
  const [read, others] = [outlines.filter(isRead), outlines.filter((outline) => !isRead(outline))];
  return {
    read: Object.fromEntries(
      read.map(({ name, columns }) => [name, Object.fromEntries(columns.map((column) => [column.name, column.type]))]),
    ),
    others: Object.fromEntries(others.slice(0, othersMax).map(({ name, rows }) => [name, rows ?? null])),
  };
}

/** Every text in a value; of those with `#` also what stands before it. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Keeps what the confirmation of a reading is about. @param words Of the rows that were read now. @param isWhole Whether these are all rows. */
export function noteTables(
  store: Store,
  tables: ExportTables | undefined,
  { words, isWhole }: { readonly words: SortingWords; readonly isWhole: boolean },
): void {
  if (tables === undefined) return;
  store.facts.write('tables', JSON.stringify(tables));
  const before = isWhole ? {} : (JSON.parse(store.facts.read('words') ?? '{}') as Record<string, readonly string[]>);
  const now = words.list();
  const all = [...new Set([...Object.keys(before), ...Object.keys(now)])].map((column) => [
    column,
    [...new Set([...(before[column] ?? []), ...(now[column] ?? [])])].sort(),
  ]);
  store.facts.write('words', JSON.stringify(Object.fromEntries(all)));
}
