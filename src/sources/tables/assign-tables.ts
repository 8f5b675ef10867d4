import { SourceError } from '../../lib/errors.ts';
import { globMatcher } from '../../lib/text/glob.ts';
import { withoutClutter } from '../kit/files/paths.ts';
import { isQuery, type Role, type SharedRole, sharedRoles, type Tables } from './roles.ts';
import type { Table } from './schema/bindings.ts';

/** Which file of an export holds which table. Sorted as the paths were. */
export type AssignedTables<T> = Readonly<Record<Role, readonly AssignedTable<T>[]>> & {
  /** Tables that the mapping does not name, and what operating systems leave behind. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** No tables at all. */
  readonly unknown: readonly string[];
};

/** Why a table is not read. */
export const notNamed = 'no table that the mapping names';
const leftBehind = 'stays behind, as the mapping says';

export interface AssignedTable<T> {
  readonly path: string;
  readonly table: T | undefined;
}

/**
 * @param isTable Whether a path may hold a table, going by its name.
 * @param queried Paths of tables that a query reads.
 * @throws SourceError if no file has the path that the mapping names.
 */
export function assignTables<T extends Table>(
  allPaths: readonly string[],
  tables: Tables<T> | undefined,
  isTable: (path: string) => boolean,
  queried: readonly string[] = [],
): AssignedTables<T> {
  const { own: paths, clutter } = withoutClutter(allPaths);
  const candidates = paths.filter(isTable);
  const assign = (role: Role) => {
    const table = tables?.[role];
    return isQuery(table) ? [] : assignedTo(role, table, paths, candidates);
  };
  const shared = Object.fromEntries(sharedRoles.map((role) => [role, assign(role)])) as unknown as Record<
    SharedRole,
    readonly AssignedTable<T>[]
  >;
  const named = new Set([
    ...Object.values(shared)
      .flat()
      .map(({ path }) => path),
    ...queried,
  ]);
  const messages = tables
    ? assign('messages')
    : candidates.filter((path) => !named.has(path)).map((path) => ({ path, table: undefined }));
  for (const { path } of messages) named.add(path);
  const left = paths.filter((path) => !named.has(path));
  const ignored = (tables?.ignored ?? []).map(globMatcher);
  const explain = (path: string) => (ignored.some((isIt) => isIt(path)) ? leftBehind : notNamed);
  return {
    ...shared,
    messages,
    skipped: [...clutter, ...left.filter(isTable).map((path) => ({ path, reason: explain(path) }))],
    unknown: left.filter((path) => !isTable(path)),
  };
}

/** Whether a table of the mapping may be of this file. */
export const isOfPath = ({ file }: Table, path: string): boolean => file === undefined || globMatcher(file)(path);

/** A table without a path is the only one of its export. */
function assignedTo<T extends Table>(
  kind: string,
  table: T | undefined,
  paths: readonly string[],
  candidates: readonly string[],
): readonly AssignedTable<T>[] {
  if (!table) return [];
  const found = table.file === undefined ? candidates : paths.filter(globMatcher(table.file));
  if (found.length > 0) return found.map((path) => ({ path, table }));
  throw new SourceError(
    `Cannot find the table of ${kind}: the mapping names "${table.file ?? '*'}", found ${paths.slice(0, 10).join(', ')}`,
    { hint: `Set source.tables.${kind}.file to one of these paths` },
  );
}
