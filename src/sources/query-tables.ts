import { namesInQuery } from './tables/copy/query-names.ts';

/** Returns those of some tables that a query of a mapping names, as far as its words tell: a column may be called like a table. */
export function tablesInQuery(query: string, tables: readonly string[]): readonly string[] {
  const names = namesInQuery(query);
  return tables.filter((table) => names.has(table));
}
