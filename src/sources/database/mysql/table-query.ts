import type { MysqlTable } from './catalogue.ts';
import type { MysqlColumn } from './column.ts';
import { quoted } from './identifier.ts';

/** What is read of one table. */
export interface TableQuery {
  readonly columns: readonly MysqlColumn[];
  /** As a statement names it. */
  readonly from: string;
}

/** @param names Of columns that the role may read. */
export function queryOf({ table, columns }: MysqlTable, names: readonly string[]): TableQuery {
  const known = new Map(columns.map((column) => [column.name, column]));
  const chosen = names.map((name) => {
    const column = known.get(name);
    if (!column) throw new Error(`no column "${name}" in "${table.name}"`);
    return column;
  });
  return { columns: chosen, from: quoted(table.name) };
}
