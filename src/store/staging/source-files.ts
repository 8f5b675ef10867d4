import type { Database } from 'better-sqlite3';
import { lateValues } from '../../lib/late-values.ts';
import type { FileStat } from '../../io/input/export-input.ts';
import { RowBuffer } from '../base/row-buffer.ts';

/** `gone`: an earlier plan read it, and the input no longer has it. */
export type FileRole = 'shared' | 'rows' | 'skipped' | 'unknown' | 'gone';

/** Facts that the store remembers about a file of one input. */
export interface KnownFile {
  readonly id: number;
  readonly path: string;
  readonly role: FileRole;
  readonly fingerprint: string;
}

/** An unfinished file has no fingerprint, so that the next plan reads it again. */
export const unfinished = '';

/** How many files with messages were read to their end. */
export const countReadFiles = (db: Database): number =>
  db
    .prepare<[string], number>(`SELECT count(*) FROM source_file WHERE role = 'rows' AND fingerprint <> ?`)
    .pluck()
    .get(unfinished)!;

/** Has every file read again, by this plan or, should it be interrupted, by the next. */
export function reopenAllFiles(db: Database): void {
  db.prepare('UPDATE source_file SET fingerprint = ?').run(unfinished);
}

export function reopenFiles(db: Database, files: readonly number[]): void {
  if (files.length === 0) return;
  db.prepare('UPDATE source_file SET fingerprint = ? WHERE id IN (SELECT value FROM json_each(?))').run(
    unfinished,
    JSON.stringify(files),
  );
}

/** Whether all that the store knows came from these inputs: absolute paths of folders or archives. */
export function hasNoOtherInput(db: Database, paths: readonly string[]): boolean {
  const others = 'SELECT 1 FROM source_input WHERE path NOT IN (SELECT value FROM json_each(?))';
  return db.prepare(others).get(JSON.stringify(paths)) === undefined;
}

/** Absolute paths of the inputs that are of the store's source, in the order in which they were first read. */
export const inputPaths = (db: Database): string[] =>
  db.prepare<[], string>('SELECT path FROM source_input WHERE source IS NULL ORDER BY id').pluck().all();

/** Records the source of an input, if it is not that of the store. */
export function nameInputSource(db: Database, inputPath: string, source: string): void {
  db.prepare('UPDATE source_input SET source = ? WHERE path = ?').run(source, inputPath);
}

/** How an input lay there when a plan had read all of it; none where it was not certain, or corrects another source's. */
export const keptListing = (db: Database, inputPath: string): string | null | undefined =>
  db
    .prepare<[string], string | null>('SELECT listing FROM source_input WHERE path = ? AND source IS NULL')
    .pluck()
    .get(inputPath);

export function keepListing(db: Database, inputPath: string, listing: string | null): void {
  db.prepare('UPDATE source_input SET listing = ? WHERE path = ?').run(listing, inputPath);
}

/** Whether a file of an input is to be read again, or was never finished. */
export const hasUnfinished = (db: Database, inputPath: string): boolean =>
  db
    .prepare<[string, string]>(
      `SELECT 1 FROM source_file WHERE input = (SELECT id FROM source_input WHERE path = ?)
       AND fingerprint = ? AND role <> 'gone' LIMIT 1`,
    )
    .get(inputPath, unfinished) !== undefined;

/** The id given out last, per store: ids are given out before they are written. */
const lastIds = new WeakMap<Database, number>();

/** The files of one input (an absolute path of a folder or archive), as plans leave them. */
export class SourceFiles {
  readonly #input: number;
  readonly #count: ReturnType<typeof prepare>['count'];
  readonly #all: ReturnType<typeof prepare>['all'];
  readonly #find: ReturnType<typeof prepare>['find'];
  readonly #rows: RowBuffer;
  /** Files that were read, of an input that is new: nearly all files. */
  readonly #readRows: RowBuffer;
  /** No plan has read this input yet: no file of it needs to be looked up. */
  readonly isNew: boolean;
  /** An id that no file has. */
  readonly newId: () => number;

