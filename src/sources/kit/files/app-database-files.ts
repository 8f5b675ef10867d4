import type { ExportInput } from '../../../io/input/export-input.ts';
import { SourceError } from '../../../lib/errors.ts';
import { AppDatabase, type DatabaseShape } from './app-database.ts';
import { headOrNothing } from './file-bytes.ts';
import { withoutClutter } from './paths.ts';
import { isSqlite } from './sqlite-file.ts';

/** How the database of an application is recognised among the files of an export. */
export interface DatabaseFiles<Table extends string> {
  /** The names that the application gives. */
  readonly named: RegExp;
  /** Words of its tables, which are in the first pages of most files. */
  readonly marks: readonly string[];
  readonly shape: DatabaseShape<Table>;
}

/** A database, or the log of its newest rows. */
export type DatabaseKind = 'database' | 'log';

const headBytes = 64 * 1024;
const probedMax = 8;

const mayBe = /\.(?:db|sqlite3?)$/i;

/** A file that is passed alone may have any name. */
const findCandidates = (paths: readonly string[], named: RegExp): readonly string[] =>
  paths.length === 1 ? paths : paths.filter((path) => named.test(path) || mayBe.test(path));

/** The first of at most eight files that has the application's tables. */
export async function firstDatabase(input: ExportInput, files: DatabaseFiles<string>): Promise<string | undefined> {
  const { own } = withoutClutter(await input.paths());
  for (const path of findCandidates(own, files.named).slice(0, probedMax))
    if (await hasTables(input, path, files)) return path;
  return undefined;
}

/** The paths to read. One of the application's names that holds something else may have held messages: reading it says what was found. */
export async function databasesIn(input: ExportInput, files: DatabaseFiles<string>): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const candidates = findCandidates(withoutClutter(await input.paths()).own, files.named);
  for (const path of candidates)
    if (files.named.test(path) || candidates.length === 1 || (await hasTables(input, path, files))) found.add(path);
  return found;
}

export function databaseVerdict(path: string, databases: ReadonlySet<string>): DatabaseKind | undefined {
  if (databases.has(path)) return 'database';
  return databases.has(path.replace(/-(?:wal|shm)$/, '')) ? 'log' : undefined;
}

async function hasTables(
  input: ExportInput,
  path: string,
  { named, marks, shape }: DatabaseFiles<string>,
): Promise<boolean> {
  const head = await headOrNothing(input, path, headBytes);
  if (!isSqlite(head)) return false;
  const text = Buffer.from(head).toString('latin1');
  return marks.every((mark) => text.includes(mark)) || (named.test(path) && opens(input, path, shape));
}

async function opens(input: ExportInput, path: string, shape: DatabaseShape<string>): Promise<boolean> {
  try {
    (await AppDatabase.open(input, path, shape)).close();
    return true;
  } catch (error) {
    if (error instanceof SourceError) return false;
    throw error;
  }
}
