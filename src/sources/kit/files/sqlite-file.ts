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
  const state = logBytes ? judgeLog(log, logBytes) : 'whole';
  const lost = logBytes === undefined ? withoutLog : state === 'whole' ? undefined : withDamagedLog;
  const problems = lost ? [lost] : [];
  if (logBytes !== undefined && state !== 'none' && existsSync(`${path}-shm`)) return { open: path, problems, remove };
  if (!logBytes || state === 'none') {
    const open = pathToFileURL(path);
    open.searchParams.set('immutable', '1');
    return { open, problems, remove };
  }
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-sqlite-'));
  const copy = join(folder, 'copy.sqlite');
  copyFileSync(path, copy);
  copyFileSync(log, `${copy}-wal`);
  return { open: copy, problems, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Bytes of a log whose sums are checked, some 0.5 s. */
const checkedBytesMax = 128 * 2 ** 20;
const logHeaderBytes = 32;
const frameHeaderBytes = 24;

/**
 * How much of a log SQLite reads: `none` with another header, `cut` if there is a frame of it that is damaged or not whole. It passes over both,
 * and over all behind it, without a word. https://www.sqlite.org/fileformat2.html#walformat
 */
function judgeLog(path: string, byteCount: number): 'none' | 'cut' | 'whole' {
  const fd = openSync(path, 'r');
  try {
    const header = Buffer.alloc(logHeaderBytes);
    if (readSync(fd, header) < logHeaderBytes) return 'none';
    const magic = header.readUInt32BE(0);
    if (magic !== 0x377f0682 && magic !== 0x377f0683) return 'none';
    const sums: Sums = { isBigEndian: magic === 0x377f0683, first: 0, second: 0 };
    addToSums(sums, header, 0, 24);
    if (!hasSums(header, 24, sums)) return 'none';
    const frame = Buffer.alloc(frameHeaderBytes + header.readUInt32BE(8));
    const isOfLog = () => header.compare(frame, 8, 16, 16, 24) === 0;
    let isRead = true;
    for (let at = logHeaderBytes; at < byteCount; at += frame.length) {
      const isChecked = at < checkedBytesMax;
      // Pages that were written before the log began again stay behind its end.
      const read = readSync(fd, frame, 0, frame.length, isChecked ? at : byteCount - ((byteCount - at) % frame.length));
      if (read < frame.length) return read > 0 && (read < frameHeaderBytes || isOfLog()) ? 'cut' : 'whole';
      if (!isChecked || !isOfLog()) return 'whole';
      if (isRead) {
        addToSums(sums, frame, 0, 8);
        addToSums(sums, frame, frameHeaderBytes, frame.length);
        isRead = hasSums(frame, 16, sums);
      }
      // Pages that were rolled back stay behind the end, too, but none of them ends a transaction.
      if (!isRead && frame.readUInt32BE(4) > 0) return 'cut';
    }
    return 'whole';
  } finally {
    closeSync(fd);
  }
}

interface Sums {
  readonly isBigEndian: boolean;
  first: number;
  second: number;
}

function addToSums(sums: Sums, bytes: Buffer, from: number, to: number): void {
  const word = (at: number) => (sums.isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  let { first, second } = sums;
  for (let at = from; at < to; at += 8) {
    first = (first + word(at) + second) >>> 0;
    second = (second + word(at + 4) + first) >>> 0;
  }
  Object.assign(sums, { first, second });
}

const hasSums = (bytes: Buffer, at: number, { first, second }: Sums): boolean =>
  first === bytes.readUInt32BE(at) && second === bytes.readUInt32BE(at + 4);

const withoutLog: RowProblem = {
  code: 'database-without-log',
  reason:
    'The newest rows of this file may be in a second file, "-wal", and there is none next to it: if you copied it from a running application, copy both',
};

const withDamagedLog: RowProblem = {
  code: 'database-without-log',
  reason:
    'The newest rows of this file may be in its second file, "-wal", and SQLite reads no more of that than up to a damaged or missing part: copy both again, at a moment at which the application does not run',
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
