import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { withoutClutter } from '../kit/files/paths.ts';
import type { Look, Proposal, TableContext } from '../table-source.ts';
import { assignTables, isOfPath } from './assign-tables.ts';
import { createBinders } from './bind/binders.ts';
import { ChildRows } from './copy/child-rows.ts';
import { withCopyFaults } from './copy/copy-fault.ts';
import { QueriedTables } from './queried-tables.ts';
import { childRoles, listQueryPaths, sharedRoles, tablesOfFiles, type Tables } from './roles.ts';
import type { RowReader } from './row.ts';
import type { Bindings, Table } from './schema/bindings.ts';
import { TablesReading } from './tables-reading.ts';
import { assertBound, assertFree, unboundMessages } from './unbound.ts';

/** Inputs for reading an export of tables. */
export interface TablesRequest<T extends Table> {
  /** Name of the source: part of every origin. */
  readonly source: string;
  readonly input: ExportInput;
  readonly bindings: Bindings;
  readonly tables: Tables<T> | undefined;
  readonly reader: RowReader<T>;
  /** Whether a path may hold a table at all, going by its name; others are `unknown` files unless the mapping names them. */
  readonly isTable: (path: string) => boolean;
  readonly context: TableContext;
  /** Proposes what the mapping could say. Called for the error message if the mapping says nothing. */
  propose(): Promise<Proposal>;
}

/**
 * Does everything that `read` of a source for tables does: reads the data that messages refer to first, then the rows
 * of each wanted file, bound by the mapping. The format only supplies rows.
 *
 * @throws SourceError if the mapping does not name the columns of messages, names a table that does not exist, or has a
 *   query that cannot be run; also if there is no room for a temporary database.
 */
export const readTables = <T extends Table>(request: TablesRequest<T>): AsyncGenerator<readonly Entry[]> =>
  withCopyFaults(readAll(request));

async function* readAll<T extends Table>(request: TablesRequest<T>): AsyncGenerator<readonly Entry[]> {
  const { context, bindings, tables, reader, source, isTable } = request;
  const { signal } = context;
  signal.throwIfAborted();
  assertBound(tables, bindings);
  const { messages } = bindings;
  if (!messages) throw unboundMessages(source, await request.propose());
  const paths = await request.input.paths();
  assertFree(paths, listQueryPaths({ tables }));
  const candidates = withoutClutter(paths).own.filter(isTable);
  const declared = (path: string) => tablesOfFiles(tables).filter((table) => isOfPath(table, path));
  const queried = await QueriedTables.find({ tables, reader, nulls: bindings.nulls, signal }, candidates, declared);
  const children = hasChildren(tables) ? new ChildRows() : undefined;
  try {
    const assigned = assignTables(paths, tables, isTable, queried.paths);
    const binders = createBinders(
      { ...bindings, messages },
      { source, workspace: context.workspace ?? '' },
      children,
      context.onWord,
    );
    // A query joins tables: it is asked of whole ones.
    const files = [...assigned.messages, ...sharedRoles.flatMap((role) => assigned[role])].map(({ path }) => path);
    const reading = { ...request, reader: withFirstRows(reader, files, context.look) };
    yield* new TablesReading(reading, assigned, binders, queried, children).entries();
  } finally {
    children?.close();
    queried.close();
  }
}

/** Rows of each table that are enough to show some of them. */
const shownMax = 5000;

/** The same reader, which ends each table after some rows: after a few as soon as one of them is known to have far more. */
function withFirstRows<T>(
  reader: RowReader<T>,
  paths: readonly string[],
  { rowsMax: most, onCut }: Look = {},
): RowReader<T> {
  if (most === undefined) return reader;
  // A server estimates.
  const isLong = most > shownMax && paths.some((path) => (reader.rowsAbout?.(path, 2 * most) ?? 0) >= 2 * most);
  const rowsMax = isLong ? Math.min(most, shownMax) : most;
  return {
    ...reader,
    async *rows(...table) {
      let left = rowsMax;
      for await (const steps of reader.rows(...table)) {
        if (left > 0) yield steps.slice(0, left);
        left -= steps.length;
        if (left < 0) return onCut?.();
      }
    },
  };
}

const hasChildren = (tables: Tables<object> | undefined): boolean =>
  (['members', ...childRoles] as const).some((role) => tables?.[role]);
