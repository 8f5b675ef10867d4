import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import { SourceError } from '../../lib/errors.ts';
import { isOnDisk } from '../kit/files/on-disk.ts';
import type { ReadSource } from '../source.ts';
import type { Preset, Proposal, ShownRow, TableOutline, TableContext } from '../table-source.ts';
import type { Database, DatabaseTable } from './database.ts';
import { findDatabase, type FoundDatabase, passwordFileIn } from './open-database.ts';
import { type DatabaseOptions, listTableNames } from './options.ts';
import { proposeDatabase } from './propose.ts';
import { readDatabase } from './read-database.ts';
import { databaseRowsAt, queryRowsAt } from './rows-at.ts';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { packageFile } from '../../lib/package-files.ts';
import { fittingPart, type SourceSection } from './preset-fit.ts';

/** A file that was one when it was planned: reading says what became of it. */
const noDatabase = (input: ExportInput, path: string): FoundDatabase => ({
  path,
  because: '',
  isServer: false,
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

export const propose = async (input: ExportInput, options: Readonly<Record<string, unknown>>): Promise<Proposal> =>
  proposeDatabase(input, await inputDatabase(input), options);

export async function preset(
  input: ExportInput,
  options: Readonly<Record<string, unknown>>,
): Promise<Preset | undefined> {
  const found = await inputDatabase(input);
  const database = await found.open({ signal: new AbortController().signal, passwordFile: passwordFileIn(options) });
  try {
    return await findPreset(database);
  } finally {
    await database.close();
  }
}

export async function outline(
  input: ExportInput,
  options: Readonly<Record<string, unknown>>,
): Promise<readonly TableOutline[]> {
  const found = await inputDatabase(input);
  const database = await found.open({ signal: new AbortController().signal, passwordFile: passwordFileIn(options) });
  try {
    const named = listTableNames(options);
    return database.tables.map(({ name, columns, primaryKey, foreignKeys, isView, rowsAbout }) => ({
      name,
      isView,
      primaryKey,
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

export const read: ReadSource<DatabaseOptions, TableContext> = async function* (input, options, context) {
  const [only, ...others] = await input.paths();
  const isAlone = only !== undefined && others.length === 0;
  const found = (await findDatabase(input)) ?? (isAlone ? noDatabase(input, only) : await inputDatabase(input));
  yield* readDatabase({ input, found, options, context, propose: () => proposeDatabase(input, found, options) });
};

export async function rowsAt(
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

/** The tables and columns that identify the database of an application. */
interface Fingerprint {
  /** Shown to the user: `Chatwoot`. */
  readonly title: string;
  /** Tables, each with columns. All of them have to be there. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
}

const folder = 'mappings/databases';

/** Returns the mapping of the application that owns these tables, or undefined if no known application or more than one fits. */
async function findPreset(database: Database): Promise<Preset | undefined> {
  const known = Object.entries((await yamlAt(`${folder}/fingerprints.yaml`)) as Record<string, Fingerprint>);
  const [found, ...others] = known.filter(([, { tables }]) => hasTables(tables, database));
  if (!found || others.length > 0) return undefined;
  const [name, { title, tables }] = found;
  const path = `${folder}/${name}.yaml`;
  const { source } = (await yamlAt(path)) as { readonly source: SourceSection };
  const options = fittingPart(source, database);
  if (options === undefined) return undefined;
  const told = Object.entries(tables).map(([table, columns]) => `${table} has ${columns.join(', ')}`);
  return { title, path, because: told.join('; '), options };
}

const hasTables = (tables: Fingerprint['tables'], database: Database): boolean =>
  Object.entries(tables).every(([name, columns]) => {
    const table = database.tables.find((one) => one.name === name);
    return table !== undefined && columns.every((column) => hasColumn(table, column));
  });

const hasColumn = ({ columns }: DatabaseTable, column: string): boolean => columns.some(({ name }) => name === column);

const yamlAt = async (path: string): Promise<unknown> => parse(await readFile(packageFile(path), 'utf8'));
