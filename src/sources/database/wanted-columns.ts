import { SourceError } from '../../lib/errors.ts';
import { nearestName } from '../../lib/text/nearest-name.ts';
import { isOfPath } from '../tables/assign-tables.ts';
import { namesInQuery } from '../tables/copy/query-names.ts';
import { isQuery, listQueries, tablesOfFiles, type Tables } from '../tables/roles.ts';
import type { Database, DatabaseTable } from './database.ts';
import type { CopiedColumns } from './local-copy.ts';
import type { TableAsFile } from './options.ts';
import { brokenView, type IsRead } from './rows.ts';

/**
 * @throws SourceError if the mapping names a table that does not exist, or messages come from a view that cannot be evaluated.
 */
export function assertTables(
  { tables: known }: Pick<Database, 'tables'>,
  tables: Tables<TableAsFile> | undefined,
): void {
  const broken = known.find(({ name, fault }) => fault !== undefined && isOfMessages(tables?.messages, name));
  if (broken) throw brokenView(broken);
  const missing = tablesOfFiles(tables).find((table) => !known.some(({ name }) => isOfPath(table, name)));
  if (!missing) return;
  const names = known.map(({ name }) => name);
  const nearest = nearestName(missing.file, names);
  const meant = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
  const listed = `${names.slice(0, 30).join(', ')}${names.length > 30 ? ', …' : ''}`;
  throw new SourceError(`Cannot find the table "${missing.file}", which the mapping names${meant}`, {
    hint: `The tables are ${listed === '' ? 'none: the database is empty, or its role may read nothing' : listed}`,
  });
}

const isOfMessages = (messages: Tables<TableAsFile>['messages'], name: string): boolean =>
  isQuery(messages) ? namesInQuery(messages.query).has(name) : messages?.file !== undefined && isOfPath(messages, name);

/** Tables that the mapping or its queries name, with the columns that are read and their keys. */
export function wantedColumns(
  database: Database,
  tables: Tables<TableAsFile> | undefined,
  isRead: IsRead,
): CopiedColumns {
  const queries = listQueries(tables).map(([, text]) => namesInQuery(text));
  const isWanted = ({ name, isView, fault }: DatabaseTable) =>
    fault === undefined &&
    (tables === undefined
      ? !isView
      : tablesOfFiles(tables).some((table) => isOfPath(table, name)) || queries.some((names) => names.has(name)));
  return new Map(
    database.tables.filter(isWanted).map((table) => {
      const columns = table.columns.map(({ name }) => name);
      return [table.name, columns.filter((name) => table.primaryKey.includes(name) || isRead(table, name))];
    }),
  );
}
