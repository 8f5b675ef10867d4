import { formatCount } from '../../lib/text/count.ts';
import type { Entry } from '../../model/entry.ts';
import { fillLists, inLists, recordEntry } from '../kit/entries.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import type { TableContext } from '../table-source.ts';
import { type AssignedTable, type AssignedTables, isOfPath } from './assign-tables.ts';
import type { Binders } from './bind/binders.ts';
import { conversationFrom, withMembers } from './bind/conversation.ts';
import type { RowBinder } from './bind/row-binder.ts';
import type { ChildRows } from './copy/child-rows.ts';
import type { QueriedTables } from './queried-tables.ts';
import { readRows, untilUnreadable } from './read-rows.ts';
import {
  childRoles,
  isQuery,
  type Role,
  type SharedRole,
  sharedRoles,
  tablesOfFiles,
  type Tables,
  queryPath,
} from './roles.ts';
import type { RowReader } from './row.ts';
import type { Bindings, Table } from './schema/bindings.ts';
import { UnmappedFields } from './unmapped.ts';

/** The export to read, and how to read it. */
interface ReadingRequest<T extends Table> {
  readonly bindings: Pick<Bindings, 'nulls'>;
  readonly tables: Tables<T> | undefined;
  readonly reader: RowReader<T>;
  readonly context: TableContext;
}

/** One reading of an export. */
export class TablesReading<T extends Table> {
  readonly #request: ReadingRequest<T>;
  readonly #assigned: AssignedTables<T>;
  readonly #binders: Binders;
  readonly #queried: QueriedTables<T>;
  readonly #children: ChildRows | undefined;
  /** Files of messages. */
  readonly #rowPaths: readonly string[];
  /** Whether all messages are read: only then is it known which rows belong to none. */
  #isWhole: boolean;

  constructor(
    request: ReadingRequest<T>,
    assigned: AssignedTables<T>,
    binders: Binders,
    queried: QueriedTables<T>,
    children: ChildRows | undefined,
  ) {
    this.#request = request;
    this.#assigned = assigned;
    this.#binders = binders;
    this.#queried = queried;
    this.#children = children;
    this.#rowPaths = isQuery(request.tables?.messages)
      ? [queryPath('messages')]
      : assigned.messages.map(({ path }) => path);
    this.#isWhole = this.#rowPaths.every((path) => request.context.wants(path));
  }

