import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { SourceError, UsageError } from '../lib/errors.ts';
import { type Lock, takeLock } from '../lib/file-lock.ts';
import { flushFolderSync } from '../lib/files/flush-folder.ts';
import { makeFolder } from '../lib/files/make-folder.ts';
import { sha256Hex } from '../lib/hash.ts';
import { openDatabase } from '../lib/sqlite.ts';
import type { Place } from './answers/paging.ts';
import { type Values, withHash } from './template.ts';

/** One list of a provider: a step, for one row of the step before it. */
export interface Walk {
  readonly id: number;
  readonly step: string;
  readonly values: Values;
  /** Whether an earlier run was refused: it is asked for after the others. */
  readonly wasRefused?: boolean;
  /** undefined once it was read to its end. */
  readonly place: Place | undefined;
}

/** A page that is to be kept, with everything that follows from it. */
export interface KeptPage {
  readonly walk: Walk;
  readonly next: Place | undefined;
  /** Why its list cannot be read further, or is not all of it, in words. */
  readonly refused?: string | undefined;
  readonly file?: { readonly path: string; readonly text: string; readonly isWhole: boolean } | undefined;
  /** Ids of its rows that are new, by the hash of their content. */
  readonly ids: ReadonlyMap<string, string>;
  readonly counts: Counts;
  /** Rows that changed since the same row was kept. */
  readonly changed: number;
  /** Lists that begin with rows of this page. */
  readonly walks: readonly {
    readonly step: string;
    readonly key: string;
    readonly values: Values;
    readonly place: Place;
  }[];
  readonly files: readonly NamedFile[];
  /** Rows that were not wanted, or older. */
  readonly passed: number;
  /** How many rows the provider says its list has. */
  readonly total?: number | undefined;
}

export interface NamedFile {
  /** By which the source knows it: its address, or its id. */
  readonly key: string;
  readonly name: string;
  /** Address of the file, or of the request that gives it. */
  readonly url: string;
}

/** Rows of a step, and those that bear a mark. */
export interface Counts {
  readonly rows: number;
  readonly edited: number;
  readonly removed: number;
  readonly private: number;
}

export interface StepState extends Counts {
  readonly step: string;
  readonly lists: number;
  readonly open: number;
  readonly refused: number;
  readonly pages: number;
  readonly changed: number;
}

const schemaVersion = 2;

const schema = `
  CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE walks (
    id INTEGER PRIMARY KEY, step TEXT NOT NULL, key TEXT NOT NULL, vals TEXT NOT NULL, place TEXT, refused TEXT,
    pages INTEGER NOT NULL DEFAULT 0, total INTEGER, passed INTEGER NOT NULL DEFAULT 0, again INTEGER NOT NULL DEFAULT 0,
    rows INTEGER NOT NULL DEFAULT 0, edited INTEGER NOT NULL DEFAULT 0, removed INTEGER NOT NULL DEFAULT 0,
    private INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL DEFAULT 0, UNIQUE (step, key)
  ) STRICT;
  CREATE INDEX open_walks ON walks (step, id) WHERE place IS NOT NULL AND refused IS NULL;
  CREATE TABLE ids (walk INTEGER NOT NULL, id TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (walk, id)) STRICT, WITHOUT ROWID;
  CREATE TABLE named_files (key TEXT PRIMARY KEY, step TEXT NOT NULL, name TEXT NOT NULL, url TEXT NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE files (path TEXT PRIMARY KEY COLLATE NOCASE, name TEXT NOT NULL, bytes INTEGER NOT NULL, last INTEGER NOT NULL, sha256 TEXT NOT NULL,
    owner INTEGER) STRICT, WITHOUT ROWID;
`;

/** The folder was begun with another question, recipe or setting. */
export class OtherFetch extends UsageError {}

const otherVersion = (folder: string) =>
  new OtherFetch(`Cannot continue in "${folder}": another version of Chatferry began it`, {
    hint: 'Pass another folder with --out',
  });

