import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import type { Entry, ReadEnd } from '../../model/entry.ts';
import { entriesPerList } from '../kit/entries.ts';
import type { Proposal, ReadContext } from '../source.ts';
import { type AssignedTable, assignTables, type Tables } from './assign-tables.ts';
import { createBinders } from './bind-row.ts';
import type { Bindings, Table } from './binding.ts';
import { goOnFrom, isAlone, tableEnd } from './go-on.ts';
import type { Row, RowReader } from './row.ts';
import type { RowBinder } from './row-binder.ts';
import { unboundMessages } from './unbound.ts';

/** What reading an export of tables needs. */
export interface TablesRequest<T extends Table> {
  /** Name of the source: part of every origin. */
  readonly source: string;
  readonly input: ExportInput;
  readonly bindings: Bindings;
  readonly tables: Tables<T> | undefined;
  readonly reader: RowReader<T>;
  /** Whether a path may hold a table at all, going by its name; others are `unknown` files unless the mapping names them. */
  readonly isTable: (path: string) => boolean;
  readonly context: ReadContext;
  /** What the mapping could say: asked for where it says nothing, for the message. */
  propose(): Promise<Proposal>;
}

/**
 * Everything that `read` of a source for tables does: people and conversations first, then the rows of each wanted file,
 * bound by the mapping. The format only gives rows.
 *
 * @throws SourceError where the mapping does not say what the columns of messages are, or names a table that is not there.
 */
export async function* readTables<T extends Table>(request: TablesRequest<T>): AsyncGenerator<readonly Entry[]> {
  const { context, bindings, tables } = request;
  context.signal.throwIfAborted();
  for (const kind of ['users', 'conversations'] as const) {
    if (tables?.[kind] && !bindings[kind]) throw unbound(kind);
  }
  const { messages } = bindings;
  if (!messages) throw unboundMessages(request.source, await request.propose());
  const assigned = assignTables(await request.input.paths(), tables, request.isTable);
  const binders = createBinders(
    { ...bindings, messages },
    { source: request.source, workspace: context.workspace ?? '' },
  );
  const rowPaths = new Set(assigned.messages.map(({ path }) => path));
  const isShared = ({ path }: { readonly path: string }) => !rowPaths.has(path);

  // People and conversations may stand in one file, and beside messages: each file is closed once.
  const closed = new Set<string>();
  const shared = [...assigned.users, ...assigned.conversations].filter(isShared);
  for (const [index, table] of shared.entries()) {
    yield* readTable(
      request,
      table,
      assigned.users.includes(table) ? binders.users! : binders.conversations!,
      'problem',
    );
    if (shared.slice(index + 1).some(({ path }) => path === table.path) || closed.has(table.path)) continue;
    closed.add(table.path);
    yield [{ type: 'file', path: table.path, role: 'shared' }];
  }
  yield leftOut(assigned.skipped, assigned.unknown);

  for (const table of assigned.messages) {
    const { path } = table;
    if (!context.wants(path)) continue;
    const beside = (others: readonly AssignedTable<T>[]) => others.filter((other) => other.path === path);
    for (const people of beside(assigned.users))
      yield* withoutFileFault(readTable(request, people, binders.users!, 'problem'));
    for (const rooms of beside(assigned.conversations))
      yield* withoutFileFault(readTable(request, rooms, binders.conversations!, 'problem'));
    yield* readTable(request, table, binders.messages, 'reject', isAlone(assigned, table));
    yield [{ type: 'file', path, role: 'rows' }];
  }
}

/** That a file cannot be read is said once, where its messages are read. */
async function* withoutFileFault(lists: AsyncIterable<readonly Entry[]>): AsyncGenerator<readonly Entry[]> {
  for await (const entries of lists) {
    yield entries.filter((entry) => entry.type !== 'problem' || entry.code !== 'unreadable-file');
  }
}

const unbound = (kind: 'users' | 'conversations') =>
  new SourceError(`Cannot read the table of ${kind}: the mapping says where it is, but not what its columns are`, {
    hint: `Write source.${kind} in the mapping, or leave out source.tables.${kind}`,
  });

const leftOut = (skipped: readonly string[], unknown: readonly string[]): Entry[] => [
  ...skipped.map((path): Entry => ({ type: 'file', path, role: 'skipped', reason: 'no table that the mapping names' })),
  ...unknown.map((path): Entry => ({ type: 'file', path, role: 'unknown' })),
];

/**
 * The entries of one table of one file.
 *
 * @param lost What a row is that cannot be read: only messages are rows of the timeline.
 * @param canGoOn Whether the file may be read from where it ended, as far as that is asked for.
 */
async function* readTable<T extends Table>(
  { reader, context }: TablesRequest<T>,
  { path, table }: AssignedTable<T>,
  binder: RowBinder,
  lost: 'reject' | 'problem',
  canGoOn = false,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const files = canGoOn ? context.growing : undefined;
  const from = goOnFrom(files?.endOf(path));
  binder.beginFile(from?.rows);
  let entries: Entry[] = [];
  let isChecked = !reader.hasFixedNames || from?.isChecked === true;
  const ends: ReadEnd[] = [];
  const growing = files && { from: from?.end, onEnd: (end: ReadEnd) => void ends.push(end) };
  try {
    for await (const steps of reader.rows(path, table, growing)) {
      for (const found of ends.splice(0)) {
        yield entries;
        entries = [];
        const end = tableEnd(found, { isChecked, rows: binder.state?.() });
        if (end) files?.noteEnd(path, end);
      }
      for (const step of steps) {
        if (step.type !== 'row') {
          entries.push(step.type === 'reject' ? lostRow(step, lost) : step);
          continue;
        }
        if (!isChecked) {
          isChecked = true;
          const missing = absent(binder.required, step);
          if (missing.length > 0) return yield [...entries, withoutColumns(missing, step, lost)];
          entries.push(...absent(binder.optional, step).map((name) => withoutColumn(name, step)));
        }
        binder.bind(step, entries);
        if (entries.length < entriesPerList) continue;
        yield entries;
        entries = [];
        context.signal.throwIfAborted();
      }
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    entries.push(lostRow({ code: 'unreadable-file', reason: error.message, location: { path } }, lost));
  }
  binder.endFile(path, entries);
  yield entries;
}

type Loss = Omit<Extract<Entry, { type: 'reject' | 'problem' }>, 'type' | 'conversation'>;

const lostRow = ({ code, reason, location }: Loss, type: 'reject' | 'problem'): Entry => ({
  type,
  code,
  reason,
  location,
});

function absent(names: ReadonlySet<string>, row: Row): readonly string[] {
  const there = new Set(row.names());
  return [...names].filter((name) => !there.has(name));
}

function withoutColumns(names: readonly string[], row: Row, type: 'reject' | 'problem'): Entry {
  const found = row
    .names()
    .slice(0, 50)
    .map((name) => JSON.stringify(name));
  const reason = `Cannot read the file without the column ${names.map((name) => JSON.stringify(name)).join(', ')}, which the mapping names; its columns are ${found.join(', ')}`;
  return lostRow({ code: 'missing-column', reason, location: row.location }, type);
}

const withoutColumn = (name: string, row: Row): Entry => ({
  type: 'problem',
  code: 'missing-column',
  reason: `There is no column ${JSON.stringify(name)}, which the mapping names: what it would hold is left out`,
  location: row.location,
});