  constructor(db: Database, inputPath: string) {
    const { input, all, any, count, find, greatestId } = prepare(db);
    this.newId = () => {
      const id = (lastIds.get(db) ?? (greatestId.get() as number)) + 1;
      lastIds.set(db, id);
      return id;
    };
    this.#input = input.get(inputPath) as number;
    this.#all = all;
    this.#count = count;
    this.#find = find;
    this.#rows = new RowBuffer(db, saveSql);
    this.#readRows = new RowBuffer(db, saveReadSql, "(?, ?, ?, 'rows', ?, ?)");
    this.isNew = any.get(this.#input) === undefined;
  }

  /** A file as the last plan left it. */
  find(path: string): KnownFile | undefined {
    return this.isNew ? undefined : this.#find.get(this.#input, path);
  }

  /** Files that the input had when the last plan read it. */
  count(): number {
    return this.#count.get(this.#input) as number;
  }

  /** Every file as the last plan left it. An export may have hundreds of thousands: they are not collected. */
  all(): IterableIterator<KnownFile> {
    return this.#all.iterate(this.#input);
  }

  /** Before a commit in the middle of a file: should we be killed, the next plan reads it again. */
  saveUnfinished(id: number, path: string): void {
    this.#rows.add([id, this.#input, path, 'rows', null, unfinished, 0]);
  }

  /** With the last rows of a file. */
  close(id: number, path: string, role: FileRole, reason: string | undefined, stat: FileStat): void {
    if (this.isNew && role === 'rows' && reason === undefined)
      this.#readRows.add([id, this.#input, path, stat.fingerprint, stat.sizeBytes]);
    else this.#rows.add([id, this.#input, path, role, reason ?? null, stat.fingerprint, stat.sizeBytes]);
  }

  /** Before a commit: what was saved may have waited for more until then. */
  flush(): void {
    this.#rows.flush();
    this.#readRows.flush();
  }
}

const prepare = (db: Database) =>
  lateValues({
    input: () =>
      db
        .prepare('INSERT INTO source_input (path) VALUES (?) ON CONFLICT (path) DO UPDATE SET path = path RETURNING id')
        .pluck(),
    all: () => db.prepare<[number], KnownFile>(`SELECT id, path, role, fingerprint FROM source_file WHERE input = ?`),
    count: () => db.prepare<[number]>(`SELECT count(*) FROM source_file WHERE input = ? AND role <> 'gone'`).pluck(),
    any: () => db.prepare<[number]>('SELECT 1 FROM source_file WHERE input = ? LIMIT 1'),
    find: () =>
      db.prepare<[number, string], KnownFile>(
        `SELECT id, path, role, fingerprint FROM source_file WHERE input = ? AND path = ?`,
      ),
    greatestId: () => db.prepare('SELECT coalesce(max(id), 0) FROM source_file').pluck(),
  });

const updateSql = `ON CONFLICT (id) DO UPDATE SET role = excluded.role, reason = excluded.reason, fingerprint = excluded.fingerprint,
    size_bytes = excluded.size_bytes`;
const saveSql = (rows: string) =>
  `INSERT INTO source_file (id, input, path, role, reason, fingerprint, size_bytes) VALUES ${rows} ${updateSql}`;
const saveReadSql = (rows: string) =>
  `INSERT INTO source_file (id, input, path, role, fingerprint, size_bytes) VALUES ${rows} ${updateSql}`;

/** Removes the export's data from the store, for a plan under other rules. Only if nothing was ever sent. */
export function forgetExport(db: Database): void {
  for (const table of [
    'action_delivery',
    'action',
    'relation',
    'message',
    'problem',
    'drift',
    'export_gap',
    'attachment_host',
    'source_file',
    'source_input',
    'delivery',
    'conversation_delivery',
    'person_delivery',
    'conversation',
    'person',
  ]) {
    db.exec(`DELETE FROM ${table}`);
  }
}
