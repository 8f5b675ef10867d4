import { columnsOfQuery } from '../tables/copy/query-columns.ts';
import { namesIn } from '../tables/propose/bound-columns.ts';
import { isRole, type Role } from '../tables/roles.ts';
import type { Database } from './database.ts';

type Keys = Readonly<Record<string, unknown>>;

/** The `source:` section of a mapping, unparsed. */
export type SourceSection = Keys & { readonly tables: Keys };

/**
 * A mapping without what these tables do not have, as those of an older version: a table or query that cannot be read goes with its section,
 * a key that names a missing column goes alone. Nothing where there are no messages.
 */
export function fittingPart({ tables, ...rest }: SourceSection, database: Database): Keys | undefined {
  const left: Record<string, unknown> = {};
  const leftTables: Record<string, unknown> = {};
  for (const [name, keys] of Object.entries(rest)) {
    if (!isRole(name)) left[name] = keys;
    const columns = isRole(name) ? listColumns(tables[name], database) : undefined;
    const fitting = columns && fittingKeys(name as Role, keys as Keys, columns);
    if (!fitting) continue;
    left[name] = fitting;
    leftTables[name] = tables[name];
  }
  if (leftTables.messages === undefined) return undefined;
  return { tables: { ...leftTables, ...(tables.ignored !== undefined && { ignored: tables.ignored }) }, ...left };
}

const filters = ['only', 'skipWhen'];

/** Keys whose columns are there. The rows of a child table say something by all of them together. */
function fittingKeys(section: Role, keys: Keys, columns: ReadonlySet<string>): Keys | undefined {
  const fits = ([key, value]: readonly [string, unknown]) =>
    namesIn(section, key, value).every((name) => isColumn(name, columns));
  const entries = Object.entries(keys);
  const isAlone = section === 'messages' || section === 'users' || section === 'conversations';
  if (!isAlone) return entries.every(fits) ? keys : undefined;
  // In a filter, each column is a key of its own.
  const kept = entries.map(([key, value]): readonly [string, unknown] =>
    filters.includes(key)
      ? [key, Object.fromEntries(Object.entries(value as Keys).filter(([column]) => isColumn(column, columns)))]
      : [key, value],
  );
  return Object.fromEntries(kept.filter(fits));
}

/** In `meta.sender.id`, the column is "meta". */
const isColumn = (name: string, columns: ReadonlySet<string>): boolean =>
  columns.has(name) || columns.has(name.split('.')[0]!);

/** Returns the columns of a table or query, or undefined if it cannot be read. */
function listColumns(table: unknown, { tables }: Database): ReadonlySet<string> | undefined {
  const { table: name, query } = table as { readonly table?: string; readonly query?: string };
  const columns = new Map(tables.map((one) => [one.name, one.columns.map((column) => column.name)]));
  const found = query === undefined ? columns.get(name ?? '') : columnsOfQuery(query, columns);
  return found && new Set(found);
}
