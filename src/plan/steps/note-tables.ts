import type { ExportTables } from '../../model/export-tables.ts';
import type { Store } from '../../store/open.ts';
import type { SortingWords } from '../export-tables.ts';

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
