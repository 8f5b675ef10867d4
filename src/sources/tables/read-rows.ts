import { SourceError } from '../../lib/errors.ts';
import type { Entry } from '../../model/entry.ts';
import { entriesPerList, isFullList, problemEntry, invalidEntry } from '../kit/entries.ts';
import { leaveOutRow, invalidRow } from '../kit/rows/row-boundary.ts';
import type { RowBinder } from './bind/row-binder.ts';
import type { Role } from './roles.ts';
import { cellPath, type Row, type RowStep } from './row.ts';
import type { UnmappedFields } from './unmapped.ts';

/** The rows of one table, and what becomes of them. */
interface TableToRead {
  /** File of the rows. */
  readonly path: string;
  /** Which of the mapping's tables it is: only messages are rows of the timeline. */
  readonly role: Role;
  readonly steps: Iterable<readonly RowStep[]> | AsyncIterable<readonly RowStep[]>;
  /** Whether every row has the same names: then a name that the first row does not have is a mistake. */
  readonly hasFixedNames: boolean;
  readonly binder: RowBinder;
  readonly unmapped: UnmappedFields;
  /** Called for each row, and each remainder of a table, that cannot be read. */
  readonly onLost?: (() => void) | undefined;
}

/** The steps of a file that may turn out to be unreadable: then the last one says so. */
export async function* untilUnreadable(
  steps: AsyncIterable<readonly RowStep[]>,
  path: string,
): AsyncGenerator<readonly RowStep[]> {
  try {
    yield* steps;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield [{ type: 'invalid', code: 'unreadable-file', reason: error.message, location: { path } }];
  }
}

/** The entries of one table. */
export async function* readRows(table: TableToRead, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
  const { path, role, steps, hasFixedNames, binder, unmapped, onLost } = table;
  signal.throwIfAborted();
  binder.beginFile();
  let entries: Entry[] = [];
  let isChecked = !hasFixedNames;
  for await (const list of steps) {
    for (const step of list) {
      if (step.type !== 'row') {
        if (step.type === 'invalid') onLost?.();
        entries.push(lost(role, step));
        continue;
      }
      if (!isChecked) {
        isChecked = true;
        const missing = absent(binder.required, step);
        if (missing.length > 0) {
          onLost?.();
          return yield [...entries, lost(role, withoutColumns(missing, step))];
        }
        entries.push(...withoutOptional(binder, step));
      }
      bindRow(step, entries, table);
      if (entries.length < entriesPerList) continue;
      yield entries;
      entries = [];
      signal.throwIfAborted();
    }
    signal.throwIfAborted();
    if (!isFullList(entries)) continue;
    yield entries;
    entries = [];
  }
  binder.endFile(path, entries);
  unmapped.end(path, entries, role === 'messages' ? undefined : role);
  yield entries;
}

function bindRow(row: Row, into: Entry[], { binder, unmapped, role, onLost }: TableToRead): void {
  const begin = into.length;
  try {
    if (binder.bind(row, into)) unmapped.note(row);
  } catch (error) {
    const thrown = { into, begin, location: row.location };
    onLost?.();
    if (role === 'messages') invalidRow(error, thrown);
    else leaveOutRow(error, thrown);
  }
}

/** Returns the entry that replaces an unreadable row: an invalid row for a message, a problem for anything else. */
export function lost(role: Role, step: Exclude<RowStep, Row>): Entry {
  if (step.type === 'problem') return step;
  const { code, reason, location } = step;
  return role === 'messages' ? invalidEntry(code, reason, location) : problemEntry(code, reason, location);
}

const withoutOptional = (binder: RowBinder, row: Row): readonly Entry[] =>
  absent(binder.optional, row).map((name) => problemEntry('missing-column', withoutColumn(name), row.location));

function absent(names: ReadonlySet<string>, row: Row): readonly string[] {
  const existing = new Set(row.names());
  const hasColumn = (name: string) => existing.has(name);
  return [...names].filter((name) => !hasColumn(name) && cellPath(name, hasColumn) === undefined);
}

function withoutColumns(names: readonly string[], row: Row): Exclude<RowStep, Row> {
  const found = row
    .names()
    .slice(0, 50)
    .map((name) => JSON.stringify(name));
  const reason = `Cannot read the table without the column ${names.map((name) => JSON.stringify(name)).join(', ')}, which the mapping names; its columns are ${found.join(', ')}`;
  return { type: 'invalid', code: 'missing-column', reason, location: row.location };
}

const withoutColumn = (name: string) =>
  `The mapping names the column ${JSON.stringify(name)}, which does not exist: its values are left out`;
