import type { RowsSince } from '../database.ts';
import type { MysqlTable } from './catalogue.ts';
import type { MysqlColumn } from './column.ts';
import { quoted } from './identifier.ts';
import { literalOf } from './key.ts';

/** The part of a table that is read. */
export interface TableQuery {
  readonly columns: readonly MysqlColumn[];
  /** As a statement names it. */
  readonly from: string;
  /** A condition; absent if all rows are read. */
  readonly where?: string | undefined;
}

/** @param names Names of columns that the role may read. */
export function queryOf({ table, columns }: MysqlTable, names: readonly string[], since?: RowsSince): TableQuery {
  const known = new Map(columns.map((column) => [column.name, column]));
  const columnNamed = (name: string) => {
    const column = known.get(name);
    if (!column) throw new Error(`no column "${name}" in "${table.name}"`);
    return column;
  };
  const where = since && sinceCondition(columnNamed(since.column), since.from);
  return { columns: names.map(columnNamed), from: quoted(table.name), where };
}

/** All rows if the server has no literal for the column's type. */
function sinceCondition(column: MysqlColumn, from: string): string | undefined {
  // TIMESTAMP is given with its zone, and compared in that of the session, which is the same.
  const bound = literalOf(column)?.(Buffer.from(from.replace(/\+00:00$/, '')));
  return bound === undefined ? undefined : `${quoted(column.name)} >= ${bound} OR ${quoted(column.name)} IS NULL`;
}
