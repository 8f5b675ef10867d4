import type { ExportInput } from '../../io/input/export-input.ts';
import { formatPointer, parsePointer } from '../../io/json/json-pointer.ts';
import { SourceError } from '../../lib/errors.ts';
import type { Entry } from '../../model/entry.ts';
import { problemEntry, invalidEntry } from '../kit/entries.ts';
import type { Proposal, TableContext } from '../table-source.ts';
import { isOfPath, notNamed } from '../tables/assign-tables.ts';
import { namesIn } from '../tables/propose/bound-columns.ts';
import { readTables } from '../tables/read-tables.ts';
import { isQuery, listQueries, type Tables } from '../tables/roles.ts';
import { DatabaseUnreachable } from './address/unreachable.ts';
import type { Database } from './database.ts';
import { localCopy } from './local-copy.ts';
import { namedColumns } from './named-columns.ts';
import type { FoundDatabase, OpenGiven } from './open-database.ts';
import { type DatabaseOptions, sharedOptions, type TableAsFile } from './options.ts';
import { withRowsWanted } from './rows-at.ts';
import { databaseRowReader, type IsRead, type ReadableTables } from './rows.ts';
import { assertTables, wantedColumns } from './wanted-columns.ts';

interface Reading {
  readonly input: ExportInput;
  readonly found: FoundDatabase;
  readonly options: DatabaseOptions;
  readonly context: TableContext;
  /** Called for the error message if the mapping names no tables. */
  propose(): Promise<Proposal>;
}

/** Everything that a mapping names in a database. The database is one file of rows; its tables are places in it. */
export async function* readDatabase(reading: Reading): AsyncGenerator<readonly Entry[]> {
  const { input, found, options, context } = reading;
  const { path } = found;
  yield (await input.paths()).filter((other) => other !== path).map((other) => otherFile(other, path));
  if (!context.wants(path)) return;
  const { bindings, tables } = sharedOptions(options);
  const isRead = namedColumns(options);
  const database = await openToRead(reading, tables, isRead);
  if ('reason' in database) {
    yield [invalidEntry('unreadable-file', database.reason, { path }), { type: 'file', path, role: 'rows' }];
    return;
  }
  try {
    yield database.problems.map(({ code, reason }) => problemEntry(code, reason, { path }));
    const faults: unknown[] = [];
    const wanted = withWanted(database, tables, reading);
    const rows = found.isServer ? notingFaults(wanted, faults) : wanted;
    const lists = readTables({
      source: 'database',
      input: { ...input, paths: async () => database.tables.map(({ name }) => name) },
      bindings,
      tables,
      reader: databaseRowReader(rows, path, isRead, context.signal),
      isTable: (name) => tables !== undefined || !database.tables.some((table) => table.name === name && table.isView),
      context: { ...context, wants: () => true },
      propose: () => reading.propose(),
    });
    const unread: UnreadTables = { notNamed: [], ignored: [] };
    for await (const entries of untilFault(lists, faults)) {
      for (const entry of entries) assertColumns(entry, tables);
      yield entries.flatMap((entry) => inDatabase(entry, path, unread));
    }
    const textBytes = textsOfBytes(database, options, path);
    yield [...unwantedColumns(database, tables, isRead, path), ...textBytes, ...unreadTables(unread, path)];
  } finally {
    await database.close();
  }
  yield [{ type: 'file', path, role: 'rows' }];
}

/** A query joins tables: it is asked of whole ones. */
function withWanted(
  database: Database,
  tables: Tables<TableAsFile> | undefined,
  { found: { isServer }, context: { look: { rowsWanted: locations } = {} } }: Reading,
): ReadableTables {
  const messages = tables?.messages;
  if (locations === undefined || messages === undefined || listQueries(tables).length > 0) return database;
  return withRowsWanted(database, (name) => !isQuery(messages) && isOfPath(messages, name), {
    locations,
    isServer,
  });
}

/**
 * Opens the database. Copies a server and then closes the connection; reads files in place. Returns a reason if a file
 * cannot be opened.
 *
 * @throws SourceError if a server or a file that is in use cannot be read, or the mapping names a table that does not
 *   exist.
 */
async function openToRead(
  { found, options, context: { signal, look } }: Reading,
  tables: Tables<TableAsFile> | undefined,
  isRead: IsRead,
): Promise<Database | { readonly reason: string }> {
  const database = await openOrReason(found, { signal, passwordFile: options.passwordFile });
  if ('reason' in database) return database;
  try {
    assertTables(database, tables);
  } catch (error) {
    await database.close();
    throw error;
  }
  if (!found.isServer || !options.copy || look) return database;
  return localCopy(database, wantedColumns(database, tables, isRead), signal);
}

/**
 * Collects what a server cannot give. Reading makes an invalid row of the rest of a table, as of a damaged file; the rest of a server's table is
 * still there, and the next run of a job would take it for deleted.
 */
const notingFaults = (database: ReadableTables, faults: unknown[]): ReadableTables => ({
  tables: database.tables,
  async *rows(table, columns, signal) {
    try {
      yield* database.rows(table, columns, signal);
    } catch (error) {
      faults.push(error);
      throw error;
    }
  },
});