  async *entries(): AsyncGenerator<readonly Entry[]> {
    const { context } = this.#request;
    yield* this.#copyQueried();
    for (const role of sharedRoles) {
      yield* this.#readShared(role);
    }
    yield* inLists(this.#conversationsOfMembers());
    yield this.#ends(['members']);
    yield [...leftOut(this.#assigned)];
    const query = this.#queried.of('messages');
    if (!query) yield* readRowFiles({ paths: this.#rowPaths, context, read: (path) => this.#readMessages(path) });
    else if (context.wants(query.path)) {
      yield* fillLists(this.#readQuery('messages'), context.signal);
      yield [{ type: 'file', path: query.path, role: 'rows' }];
    }
    yield this.#unused(undefined, (path) => !this.#rowPaths.includes(path));
    yield this.#ends(childRoles);
  }

  /** Tables that queries name, and the files in which nothing else is read. */
  async *#copyQueried(): AsyncGenerator<readonly Entry[]> {
    const { messages } = this.#assigned;
    const elsewhere = new Set(
      [...messages, ...sharedRoles.flatMap((role) => this.#assigned[role])].map(({ path }) => path),
    );
    yield* this.#queried.load((path) => elsewhere.has(path));
    const alone = this.#queried.paths.filter((path) => !elsewhere.has(path));
    yield alone.map((path) => ({ type: 'file', path, role: 'shared' }));
  }

  /** The tables of one kind. People and conversations in files of messages are read with these. */
  async *#readShared(role: SharedRole): AsyncGenerator<readonly Entry[]> {
    if (role === 'users' && this.#request.context.look?.isWithoutPeople) return;
    for (const [index, table] of this.#assigned[role].entries()) {
      const isSibling = this.#rowPaths.includes(table.path);
      if (isSibling && (role === 'users' || role === 'conversations')) continue;
      const lists = this.#readTable(role, table);
      // Problems of an unwanted file of messages are not reported.
      const isSaid = !this.#isUnwanted(table.path);
      for await (const entries of isSibling ? withoutFileFault(lists) : lists) if (isSaid) yield entries;
      if (!isSibling && this.#isLastUse(role, index)) yield [{ type: 'file', path: table.path, role: 'shared' }];
    }
    const query = this.#queried.of(role);
    if (!query) return;
    yield* this.#readQuery(role);
    if (!isHeld(role)) yield [{ type: 'file', path: query.path, role: 'shared' }];
  }

  /** Whether nothing behind this table reads its file. Files of members and child tables end when all is said of them. */
  #isLastUse(role: SharedRole, index: number): boolean {
    const { path } = this.#assigned[role][index]!;
    const later = [
      ...this.#assigned[role].slice(index + 1),
      ...sharedRoles.slice(sharedRoles.indexOf(role) + 1).flatMap((other) => this.#assigned[other]),
    ];
    return !isHeld(role) && !later.some((table) => table.path === path);
  }

  /** Conversations that only their members name. */
  *#conversationsOfMembers(): Generator<Entry> {
    const children = this.#children;
    if (!children) return;
    for (const { id, path } of children.conversations()) {
      if (this.#binders.isDescribed(id) || this.#binders.mayBeLeftOut(id) || this.#isUnwanted(path)) continue;
      yield recordEntry(withMembers(conversationFrom({ id }, undefined), { children }), { path });
    }
  }

  #isUnwanted(path: string): boolean {
    return this.#rowPaths.includes(path) && !this.#request.context.wants(path);
  }

  /** Reads the messages of a file, preceded by the people and conversations in the same file. */
  async *#readMessages(path: string): AsyncGenerator<readonly Entry[]> {
    const isHere = (table: AssignedTable<T>) => table.path === path;
    for (const role of ['users', 'conversations'] as const) {
      for (const table of this.#assigned[role].filter(isHere)) yield* withoutFileFault(this.#readTable(role, table));
    }
    for await (const entries of this.#readTable('messages', this.#assigned.messages.find(isHere)!)) {
      this.#isWhole &&= !entries.some(isLostFile);
      yield entries;
    }
    // Files of messages are closed when their messages are read.
    if (path === this.#rowPaths.at(-1)) yield this.#unused(path, (unused) => this.#rowPaths.includes(unused));
  }

  /** The ends of the files and queries of these tables, but for files in which a table behind them is read. */
  #ends(roles: readonly SharedRole[]): readonly Entry[] {
    const behind = childRoles.filter((role) => !roles.includes(role)).flatMap((role) => this.#assigned[role]);
    const open = new Set([...this.#rowPaths, ...behind.map(({ path }) => path)]);
    const files = roles.flatMap((role) => this.#assigned[role].map(({ path }) => path));
    const queries = roles.flatMap((role) => this.#queried.of(role)?.path ?? []);
    const paths = new Set([...files.filter((path) => !open.has(path)), ...queries]);
    return [...paths].map((path) => ({ type: 'file', path, role: 'shared' }));
  }

  /**
   * @param place Location of the problem, if it is not the rows' own file.
   */
  #unused(place: string | undefined, isSaidHere: (path: string) => boolean): readonly Entry[] {
    if (!this.#isWhole || !this.#children) return [];
    return this.#children
      .unused()
      .filter(({ path }) => isSaidHere(path))
      .map(({ role, path, count }) => {
        const rows =
          count === 1
            ? `A row of ${role} in "${path}" belongs`
            : `${formatCount(count)} rows of ${role} in "${path}" belong`;
        const reason = `${rows} to no message that was read`;
        return { type: 'problem', code: 'child-row-unused', reason, location: { path: place ?? path }, count };
      });
  }

  #readTable(role: Role, { path, table }: AssignedTable<T>): AsyncGenerator<readonly Entry[]> {
    const { reader, context } = this.#request;
    const { hasFixedNames } = reader;
    const others = this.#othersOf(path, table);
    const inside = reader.readByOthers?.(table, others) ?? [];
    const binder = this.#binders[role]!;
    const steps = untilUnreadable(reader.rows(path, table, role === 'messages' ? others : undefined), path);
    return readRows(
      {
        path,
        role,
        steps,
        hasFixedNames,
        binder,
        unmapped: this.#unmapped(binder, inside),
        onLost: this.#onLost(role),
      },
      context.signal,
    );
  }

  #readQuery(role: Role): AsyncGenerator<readonly Entry[]> {
    const { path, rows } = this.#queried.of(role)!;
    const binder = this.#binders[role]!;
    const unmapped = this.#unmapped(binder, []);
    return readRows(
      { path, role, steps: rows(), hasFixedNames: true, binder, unmapped, onLost: this.#onLost(role) },
      this.#request.context.signal,
    );
  }

  #onLost(role: Role): (() => void) | undefined {
    return role === 'conversations' ? this.#binders.loseConversation : undefined;
  }

  #unmapped({ required, optional, lists }: RowBinder, inside: readonly string[]): UnmappedFields {
    const { nulls } = this.#request.bindings;
    return new UnmappedFields({ reads: [...required, ...optional, ...inside], lists, nulls });
  }

  /** The other tables of the same file that the mapping or its queries read. */
  #othersOf(path: string, table: T | undefined): readonly T[] {
    const named = tablesOfFiles(this.#request.tables).filter((other) => isOfPath(other, path));
    return [...named, ...this.#queried.tablesOf(path)].filter((other) => other !== table);
  }
}

const isHeld = (role: Role): boolean => role === 'members' || (childRoles as readonly Role[]).includes(role);

/** Whether the messages of a file, or the rest of them, could not be read. */
const isLostFile = (entry: Entry): boolean =>
  entry.type === 'invalid' && (entry.code === 'unreadable-file' || entry.code === 'missing-column');

/** That a file cannot be read is said once, where its messages are read. */
async function* withoutFileFault(lists: AsyncIterable<readonly Entry[]>): AsyncGenerator<readonly Entry[]> {
  for await (const entries of lists) {
    yield entries.filter((entry) => entry.type !== 'problem' || entry.code !== 'unreadable-file');
  }
}