/** A file in the folder is not what was fetched. */
export class ChangedFetch extends SourceError {}

/** Name of the journal in an export folder. Its name begins with a dot: no source reads it. */
const journalName = '.chatferry-fetch.db';

/**
 * The fetched pages, on disk: a page is in the export and in the journal, or in neither. The bytes of a page are flushed before the
 * transaction that knows their length; bytes behind that length were cut off by a kill, and are written again.
 */
export class Journal {
  readonly #db: Database;
  readonly #folder: string;
  readonly #lock: Lock;

  /** @param about What was asked for; another question needs another folder. @throws UsageError, StoreError */
  constructor(folder: string, about: Readonly<Record<string, string>>, nowMs: number) {
    makeFolder(folder);
    this.#folder = folder;
    const path = join(folder, journalName);
    if (!existsSync(path) && readdirSync(folder).length > 0)
      throw new UsageError(`Cannot fetch into "${folder}": it has files, and no fetch was begun in it`, {
        hint: 'Pass a folder that is empty, or not there yet, with --out',
      });
    this.#lock = takeLock(path, 'fetch', nowMs);
    this.#db = openDatabase(path);
    try {
      const found = this.#db.pragma('user_version', { simple: true });
      if (found === 0) this.#begin(about);
      else if (found !== schemaVersion) throw otherVersion(folder);
      this.#assertSame(about);
      this.#cutRemains();
      this.#db.exec('UPDATE walks SET refused = NULL, again = 1 WHERE place IS NOT NULL AND refused IS NOT NULL');
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #begin(about: Readonly<Record<string, string>>): void {
    this.#db.transaction(() => {
      this.#db.exec(schema);
      const add = this.#db.prepare('INSERT INTO about VALUES (?, ?)');
      for (const [name, value] of Object.entries(about)) add.run(name, value);
      this.#db.pragma(`user_version = ${schemaVersion}`);
    })();
  }

  #assertSame(about: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(about)) {
      const known = this.about(name);
      if (known === value) continue;
      throw new OtherFetch(`Cannot continue in "${this.#folder}": ${name} was "${known ?? ''}", and is "${value}"`, {
        hint: 'Pass another folder with --out, or the same settings as before',
      });
    }
  }

  about(name: string): string | undefined {
    return this.#db.prepare<[string], string>('SELECT value FROM about WHERE name = ?').pluck().get(name);
  }

  note(name: string, value: string): void {
    this.#db.prepare('INSERT OR REPLACE INTO about VALUES (?, ?)').run(name, value);
  }

  /** Begins a list of a step that belongs to no row. @param key Sets it apart from others of the step. */
  beginList(step: string, values: Values, place: Place, key = ''): void {
    this.#addWalk(step, key, values, place);
  }

  #addWalk(step: string, key: string, values: Values, place: Place): void {
    this.#db
      .prepare('INSERT OR IGNORE INTO walks (step, key, vals, place) VALUES (?, ?, ?, ?)')
      .run(step, key, JSON.stringify(values), JSON.stringify(place));
  }

  /** Lists of a step that are not read to their end, in the order in which they were found, and those that were refused after them. */
  *openWalks(step: string): Generator<Walk> {
    const some = this.#db.prepare<[string, number, number], WalkRow>(
      `SELECT id, step, vals, place FROM walks WHERE step = ? AND again = ? AND id > ? AND place IS NOT NULL AND refused IS NULL
         ORDER BY id LIMIT 200`,
    );
    for (const again of [0, 1]) {
      for (let after = 0, rows = some.all(step, again, after); rows.length > 0; rows = some.all(step, again, after)) {
        for (const { id, vals, place } of rows) {
          after = id;
          const given = { values: JSON.parse(vals) as Values, place: JSON.parse(place) as Place };
          yield { id, step, ...given, ...(again === 1 && { wasRefused: true }) };
        }
      }
    }
  }

  /** The hash of a row that the list has already given. */
  findHash(walk: Walk, id: string): string | undefined {
    this.#selectHash ??= this.#db
      .prepare<[number, string], string>('SELECT hash FROM ids WHERE walk = ? AND id = ?')
      .pluck();
    return this.#selectHash.get(walk.id, id);
  }
  #selectHash: { get(walk: number, id: string): string | undefined } | undefined;

  /**
   * The file of the export that has this name, or one that differs from it: where a disk takes two names for one, or another list has
   * the file for itself.
   */
  fileFor(path: string, owner: number | null = null): string {
    const known = this.#db
      .prepare<[string], { readonly name: string; readonly owner: number | null }>(
        'SELECT name, owner FROM files WHERE path = ?',
      )
      .get(path);
    if (known === undefined || (known.name === path && known.owner === owner)) return path;
    return withHash(path, `${path} ${owner ?? ''}`);
  }

  /** Keeps a page: first its bytes, then what is known of it. @returns The state of its list behind it. */
  keep(page: KeptPage): void {
    const { walk, file, counts } = page;
    const owner = file?.isWhole ? walk.id : null;
    const written = file && this.#write(this.fileFor(file.path, owner), file.text, owner);
    this.#db.transaction(() => {
      if (written) this.#db.prepare('UPDATE files SET bytes = ?, last = ?, sha256 = ? WHERE path = ?').run(...written);
      const addId = this.#db.prepare('INSERT OR IGNORE INTO ids VALUES (?, ?, ?)');
      for (const [id, hash] of page.ids) addId.run(walk.id, id, hash);
      const addFile = this.#db.prepare(`INSERT OR IGNORE INTO named_files VALUES (?, ?, ?, ?, 'open')`);
      for (const one of page.files) addFile.run(one.key, walk.step, one.name, one.url);
      for (const one of page.walks) this.#addWalk(one.step, one.key, one.values, one.place);
      this.#db
        .prepare(
          `UPDATE walks SET place = ?, refused = coalesce(?, refused), pages = pages + 1, total = coalesce(?, total), rows = rows + ?, edited = edited + ?,
             removed = removed + ?, private = private + ?, changed = changed + ?, passed = passed + ? WHERE id = ?`,
        )
        .run(
          ...[page.next ? JSON.stringify(page.next) : null, page.refused ?? null, page.total ?? null],
          ...[counts.rows, counts.edited, counts.removed, counts.private, page.changed, page.passed, walk.id],
        );
      // Ids are looked at while their list is read; a list that ended needs none.
      if (!page.next) this.#db.prepare('DELETE FROM ids WHERE walk = ?').run(walk.id);
    })();
  }

  /** Leaves a list that the provider does not give now. The next run asks for it again. */
  refuse(walk: Walk, why: string): void {
    this.#db.prepare('UPDATE walks SET refused = ? WHERE id = ?').run(why, walk.id);
  }

  /** Files of a step that are not here yet; some at a time. One that stays open is given once. */
  *openFiles(step: string): Generator<NamedFile> {
    const some = this.#db.prepare<[string, string], NamedFile>(
      `SELECT key, name, url FROM named_files WHERE step = ? AND state = 'open' AND key > ? ORDER BY key LIMIT 200`,
    );
    for (let after = '', rows = some.all(step, after); rows.length > 0; rows = some.all(step, after)) {
      after = rows.at(-1)!.key;
      yield* rows;
    }
  }

  /** @param state `here`, or why it will never be. */
  noteFile(key: string, state: string): void {
    this.#db.prepare('UPDATE named_files SET state = ? WHERE key = ?').run(state, key);
  }

  /** @param owner List whose page is the whole file; null for a file that lists share, which grows. */
  #write(path: string, text: string, owner: number | null): readonly [number, number, string, string] {
    const full = join(this.#folder, path);
    const known = this.#db.prepare<[string], number>('SELECT bytes FROM files WHERE path = ?').pluck().get(path);
    if (known === undefined) {
      // Known before it is there: what a kill leaves of it is found.
      this.#db.prepare('INSERT INTO files VALUES (?, ?, 0, 0, ?, ?)').run(path, path, '', owner);
    }
    const isEmpty = (known ?? 0) === 0;
    // Killed in between, we know of a file that is not there.
    const isNew = isEmpty && !existsSync(full);
    const folder = dirname(full);
    const isNewFolder = !existsSync(folder);
    if (isNew) makeFolder(folder);
    const bytes = Buffer.from(text);
    const start = owner === null ? (known ?? 0) : 0;
    const file = openSync(full, isNew ? 'wx' : 'r+', 0o600);
    try {
      ftruncateSync(file, start);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, start + at);
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
    if (isEmpty) flushFolderSync(folder);
    if (isNewFolder) flushFolderSync(dirname(folder));
    return [start + bytes.length, bytes.length, sha256Hex(text), path];
  }

  /** Cuts off what a kill left behind the last whole page of each file. @throws SourceError if a file was changed since. */
  #cutRemains(): void {
    const all = this.#db.prepare<[], FileRow>('SELECT name, bytes, last, sha256 FROM files');
    for (const { name, bytes, last, sha256 } of all.iterate()) {
      const path = join(this.#folder, name);
      if (bytes === 0 && !existsSync(path)) continue;
      const file = openFetched(path);
      try {
        const page = Buffer.alloc(last);
        const isSame =
          readSync(file, page, 0, last, bytes - last) === last &&
          (bytes === 0 || sha256Hex(page.toString()) === sha256);
        if (!isSame) throw changed(path);
        ftruncateSync(file, bytes);
      } finally {
        closeSync(file);
      }
    }
  }

  /** Totals of every step that has begun, by its name. */
  steps(): ReadonlyMap<string, StepState> {
    const rows = this.#db
      .prepare<[], StepState>(
        `SELECT step, count(*) lists, sum(place IS NOT NULL AND refused IS NULL) open, count(refused) refused, sum(pages) pages, sum(rows) rows, sum(edited) edited,
           sum(removed) removed, sum(private) private, sum(changed) changed FROM walks GROUP BY step`,
      )
      .all();
    return new Map(rows.map((row) => [row.step, row]));
  }

  /** Lists that the provider does not give, and those of which fewer rows came than it announced: some of each. */
  *gaps(): Generator<{
    readonly step: string;
    readonly values: Values;
    readonly why: string;
    readonly missing: number;
  }> {
    const rows = this.#db.prepare<[], GapRow>(
      `SELECT step, vals, refused, total, rows + passed rows FROM walks WHERE refused IS NOT NULL OR (place IS NULL AND total > rows + passed) ORDER BY id LIMIT 1000`,
    );
    for (const { step, vals, refused, total, rows: given } of rows.iterate()) {
      const missing = Math.max((total ?? 0) - given, 0);
      yield {
        step,
        values: JSON.parse(vals) as Values,
        why: refused ?? `${total} were announced, ${given} came`,
        missing,
      };
    }
  }

  /** Files that are here, those that will never be with the reason, and those that are open. */
  fileCounts(): Readonly<Record<string, number>> {
    const rows = this.#db
      .prepare<[], { readonly state: string; readonly count: number }>(
        'SELECT state, count(*) count FROM named_files GROUP BY state ORDER BY state LIMIT 100',
      )
      .all();
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  }

  close(): void {
    this.#db.close();
    this.#lock.release();
  }
}

interface WalkRow {
  readonly id: number;
  readonly step: string;
  readonly vals: string;
  readonly place: string;
}

interface FileRow {
  readonly name: string;
  readonly bytes: number;
  readonly last: number;
  readonly sha256: string;
}

interface GapRow {
  readonly step: string;
  readonly vals: string;
  readonly refused: string | null;
  readonly total: number | null;
  readonly rows: number;
}

function openFetched(path: string): number {
  try {
    return openSync(path, 'r+');
  } catch (error) {
    throw changed(path, error);
  }
}

const changed = (path: string, cause?: unknown) =>
  new ChangedFetch('Cannot continue: the file is not what was fetched', {
    cause,
    hint: 'Fetch into another folder with --out',
    location: { path },
  });
