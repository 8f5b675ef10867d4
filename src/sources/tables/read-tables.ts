import { formatCount } from '../../lib/text/count.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import type { Entry } from '../../model/entry.ts';
import { entriesPerList, isFullList, problemEntry, rejectEntry } from '../kit/entries.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { leaveOutRow, rejectRow } from '../kit/rows/row-boundary.ts';
import type { Finding, Proposal, ReadContext } from '../source.ts';
import { type AssignedTable, type AssignedTables, assignTables, type Tables } from './assign-tables.ts';
import { type Binders, createBinders } from './bind/binders.ts';
import type { Bindings, Table } from './schema/bindings.ts';
import type { RowBinder } from './bind/row-binder.ts';
import type { Row, RowReader } from './row.ts';
import { UncarriedFields } from './uncarried.ts';

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
  yield* readShared(request, assigned, binders);
  yield [...leftOut(assigned)];
  const read = (path: string) => readMessages(request, assigned, binders, path);
  yield* readRowFiles({ paths: assigned.messages.map(({ path }) => path), context, read });
}

/** Tables of people and conversations whose files hold no messages. One file may hold both: each is closed once. */
async function* readShared<T extends Table>(
  request: TablesRequest<T>,
  { users, conversations, messages }: AssignedTables<T>,
  binders: Binders,
): AsyncGenerator<readonly Entry[]> {
  const rowPaths = new Set(messages.map(({ path }) => path));
  const shared = [...users, ...conversations].filter(({ path }) => !rowPaths.has(path));
  for (const [index, table] of shared.entries()) {
    yield* readTable(request, table, binders, users.includes(table) ? 'users' : 'conversations');
    const isLast = shared.findLastIndex(({ path }) => path === table.path) === index;
    if (isLast) yield [{ type: 'file', path: table.path, role: 'shared' }];
  }
}

/** The messages of a file, and before them the people and conversations beside them. */
async function* readMessages<T extends Table>(
  request: TablesRequest<T>,
  assigned: AssignedTables<T>,
  binders: Binders,
  path: string,
): AsyncGenerator<readonly Entry[]> {
  const isHere = (table: AssignedTable<T>) => table.path === path;
  for (const kind of ['users', 'conversations'] as const) {
    for (const table of assigned[kind].filter(isHere)) {
      yield* withoutFileFault(readTable(request, table, binders, kind));
    }
  }
  yield* readTable(request, assigned.messages.find(isHere)!, binders, 'messages');
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

/**
 * The entries of one table of one file.
 *
 * @param kind Which of them it is: only messages are rows of the timeline.
 */
async function* readTable<T extends Table>(
  request: TablesRequest<T>,
  { path, table }: AssignedTable<T>,
  binders: Binders,
  kind: keyof Binders,
): AsyncGenerator<readonly Entry[]> {
  const { reader, context } = request;
  context.signal.throwIfAborted();
  const binder: RowBinder = binders[kind]!;
  const lostEntry = kind === 'messages' ? rejectEntry : problemEntry;
  binder.beginFile();
  const uncarried = uncarriedOf(request, table, binder);
  let entries: Entry[] = [];
  let isChecked = !reader.hasFixedNames;
  try {
    for await (const steps of reader.rows(path, table)) {
      for (const step of steps) {
        if (step.type !== 'row') {
          entries.push(step.type === 'reject' ? lostEntry(step.code, step.reason, step.location) : step);
          continue;
        }
        if (!isChecked) {
          isChecked = true;
          const missing = absent(binder.required, step);
          if (missing.length > 0)
            return yield [...entries, lostEntry('missing-column', withoutColumns(missing, step), step.location)];
          entries.push(...withoutOptional(binder, step));
        }
        const begin = entries.length;
        try {
          binder.bind(step, entries);
          if (entries.length > begin && entries.at(-1)!.type === 'record') uncarried.note(step);
        } catch (error) {
          const row = { into: entries, begin, location: step.location };
          if (kind === 'messages') rejectRow(error, row);
          else leaveOutRow(error, row);
        }
        if (entries.length < entriesPerList) continue;
        yield entries;
        entries = [];
        context.signal.throwIfAborted();
      }
      if (!isFullList(entries)) continue;
      yield entries;
      entries = [];
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    entries.push(lostEntry('unreadable-file', error.message, { path }));
  }
  binder.endFile(path, entries);
  uncarried.end(path, entries, kind === 'messages' ? undefined : kind);
  yield entries;
}

function uncarriedOf<T extends Table>(
  { reader, tables, bindings }: TablesRequest<T>,
  table: T | undefined,
  { required, optional, lists }: RowBinder,
): UncarriedFields {
  const inside = reader.readByOthers?.(table, othersOf(tables, table)) ?? [];
  return new UncarriedFields({ reads: [...required, ...optional, ...inside], lists, nulls: bindings.nulls });
}

/** The other tables of the same file. */
const othersOf = <T extends Table>(tables: Tables<T> | undefined, table: T | undefined): readonly T[] =>
  Object.values(tables ?? {}).filter(
    (other): other is T => other !== undefined && other !== table && other.file === table?.file,
  );

const withoutOptional = (binder: RowBinder, row: Row): readonly Entry[] =>
  absent(binder.optional, row).map((name) => problemEntry('missing-column', withoutColumn(name), row.location));

function absent(names: ReadonlySet<string>, row: Row): readonly string[] {
  const there = new Set(row.names());
  return [...names].filter((name) => !there.has(name));
}

function withoutColumns(names: readonly string[], row: Row): string {
  const found = row
    .names()
    .slice(0, 50)
    .map((name) => JSON.stringify(name));
  return `Cannot read the file without the column ${names.map((name) => JSON.stringify(name)).join(', ')}, which the mapping names; its columns are ${found.join(', ')}`;
}

const withoutColumn = (name: string) =>
  `There is no column ${JSON.stringify(name)}, which the mapping names: what it would hold is left out`;

/** Findings that an error shows; `chatferry init` shows them all. */
const shownMax = 12;

/** What to say of an export whose mapping does not say which column is what: what the columns look like, and what to do. */
function unboundMessages(source: string, { findings }: Proposal): SourceError {
  const shown = findings.slice(0, shownMax).map(lineOf);
  const more = findings.length - shown.length;
  const lines = [...shown, ...(more > 0 ? [`and ${formatCount(more)} more`] : [])].map((line) => `\n  ${line}`);
  return new SourceError(
    `Cannot read this export without a mapping that says which column is what; it looks like this:${lines.join('')}`,
    { hint: `Run "chatferry init" with the export, or write "source:" in a mapping: docs/${source}.md` },
  );
}

function lineOf({ key, value, because, alternatives }: Finding): string {
  const chosen = value === undefined ? 'not found' : typeof value === 'string' ? value : JSON.stringify(value);
  const others = alternatives.map((other) => JSON.stringify(other.value)).join(', ');
  return truncate(oneLine(`${key}: ${chosen} (${because}${others === '' ? '' : `; could also be ${others}`})`), 160);
}