/** @throws The first of the faults, as soon as there is one. */
async function* untilFault<T>(lists: AsyncIterable<T>, faults: readonly unknown[]): AsyncGenerator<T> {
  for await (const list of lists) {
    if (faults.length > 0) throw faults[0];
    yield list;
  }
  if (faults.length > 0) throw faults[0];
}

async function openOrReason(found: FoundDatabase, given: OpenGiven): Promise<Database | { readonly reason: string }> {
  try {
    return await found.open(given);
  } catch (error) {
    // A file that an application is writing to is no damaged one: the next run reads it.
    if (found.isServer || !(error instanceof SourceError) || error instanceof DatabaseUnreachable) throw error;
    return { reason: error.hint === undefined ? error.message : `${error.message}. ${error.hint}` };
  }
}

/** @throws SourceError if messages have no such column any more: they would count as deleted, or as edited. */
function assertColumns(entry: Entry, tables: Tables<TableAsFile> | undefined): void {
  if ((entry.type !== 'invalid' && entry.type !== 'problem') || entry.code !== 'missing-column') return;
  const messages = tables?.messages;
  // An invalid row stands for rows of messages. Missing columns of other tables are only reported, and the rest of them
  // is read.
  const [table = ''] = parsePointer(entry.location.pointer ?? '') ?? [];
  const isOfMessages = messages && !isQuery(messages) && isOfPath(messages, table);
  if (entry.type === 'problem' && !isOfMessages) return;
  throw new SourceError(entry.reason, {
    location: entry.location,
    hint: 'Correct the column in the mapping; "chatferry init" proposes a mapping for the tables as they are now',
  });
}

/** Converts the location in a table to a location in the database. Tables are not files; unread tables are reported together. */
function inDatabase(entry: Entry, path: string, unread: UnreadTables): readonly Entry[] {
  if (entry.type === 'file') {
    if (entry.role === 'skipped') unread[entry.reason === notNamed ? 'notNamed' : 'ignored'].push(entry.path);
    return [];
  }
  const { location } = entry;
  if (location.path === path) return [entry];
  const { path: table, line } = location;
  return [{ ...entry, location: { path, pointer: formatPointer(line === undefined ? [table] : [table, line]) } }];
}

/** Tables of which nothing is read, by name. */
interface UnreadTables {
  readonly notNamed: string[];
  readonly ignored: string[];
}

const shownMax = 50;

function unreadTables({ notNamed: others, ignored }: UnreadTables, path: string): readonly Entry[] {
  const told = (words: string, tables: readonly string[]): readonly Entry[] => {
    if (tables.length === 0) return [];
    const more = tables.length > shownMax ? ` and ${tables.length - shownMax} more` : '';
    const reason = `${words} ${tables.slice(0, shownMax).join(', ')}${more}`;
    return [{ type: 'problem', code: 'table-not-read', reason, location: { path }, count: tables.length }];
  };
  return [...told('The mapping does not name', others), ...told('The mapping ignores', ignored)];
}

/** Columns of the tables that are read, of which nothing is. */
function unwantedColumns(
  database: Database,
  tables: Tables<TableAsFile> | undefined,
  isRead: IsRead,
  path: string,
): readonly Entry[] {
  const wanted = wantedColumns(database, tables, isRead);
  return database.tables.flatMap(({ name, columns }): readonly Entry[] => {
    const read = wanted.get(name);
    const unread = columns.filter((column) => read?.includes(column.name) === false).map((column) => column.name);
    if (unread.length === 0) return [];
    const reason = `In ${JSON.stringify(name)}, the mapping does not name ${unread.join(', ')}`;
    const location = { path, pointer: formatPointer([name]) };
    return [{ type: 'problem', code: 'column-not-named', reason, location, count: unread.length }];
  });
}

/** Columns of texts and names that hold bytes: their hexadecimal digits are what is read. */
function textsOfBytes(database: Database, options: DatabaseOptions, path: string): readonly Entry[] {
  const { tables } = sharedOptions(options);
  return (['messages', 'users', 'conversations'] as const).flatMap((role) => {
    const table = tables?.[role];
    if (table === undefined || isQuery(table)) return [];
    const key = role === 'messages' ? 'text' : 'name';
    const binding: Readonly<Record<string, unknown>> = options[role] ?? {};
    const names = namesIn(role, key, binding[key]);
    const read = database.tables.filter(({ name }) => isOfPath(table, name));
    return read.flatMap(({ name, columns }) =>
      columns
        .filter((column) => names.includes(column.name))
        .filter((column) => database.holdsBytes?.(name, column.name) ?? /blob|binary|bytea/.test(column.type))
        .map((column) => {
          const reason = `${role}.${key} is read from ${JSON.stringify(column.name)} of ${JSON.stringify(name)}, which holds bytes`;
          return problemEntry('text-of-bytes', reason, { path, pointer: formatPointer([name]) });
        }),
    );
  });
}

/** The log of a SQLite file belongs to it; anything else may be a file that messages name. */
function otherFile(path: string, database: string): Entry {
  const isItsOwn = path === `${database}-wal` || path === `${database}-shm`;
  if (isItsOwn) return { type: 'file', path, role: 'shared' };
  return { type: 'file', path, role: 'skipped', reason: 'not part of the database' };
}
