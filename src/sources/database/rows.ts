import { SourceError } from '../../lib/errors.ts';
import { formatPointer } from '../../io/json/json-pointer.ts';
import { CellRow, indexColumns } from '../tables/cell-row.ts';
import type { CellCondition, RowReader, RowStep } from '../tables/row.ts';
import type { CellText, Database, DatabaseRow, DatabaseTable } from './database.ts';
import type { TableAsFile } from './options.ts';
import { isTooLarge, tooLarge } from './row-lists.ts';

export type ReadableTables = Pick<Database, 'tables' | 'rows' | 'rowsWhere' | 'countRows'>;

/** Says of a column whether its values are read. */
export type IsRead = (table: DatabaseTable, column: string) => boolean;

/**
 * The rows of a database's tables, each of which is a file by its name. Rows are located by their table and key: `app.sqlite#/messages/12`.
 *
 * @param path Of the database inside the export.
 * @param isRead Columns of a key are always read.
 */
export function databaseRowReader(
  database: ReadableTables,
  path: string,
  isRead: IsRead,
  signal: AbortSignal,
): RowReader<TableAsFile> {
  const read = (table: DatabaseTable) =>
    table.columns.map(({ name }) => name).filter((name) => table.primaryKey.includes(name) || isRead(table, name));
  async function* steps(name: string, lists: (names: readonly string[]) => AsyncIterable<readonly DatabaseRow[]>) {
    const table = tableNamed(database, name);
    const names = read(table);
    const columns = indexColumns(names);
    const keys = table.primaryKey.map((key) => names.indexOf(key));
    let number = 0;
    for await (const rows of lists(names)) {
      yield rows.map((row): RowStep => {
        number += 1;
        const own = number;
        const location = () => locateRow(row, [path, name], keys, own);
        const large = row.values.findIndex(isTooLarge);
        const fault = row.fault ?? (large < 0 ? undefined : tooLarge(names[large]));
        if (fault) return { type: 'invalid', ...fault, location: location() };
        return new CellRow(
          row.values,
          columns,
          location,
          keys.length === 1 ? numberOf(row.values[keys[0]!]) : undefined,
        );
      });
    }
  }
  return {
    hasFixedNames: true,
    tablesIn: async (name) => [{ name, table: undefined }],
    readColumns: async (name) => read(tableNamed(database, name)),
    rowsAbout: (name, max) => database.countRows?.(name, max) ?? tableNamed(database, name).rowsAbout,
    rows: (name) => steps(name, (names) => database.rows(name, names, signal)),
    ...(database.rowsWhere && {
      rowsWhere: (name: string, anyOf: readonly CellCondition[], max: number) =>
        steps(name, (names) => database.rowsWhere!(name, names, { anyOf, max })),
    }),
  };
}

/** Returns a numeric key as a number. Longer numbers do not fit into the sort key of messages with the same time. */
const numberOf = (key: CellText | undefined): number | undefined =>
  typeof key === 'string' && /^\d{1,11}$/.test(key) ? Number(key) : undefined;

/** Returns the location by key, or by row number if the table has no key. */
function locateRow(
  { values, line }: DatabaseRow,
  [path, table]: readonly [path: string, table: string],
  keys: readonly number[],
  number: number,
) {
  const key = keys.length === 0 ? String(number) : keys.map((index) => values[index] ?? '').join(',');
  return { path, ...(line !== undefined && { line }), pointer: formatPointer([table, key]) };
}

/** @throws SourceError if nothing of it can be read. */
export const brokenView = ({ name, fault }: DatabaseTable): SourceError =>
  new SourceError(`Cannot read the view ${JSON.stringify(name)}: ${fault}`, {
    hint: 'Store its rows in a table with the application that it belongs to, or name the tables behind it in the mapping',
  });

function tableNamed({ tables }: ReadableTables, name: string): DatabaseTable {
  const found = tables.find((table) => table.name === name);
  if (!found) throw new SourceError(`Cannot read the table ${JSON.stringify(name)}: there is none of this name`);
  if (found.fault !== undefined) throw brokenView(found);
  return found;
}
