import { SourceError } from '../../lib/errors.ts';
import { withoutClutter } from '../kit/files/paths.ts';
import type { Table } from './schema/bindings.ts';

/** Which file of an export holds which table. Sorted as the paths were. */
export interface AssignedTables<T> {
  readonly users: readonly AssignedTable<T>[];
  readonly conversations: readonly AssignedTable<T>[];
  readonly messages: readonly AssignedTable<T>[];
  /** Tables that the mapping does not name, and what operating systems leave behind. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** No tables at all. */
  readonly unknown: readonly string[];
}

export interface AssignedTable<T> {
  readonly path: string;
  readonly table: T | undefined;
}

export type Tables<T> = Readonly<{ [Kind in 'messages' | 'users' | 'conversations']?: T | undefined }>;

/**
 * @param isTable Whether a path may hold a table, going by its name.
 * @throws SourceError where no file has the path that the mapping names.
 */
export function assignTables<T extends Table>(
  allPaths: readonly string[],
  tables: Tables<T> | undefined,
  isTable: (path: string) => boolean,
): AssignedTables<T> {
  const { own: paths, clutter } = withoutClutter(allPaths);
  const candidates = paths.filter(isTable);
  const assign = (kind: keyof Tables<T>) => assignedTo(kind, tables?.[kind], paths, candidates);
  const users = assign('users');
  const conversations = assign('conversations');
  const named = new Set([...users, ...conversations].map(({ path }) => path));
  const messages = tables
    ? assign('messages')
    : candidates.filter((path) => !named.has(path)).map((path) => ({ path, table: undefined }));
  for (const { path } of messages) named.add(path);
  const left = paths.filter((path) => !named.has(path));
  return {
    users,
    conversations,
    messages,
    skipped: [...clutter, ...left.filter(isTable).map((path) => ({ path, reason: 'no table that the mapping names' }))],
    unknown: left.filter((path) => !isTable(path)),
  };
}

/** A table without a path is the only one of its export. */
function assignedTo<T extends Table>(
  kind: string,
  table: T | undefined,
  paths: readonly string[],
  candidates: readonly string[],
): readonly AssignedTable<T>[] {
  if (!table) return [];
  const found = table.file === undefined ? candidates : paths.filter(matching(table.file));
  if (found.length > 0) return found.map((path) => ({ path, table }));
  throw new SourceError(
    `Cannot find the table of ${kind}: the mapping names "${table.file ?? '*'}", found ${paths.slice(0, 10).join(', ')}`,
    { hint: `Set source.tables.${kind}.file to one of these paths` },
  );
}

/** `*` and `?` stand for anything but "/", `**` for anything. */
function matching(glob: string): (path: string) => boolean {
  const pattern = glob.replaceAll(/\*\*\/?|[*?]|[\\^$.+()[\]{}|/]/g, (part) => {
    if (part.startsWith('**')) return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : `\\${part}`;
  });
  const expression = new RegExp(`^${pattern}$`, 'su');
  return (path) => expression.test(path);
}
