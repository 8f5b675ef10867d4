import { homedir } from 'node:os';
import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { isSqlite } from '../kit/files/sqlite-file.ts';
import { parseDatabaseAddress } from './address/address.ts';
import type { Database } from './database.ts';
import { openDump } from './dump/open-dump.ts';
import { dumpHeadBytes, looksLikeDump } from './dump/recognise.ts';
import { isKeptCopy } from './followed/copy-tables.ts';
import { openCopy } from './followed/open-copy.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

/** A database inside an export. */
export interface FoundDatabase {
  /** Its path there. */
  readonly path: string;
  /** Shown to the user. */
  readonly because: string;
  /** Whether the database is a server that other programs use. */
  readonly isServer: boolean;
  /** Whether it is a file of SQLite: its rows can be read one by one. */
  readonly isSqlite?: true;
  open(given: OpenGiven): Promise<Database>;
}

/** Options for opening a database. */
export interface OpenGiven {
  readonly signal: AbortSignal;
  /** For a server: path of a file that holds only the password. */
  readonly passwordFile?: string | undefined;
}

/** Reads the password file from unvalidated options. */
export const passwordFileIn = ({ passwordFile }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof passwordFile === 'string' ? passwordFile : undefined;

/** File names that mark a database among other files. A single file may have any name. */
const named = /\.(?:sqlite3?|s3db|db3?|sql|dump)(?:\.gz)?$/i;
/** So many files are looked at for the first bytes of a database. */
const filesMax = 20;

/**
 * Returns the database of an export, or undefined if there is none.
 *
 * @throws SourceError if there are several.
 */
export async function findDatabase(input: ExportInput): Promise<FoundDatabase | undefined> {
  if (input.server !== undefined) return serverAt(input.server, input.label);
  const [first, ...others] = await databasesIn(input);
  if (first === undefined || others.length === 0) return first;
  const names = [first, ...others].map(({ path }) => `"${path}"`).join(', ');
  throw new SourceError(`Cannot read several databases as one export: ${names}`, { hint: 'Pass one of the files' });
}

/** Opens a server by its address. @throws UsageError, SourceError */
export const openServer = (url: string, given: OpenGiven): Promise<Database> => serverAt(url, url).open(given);

/** The address never contains a password. It comes from where the clients of the database system look for it. */
function serverAt(url: string, path: string): FoundDatabase {
  const address = parseDatabaseAddress(url, process.env);
  return {
    path,
    because: `the address of a ${address.system} server`,
    isServer: true,
    async open(given) {
      const places = { env: process.env, home: homedir(), ...given };
      if (address.system === 'PostgreSQL') return (await import('./postgres/index.ts')).openPostgres(address, places);
      return (await import('./mysql/index.ts')).openMysql(address, places);
    },
  };
}

async function databasesIn(input: ExportInput): Promise<readonly FoundDatabase[]> {
  const paths = await input.paths();
  const candidates = paths.length === 1 ? paths : paths.filter((path) => named.test(path)).slice(0, filesMax);
  const found: FoundDatabase[] = [];
  for (const path of candidates) {
    const database = await databaseAt(input, path);
    if (database) found.push(database);
  }
  return found;
}

async function databaseAt(input: ExportInput, path: string): Promise<FoundDatabase | undefined> {
  const head = await headOrNothing(input, path, dumpHeadBytes);
  if (isSqlite(head)) {
    const because = `the header of SQLite in "${path}"`;
    const open = isKeptCopy(head) ? openCopy : (real: string) => openSqlite(real, head, path);
    return { path, because, isServer: false, isSqlite: true, open: async () => open(await input.materialise(path)) };
  }
  if (!looksLikeDump(head)) return undefined;
  const because = `statements of SQL in "${path}"`;
  return { path, because, isServer: false, open: ({ signal }) => openDump(input, path, signal) };
}
