import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { SourceError } from '../../lib/errors.ts';
import { isOnDisk } from '../kit/files/on-disk.ts';
import { consecutiveIdsOf } from '../kit/rows/consecutive-ids.ts';
import {
  defineSource,
  type Preset,
  type Probe,
  type ReadContext,
  type ShownRow,
  type TableOutline,
} from '../source.ts';
import { tablesCodes } from '../tables/codes.ts';
import { databaseCodes } from './codes.ts';
import { dumpCodes } from './dump/codes.ts';
import type { Database } from './database.ts';
import { findDatabase, type FoundDatabase, passwordFileOf } from './open-database.ts';
import { type DatabaseOptions, databaseOptionsSchema, tableNamesOf } from './options.ts';
import { findPreset } from './presets.ts';
import { proposeDatabase } from './propose.ts';
import { readDatabase } from './read.ts';
import { databaseRowsAt, queryRowsAt } from './rows-at.ts';

/** Messages of any chat in the application's own database. Which table and which column is what is said by the mapping. */
export const database = defineSource({
  name: 'database',
  title: 'Your own database (needs a mapping)',
  what: 'the database of your application: a SQLite file, a dump, PostgreSQL, MySQL; tables joined, read-only, one state of it',
  notes: 'files; [tables](tables.md): meaning of a column',
  sortKeys: 'always',
  options: databaseOptionsSchema,
  codes: [...tablesCodes, ...databaseCodes, ...dumpCodes],
  consecutiveIds: consecutiveIdsOf,
  probe,
  preset,
  propose: async (input, options) => proposeDatabase(input, await inputDatabase(input), options),
  outline,
  rowsAt,
  read,
});

async function probe(input: ExportInput): Promise<Probe> {
  const found = await findDatabase(input);
  if (!found) return { match: 'no' };
  // Next to other files it may be the intended one, or one of them.
  const isAlone = (await input.paths()).length === 1;
  return { match: isAlone ? 'certain' : 'likely', because: found.because };
}

/** A file that was one when it was planned: reading says what became of it. */
const noDatabase = (input: ExportInput, path: string): FoundDatabase => ({
  ...{ path, because: '', isServer: false },
  async open() {
    // A file that cannot be read throws its own error.
    await input.head(path, 1);
    throw new SourceError('Cannot read the file as a database: it is none', {
      hint: 'Pass a SQLite file, a dump in SQL or the address of a server',
    });
  },
});

async function inputDatabase(input: ExportInput) {
  const found = await findDatabase(input);
  if (found) return found;
  throw new SourceError(`Cannot read "${input.label}" as a database: none of its files is one`, {
    hint: 'Pass a SQLite file, a dump in SQL or the address of a server',
  });
}

async function preset(input: ExportInput, options: Readonly<Record<string, unknown>>): Promise<Preset | undefined> {
  const found = await inputDatabase(input);
  const database = await found.open({ signal: new AbortController().signal, passwordFile: passwordFileOf(options) });
  try {
    return await findPreset(database);
  } finally {
    await database.close();
  }
}

async function outline(
  input: ExportInput,
  options: Readonly<Record<string, unknown>>,
): Promise<readonly TableOutline[]> {
  const found = await inputDatabase(input);
  const database = await found.open({ signal: new AbortController().signal, passwordFile: passwordFileOf(options) });
  try {
    const named = tableNamesOf(options);
    return database.tables.map(({ name, columns, primaryKey, foreignKeys, isView, rowsAbout }) => ({
      ...{ name, isView, primaryKey },
      ...(rowsAbout !== undefined && { rows: rowsAbout }),
      ...(!isView && named.has(name) && counted(database, name)),
      columns: columns.map(({ name: column, type }) => ({ name: column, type })),
      references: foreignKeys.flatMap(({ columns: [column, ...others], table, references: [key] }) =>
        others.length === 0 ? [{ column: column!, table, key: key! }] : [],
      ),
    }));
  } finally {
    await database.close();
  }
}

function counted(database: Database, table: string): Pick<TableOutline, 'rows' | 'isExact'> {
  const rows = database.countRows?.(table);
  return rows === undefined ? {} : { rows, isExact: true };
}

async function* read(
  input: ExportInput,
  options: DatabaseOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const [only, ...others] = await input.paths();
  const isAlone = only !== undefined && others.length === 0;
  const found = (await findDatabase(input)) ?? (isAlone ? noDatabase(input, only) : await inputDatabase(input));
  yield* readDatabase({ input, found, options, context, propose: () => proposeDatabase(input, found, options) });
}

async function rowsAt(
  input: ExportInput,
  options: DatabaseOptions,
  locations: readonly Location[],
  bytesMax = Number.POSITIVE_INFINITY,
): Promise<ReadonlyMap<string, ShownRow>> {
  const { path, isServer, isSqlite, open } = await inputDatabase(input);
  const { sizeBytes } = isServer ? { sizeBytes: 0 } : await input.stat(path);
  if (sizeBytes > bytesMax && !(isSqlite && (await isOnDisk(input, path)))) return new Map();
  const database = await open({ signal: new AbortController().signal, passwordFile: options.passwordFile });
  try {
    // The tables of a query are copied whole: never again from a server.
    const ofQuery = isServer || sizeBytes > bytesMax ? [] : await queryRowsAt(database, path, locations, options);
    return new Map([...(await databaseRowsAt(database, path, locations, { isServer })), ...ofQuery]);
  } finally {
    await database.close();
  }
}
