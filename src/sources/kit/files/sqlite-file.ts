import { closeSync, copyFileSync, existsSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SourceError } from '../../../lib/errors.ts';
import type { RowProblem } from '../entries.ts';

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

/** A local file to open. */
export interface SqlitePlace {
  readonly path: string;
  /** Its log, if that is not next to it under its own name. */
  readonly log?: string | undefined;
  /** Its first 32 bytes at least. */
  readonly head: Uint8Array;
}

/** An open file. The caller closes it. */
export interface OpenSqlite {
  /** Inside a transaction that only reads: every query sees one state. */
  readonly db: DatabaseSync;
  readonly problems: readonly RowProblem[];
  close(): void;
}

/**
 * Opens a SQLite file in place. Neither the file nor its folder changes, and an application may continue to write to
 * it: one consistent state is read. Nothing that its schema declares can run a function that is not harmless.
 *
 * @throws The errors of SQLite, which `sqliteFault` translates.
 */
export async function openSqliteFile(file: SqlitePlace): Promise<OpenSqlite> {
  const { DatabaseSync } = await import('node:sqlite');
  const place = choosePlace(file);
  let db: DatabaseSync | undefined;
  const close = () => {
    if (db?.isOpen) db.close();
    place.remove();
  };
  try {
    db = new DatabaseSync(place.open, { readOnly: true, enableForeignKeyConstraints: false, timeout: patienceMs });
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; BEGIN');
    // A transaction begins with its first read.
    db.exec('PRAGMA schema_version');
    // It is open now, and must not be left behind by a process that is killed. Windows keeps open files.
    if (process.platform !== 'win32') place.remove();
    return { db, problems: place.problems, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** The path or URL to open so that SQLite creates no files next to the original. */
interface Place {
  readonly open: string | URL;
  readonly problems: readonly RowProblem[];
  remove(): void;
}

/**
 * Chooses how to open a file. A reader of a file with a write-ahead log creates the log and its index if they are
 * missing. So a file without a log is opened as immutable, and a file that has a log without an index is copied
 * together with its log. With both an application may be running: SQLite keeps its readers in the index.
 */
function choosePlace({ path, head, log = `${path}-wal` }: SqlitePlace): Place {
  const remove = () => {};
  if (!hasWriteAheadLog(head)) return { open: path, problems: [], remove };
  const logBytes = statSync(log, { throwIfNoEntry: false })?.size;
  const lost = logBytes === undefined ? withoutLog : logBytes > 0 && !isLog(log) ? withDamagedLog : undefined;
  if (lost === undefined && existsSync(`${path}-shm`)) return { open: path, problems: [], remove };
  if (!logBytes || lost) {
    const open = pathToFileURL(path);
    open.searchParams.set('immutable', '1');
    return { open, problems: lost ? [lost] : [], remove };
  }
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-sqlite-'));
  const copy = join(folder, 'copy.sqlite');
  copyFileSync(path, copy);
  copyFileSync(log, `${copy}-wal`);
  return { open: copy, problems: [], remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Whether SQLite reads a log: it passes over one with another header, without a word. https://www.sqlite.org/fileformat2.html#walformat */
function isLog(path: string): boolean {
  const header = Buffer.alloc(32);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, header) < header.length) return false;
  } finally {
    closeSync(file);
  }
  const magic = header.readUInt32BE(0);
  if (magic !== 0x377f0682 && magic !== 0x377f0683) return false;
  const word = (at: number) => (magic === 0x377f0683 ? header.readUInt32BE(at) : header.readUInt32LE(at));
  let [first, second] = [0, 0];
  for (let at = 0; at < 24; at += 8) {
    first = (first + word(at) + second) >>> 0;
    second = (second + word(at + 4) + first) >>> 0;
  }
  return first === header.readUInt32BE(24) && second === header.readUInt32BE(28);
}

const withoutLog: RowProblem = {
  code: 'database-without-log',
  reason:
    'The newest rows of this file may be in a second file, "-wal", and there is none next to it: if you copied it from a running application, copy both',
};

const withDamagedLog: RowProblem = {
  code: 'database-without-log',
  reason:
    'The newest rows of this file may be in its second file, "-wal", and that is none that SQLite reads: copy both again, at a moment at which the application does not run',
};

/**
 * Translates an error of SQLite for a reader of the file.
 *
 * @param Busy Class of the error while another program holds the file: the same run may succeed later.
 * @returns undefined for any other error.
 */
export function sqliteFault(error: unknown, shown: string, Busy = SourceError): SourceError | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  const known = faults.find(({ code }) => (Number(error.errcode) & 0xff) === code);
  const Kind = known?.code === busyCode ? Busy : SourceError;
  const about = { cause: error, location: { path: shown }, ...(known && { hint: known.hint }) };
  return new Kind(`Cannot read the database: ${known?.what ?? error.message}`, about);
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
