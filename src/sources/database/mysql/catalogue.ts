import { asColumn, type DatabaseTable, type ForeignKey } from '../database.ts';
import { columnsSql, foreignKeysSql, indexesSql, serverSql, tablesSql } from './catalogue-queries.ts';
import { readColumn, type MysqlColumn } from './column.ts';
import { keysOfColumns, type TableKey } from './key.ts';
import type { Answer, MysqlSession } from './session.ts';

export interface MysqlTable {
  readonly table: DatabaseTable;
  readonly columns: readonly MysqlColumn[];
  /** Key by which its rows can be read, page after page: the primary key if possible. */
  readonly key: TableKey | undefined;
  /** Whether the transaction sees one state of it. For a view this is not known. */
  readonly hasSnapshot: boolean;
}

export interface MysqlCatalogue {
  readonly system: 'MySQL' | 'MariaDB';
  readonly database: string;
  readonly tables: readonly MysqlTable[];
}

type Grouped = ReadonlyMap<string, Answer>;

/** Five statements, however many tables there are. Memory grows with the number of columns, some hundred bytes each. @throws SourceError */
export async function readCatalogue(session: MysqlSession): Promise<MysqlCatalogue> {
  const [[version, database] = []] = await session.run(serverSql);
  const tables = await session.run(tablesSql);
  const columns = grouped(await session.run(columnsSql));
  const indexes = grouped(await session.run(indexesSql));
  const foreignKeys = grouped(await session.run(foreignKeysSql));
  return {
    system: /mariadb/i.test(version ?? '') ? 'MariaDB' : 'MySQL',
    database: database ?? '',
    tables: tables
      // A table of which no column may be read cannot be read at all.
      .filter(([name, type]) => columns.has(name!) || type === 'VIEW')
      .map((row) => readTable(row, { columns, indexes, foreignKeys }))
      .sort((a, b) => (a.table.name < b.table.name ? -1 : 1)),
  };
}

/** The text of error 1356. The server shows no columns of such a view, and no error. */
const invalidView = 'it names tables, columns or functions that are not there, or its definer may not read them';

interface Parts {
  readonly columns: Grouped;
  readonly indexes: Grouped;
  readonly foreignKeys: Grouped;
}

function readTable([name, type, engine, rowsAbout]: Answer[number], parts: Parts): MysqlTable {
  const columns = (parts.columns.get(name!) ?? []).map(readColumn);
  const keys = keysOfColumns(parts.indexes.get(name!) ?? [], columns);
  const isView = type === 'VIEW';
  return {
    table: {
      name: name!,
      columns: columns.map(asColumn),
      primaryKey: keys.primary,
      foreignKeys: readForeignKeys(name!, parts),
      isView,
      ...(!isView && rowsAbout != null && { rowsAbout: Number(rowsAbout) }),
      ...(columns.length === 0 && { fault: invalidView }),
    },
    columns,
    key: keys.toReadBy,
    hasSnapshot: isView || engine?.toLowerCase() === 'innodb',
  };
}

/** Those of which the role may read every column, on both sides. */
function readForeignKeys(name: string, { columns, foreignKeys }: Parts): readonly ForeignKey[] {
  const isReadable = (table: string, column: string) => columns.get(table)?.some(([, name]) => name === column);
  const byName = Map.groupBy(foreignKeys.get(name) ?? [], ([, constraint]) => constraint);
  return [...byName.values()].flatMap((rows) => {
    const table = rows[0]![3]!;
    const isKnown = rows.every(([, , own, , other]) => isReadable(name, own!) && isReadable(table, other!));
    const key = { columns: rows.map((row) => row[2]!), table, references: rows.map((row) => row[4]!) };
    return isKnown ? [key] : [];
  });
}

/** Rows by their first value, the name of a table. */
const grouped = (answer: Answer): Grouped => Map.groupBy(answer, ([table]) => table!);
