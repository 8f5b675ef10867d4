import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { SourceError } from '../../../lib/errors.ts';
import { quotedName } from '../../tables/copy/query-names.ts';
import { DatabaseUnreachable } from '../address/unreachable.ts';
import type { CellText, Database, DatabaseColumn, DatabaseProblem, DatabaseRow, DatabaseTable } from '../database.ts';
import { inRowLists } from '../row-lists.ts';
import { typeName } from '../type-name.ts';

/** First bytes of every SQLite file. */
const magic = 'SQLite format 3\0';

export const isSqlite = (head: Uint8Array): boolean => Buffer.from(head.subarray(0, 16)).toString('latin1') === magic;

/** Whether newer rows may be in a second file, "-wal". */
const hasWriteAheadLog = (head: Uint8Array): boolean => head[18] === 2 || head[19] === 2;

/**
 * How long to wait for an application to end its transaction, if the file has no write-ahead log. In ms; the process is
 * blocked during that time.
 */
const patienceMs = 2000;

/**
 * Opens a SQLite file in place. Neither the file nor its folder changes, and an application may continue to write to
 * it: one consistent state is read.
 *
 * @param path Path of a local file.
 * @param head Its first 32 bytes at least.
 * @throws SourceError if it is damaged, encrypted, or was copied without the files that belong to it;
 *   DatabaseUnreachable while another program keeps it locked.
 */
export async function openSqlite(path: string, head: Uint8Array, shown: string): Promise<Database> {
  const { DatabaseSync } = await import('node:sqlite');
  const place = placeOf(path, head);
  const failed = (error: unknown) => sqliteFault(error, shown) ?? error;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(place.open, { readOnly: true, enableForeignKeyConstraints: false, timeout: patienceMs });
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; BEGIN');
    const tables = tablesOf(db);
    // It is open now, and must not be left behind by a process that is killed. Windows keeps open files.
    if (process.platform !== 'win32') place.remove();
    return new SqliteFile(db, tables, place, failed);
  } catch (error) {
    db?.close();
    place.remove();
    throw failed(error);
  }
}

/** The path or URL to open so that SQLite creates no files next to the original. */
interface Place {
  readonly open: string | URL;
  readonly problems: readonly DatabaseProblem[];
  remove(): void;
}

/**
 * Chooses how to open a file. A reader of a file with a write-ahead log creates the log and its index if they are
 * missing. So a file without a log is opened as immutable, and a file that has a log without an index is copied
 * together with its log.
 */
