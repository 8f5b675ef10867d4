import { SourceError } from '../../lib/errors.ts';
import type { Entry } from '../../model/entry.ts';
import { ExportCopy, type TableWriter } from './copy/export-copy.ts';
import { type PreparedQuery, prepareQuery } from './copy/query.ts';
import { namesInQuery, type QueryNames } from './copy/query-names.ts';
import { lost, untilUnreadable } from './read-rows.ts';
import { type NamedTable, type RowReader, tableNameOf } from './row.ts';
import { listQueries, type Role, type Tables } from './roles.ts';
import { UnmappedFields } from './unmapped.ts';

interface QueryRequest<T> {
  readonly tables: Tables<T> | undefined;
  readonly reader: RowReader<T>;
  readonly nulls: readonly string[];
  readonly signal: AbortSignal;
}

/** A table of the export, with the name that it has in queries. */
interface ExportTable<T> extends NamedTable<T> {
  readonly path: string;
}

interface Query {
  readonly role: Role;
  readonly text: string;
  readonly names: QueryNames;
}

/** The tables that the queries of a mapping name: found, copied, and asked. Close it. */
export class QueriedTables<T extends object> {
  readonly #request: QueryRequest<T>;
  readonly #queries: readonly Query[];
  readonly #copy = new ExportCopy();
  #known: readonly string[] = [];
  #named: readonly ExportTable<T>[] = [];
  #prepared: ReadonlyMap<Role, PreparedQuery> = new Map();

  private constructor(request: QueryRequest<T>) {
    this.#request = request;
    this.#queries = listQueries(request.tables).map(([role, text]) => ({ role, text, names: namesInQuery(text) }));
  }

  /**
   * Looks for the tables; nothing is copied yet.
   *
   * @param paths Files that may hold tables.
   * @param declared Tables of a file that the mapping names.
   */
  static async find<T extends object>(
    request: QueryRequest<T>,
    paths: readonly string[],
    declared: (path: string) => readonly T[],
  ): Promise<QueriedTables<T>> {
    const found = new QueriedTables(request);
    if (found.#queries.length === 0) return found;
    const tables: ExportTable<T>[] = [];
    for (const path of paths) {
      request.signal.throwIfAborted();
      for (const table of await tablesIn(request.reader, path, declared(path))) tables.push({ ...table, path });
    }
    const named = withOwnNames(tables);
    found.#known = named.map(({ name }) => name);
    found.#named = named.filter(({ name }) => found.#queries.some(({ names }) => names.has(name)));
    return found;
  }

  /** Files of which a query reads a table. */
  get paths(): readonly string[] {
    return [...new Set(this.#named.map(({ path }) => path))];
  }

  /** Returns the tables of a file that queries read, if the file has several. */
  tablesOf(path: string): readonly T[] {
    return this.#named.flatMap(({ path: own, table }) => (own === path && table ? [table] : []));
  }

  /**
   * Copies the tables. A row that cannot be read may be a message if messages come from its table.
   *
   * @param isReadElsewhere Whether damage in a file is reported when the file is read as a table of its own.
   * @throws SourceError if a query cannot be run.
   */
  async *load(isReadElsewhere: (path: string) => boolean): AsyncGenerator<readonly Entry[]> {
    const writers: (readonly [ExportTable<T>, TableWriter])[] = [];
    for (const table of this.#named) writers.push([table, await this.#create(table)]);
    // Fails before hours are spent on copying, if the columns are known.
    if (this.#request.reader.hasFixedNames) this.#prepare();
    for (const [table, writer] of writers) {
      for await (const entries of this.#copyTable(table, writer)) yield isReadElsewhere(table.path) ? [] : entries;
    }
    this.#prepare();
  }

  /** Returns the query of this role. Returns nothing if there is none. */
  of(role: Role): PreparedQuery | undefined {
    return this.#prepared.get(role);
  }

  close(): void {
    this.#copy.close();
  }

  async #create({ name, path }: ExportTable<T>): Promise<TableWriter> {
    const { reader, nulls } = this.#request;
    const isNamed = (column: string) => this.#queries.some(({ names }) => names.has(column));
    const table = { name, nulls: new Set<unknown>([...nulls, '', null, undefined]), isNamed };
    return this.#copy.create(table, (await orNothing(reader.readColumns?.(path))) ?? []);
  }

  async *#copyTable({ name, path, table }: ExportTable<T>, writer: TableWriter): AsyncGenerator<readonly Entry[]> {
    const { reader, signal } = this.#request;
    const role = this.#asking(name).some((query) => query.role === 'messages') ? 'messages' : 'users';
    const unmapped = this.#unmapped(name, writer);
    for await (const steps of untilUnreadable(reader.rows(path, table), path)) {
      const entries: Entry[] = [];
      for (const step of steps) {
        if (step.type !== 'row') entries.push(lost(role, step));
        else {
          writer.add(step);
          unmapped?.note(step);
        }
      }
      yield entries;
      signal.throwIfAborted();
    }
    const entries: Entry[] = [...writer.remarks(path)];
    unmapped?.end(path, entries, name);
    yield entries;
  }

  #prepare(): void {
    this.#prepared = new Map(
      this.#queries.map(({ role, text }) => [role, prepareQuery(role, text, this.#copy, this.#known)]),
    );
  }

  #asking(table: string): readonly Query[] {
    return this.#queries.filter(({ names }) => names.has(table));
  }

  /** Columns of a table that no query names; nothing to count where one reads them all. */
  #unmapped(table: string, writer: TableWriter): UnmappedFields | undefined {
    const asking = this.#asking(table);
    if (asking.some(({ names }) => names.readsAll)) return undefined;
    const reads = [...writer.columns].flatMap(([column, called]) =>
      asking.some(({ names }) => names.has(called)) ? [column] : [],
    );
    const words = asking.flatMap(({ names }) => names.all);
    return new UnmappedFields({ reads: [...reads, ...words], lists: new Map(), nulls: this.#request.nulls });
  }
}

/** A file that cannot be read is one table, called by its name: copying it says what is wrong. */
const tablesIn = async <T>(
  reader: RowReader<T>,
  path: string,
  declared: readonly T[],
): Promise<readonly NamedTable<T>[]> =>
  (await orNothing(reader.tablesIn(path, declared))) ?? [{ name: tableNameOf(path), table: undefined }];

async function orNothing<V>(found: Promise<V> | undefined): Promise<V | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof SourceError) return undefined;
    throw error;
  }
}

/** Tables of one name are called by their paths: `"2024/messages"`. */
function withOwnNames<T>(tables: readonly ExportTable<T>[]): readonly ExportTable<T>[] {
  const counts = new Map<string, number>();
  const key = (name: string) => name.toLowerCase();
  for (const { name } of tables) counts.set(key(name), (counts.get(key(name)) ?? 0) + 1);
  const taken = new Set([...counts].filter(([, count]) => count === 1).map(([name]) => name));
  return tables.map((table) => {
    const { name, path } = table;
    if (counts.get(key(name)) === 1) return table;
    const file = path.replace(/(?!^)\.[^./]*$/, '');
    const isFile = name === tableNameOf(path);
    const candidates = isFile ? [file, path] : [`${file}/${name}`, `${path}/${name}`];
    const free =
      candidates.find((candidate) => !taken.has(key(candidate))) ??
      numbered(candidates[1]!, (one) => taken.has(key(one)));
    taken.add(key(free));
    return { ...table, name: free };
  });
}

function numbered(name: string, isTaken: (name: string) => boolean): string {
  let number = 2;
  while (isTaken(`${name}#${number}`)) number += 1;
  return `${name}#${number}`;
}
