import { formatPointer } from '../../io/json/json-pointer.ts';
import type { Entry } from '../../model/entry.ts';
import { columns, meaningless, type TableName } from './format.ts';
import type { MessagesDatabase } from './open-database.ts';

/** Columns that no version of Messages known here has, and that have values: what they say is not migrated. */
export function unreadColumns(db: MessagesDatabase, path: string): readonly Entry[] {
  return (Object.keys(columns) as TableName[])
    .filter((table) => db.has(table))
    .flatMap((table) => {
      const known = new Set<string>([...columns[table], ...Object.values(meaningless[table]).flat()]);
      const unknown = db.columnsOf(table).filter((column) => !known.has(column));
      return unknown.flatMap((column) => unreadColumn(db, { path, table, column }));
    });
}

interface Column {
  readonly path: string;
  readonly table: TableName;
  readonly column: string;
}

function unreadColumn(db: MessagesDatabase, { path, table, column }: Column): readonly Entry[] {
  const quoted = `"${column.replaceAll('"', '""')}"`;
  const [row] = db.rows(`SELECT count(*) AS count FROM "${table}" WHERE ${quoted} NOT IN (0, '') `);
  const count = Number(row?.count ?? 0);
  if (count === 0) return [];
  const reason = `Nothing reads "${column}" of "${table}"`;
  const location = { path, pointer: formatPointer([table, column]) };
  return [{ type: 'problem', code: 'column-not-migrated', reason, location, count, column, table }];
}