function placeOf(path: string, head: Uint8Array): Place {
  const remove = () => {};
  // With an index an application may be running.
  if (!hasWriteAheadLog(head) || existsSync(`${path}-shm`)) return { open: path, problems: [], remove };
  const log = `${path}-wal`;
  const logBytes = statSync(log, { throwIfNoEntry: false })?.size;
  if (!logBytes) {
    const open = pathToFileURL(path);
    open.searchParams.set('immutable', '1');
    return { open, problems: logBytes === undefined ? [withoutLog] : [], remove };
  }
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-sqlite-'));
  const copy = join(folder, 'copy.sqlite');
  copyFileSync(path, copy);
  copyFileSync(log, `${copy}-wal`);
  return { open: copy, problems: [], remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const withoutLog: DatabaseProblem = {
  code: 'database-without-log',
  reason:
    'The newest rows of this file may be in a second file, "-wal", and there is none next to it: if you copied it from a running application, copy both',
};

class SqliteFile implements Database {
  readonly system = 'SQLite';
  readonly tables: readonly DatabaseTable[];
  readonly problems: readonly DatabaseProblem[];
  readonly #db: DatabaseSync;
  readonly #place: Place;
  readonly #failed: (error: unknown) => unknown;

  constructor(db: DatabaseSync, tables: readonly DatabaseTable[], place: Place, failed: (error: unknown) => unknown) {
    this.#db = db;
    this.tables = tables;
    this.problems = place.problems;
    this.#place = place;
    this.#failed = failed;
  }

  async *rows(table: string, columns: readonly string[], signal: AbortSignal): AsyncGenerator<readonly DatabaseRow[]> {
    if (columns.length === 0) return;
    try {
      for await (const list of inRowLists(this.#cells(table, columns))) {
        signal.throwIfAborted();
        yield list;
      }
    } catch (error) {
      throw this.#failed(error);
    }
  }

  *#cells(table: string, columns: readonly string[]): Generator<readonly CellText[]> {
    const statement = this.#db.prepare(`SELECT ${columns.map(quotedName).join(', ')} FROM ${quotedName(table)}`);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    for (const values of statement.iterate() as Iterable<unknown>) yield (values as SQLOutputValue[]).map(cellText);
  }

  async close(): Promise<void> {
    if (this.#db.isOpen) this.#db.close();
    this.#place.remove();
  }
}

/** Whole numbers have all their digits; others the fewest that mean the same number. */
function cellText(value: SQLOutputValue): CellText {
  if (value === null || typeof value === 'string') return value;
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}

interface ListedTable {
  readonly name: string;
  readonly type: string;
}

interface ListedColumn {
  readonly name: string;
  readonly type: string;
  /** Place in the primary key, from 1; 0 for none. */
  readonly pk: number;
  /** 1 for what a virtual table keeps to itself. */
  readonly hidden: number;
}

interface ListedKey {
  readonly id: number;
  readonly table: string;
  readonly from: string;
  /** Null for the primary key there. */
  readonly to: string | null;
}

/** Returns tables and views, without the internal tables of virtual tables. */
function tablesOf(db: DatabaseSync): readonly DatabaseTable[] {
  const listed = db.prepare('PRAGMA main.table_list').all() as unknown as readonly ListedTable[];
  const own = listed.filter(({ name, type }) => (type === 'table' || type === 'view') && !name.startsWith('sqlite_'));
  return own.map(({ name, type }) => tableOf(db, name, type === 'view')).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function tableOf(db: DatabaseSync, name: string, isView: boolean): DatabaseTable {
  const columns = columnsOf(db, name);
  const keys = isView
    ? []
    : (db.prepare(`PRAGMA foreign_key_list(${quotedName(name)})`).all() as unknown as ListedKey[]);
  const primaryKey = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return {
    name,
    columns: columns.map((column): DatabaseColumn => ({ name: column.name, type: typeName(column.type) })),
    primaryKey: primaryKey.map((column) => column.name),
    foreignKeys: [...Map.groupBy(keys, ({ id }) => id).values()].map((parts) => ({
      columns: parts.map(({ from }) => from),
      table: parts[0]!.table,
      references: parts.map(({ to }) => to).filter((to) => to !== null),
    })),
    isView,
  };
}

/** A view of a table that is gone has none. */
function columnsOf(db: DatabaseSync, table: string): readonly ListedColumn[] {
  try {
    const found = db.prepare(`PRAGMA table_xinfo(${quotedName(table)})`).all() as unknown as ListedColumn[];
    return found.filter(({ hidden }) => hidden !== 1);
  } catch {
    return [];
  }
}

/** Translates an SQLite error for a reader of the file. */
function sqliteFault(error: unknown, shown: string): SourceError | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  const known = faults.find(({ code }) => (Number(error.errcode) & 0xff) === code);
  const location = { path: shown };
  const Kind = known?.code === busyCode ? DatabaseUnreachable : SourceError;
  if (known) return new Kind(`Cannot read the database: ${known.what}`, { cause: error, location, hint: known.hint });
  return new SourceError(`Cannot read the database: ${error.message}`, { cause: error, location });
}

const busyCode = 5;

/** Result codes of SQLite: https://www.sqlite.org/rescode.html */
const faults: readonly { readonly code: number; readonly what: string; readonly hint: string }[] = [
  {
    code: 11,
    what: 'the file is damaged',
    hint: 'Copy it again, with "-wal" and "-shm" if they exist; or recover its content: sqlite3 FILE .recover | sqlite3 new.sqlite',
  },
  {
    code: 26,
    what: 'it is encrypted, or no SQLite file behind its first bytes',
    hint: 'Decrypt it, and pass the copy',
  },
  {
    code: 8,
    what: 'its last writer was cut off, and the file has to be repaired before it can be read',
    hint: 'Open a copy of it once with the application or with sqlite3, together with its "-journal", and pass the copy',
  },
  { code: 14, what: 'it cannot be opened', hint: 'Check the permissions of the file and its folder' },
  { code: busyCode, what: 'another program is writing to it', hint: 'Run the command again' },
  { code: 10, what: 'the disk reports an error', hint: 'Check the disk' },
];
