import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import {
  collectWriters,
  countSilentMembers,
  findCollisions,
  forgetFiles,
  settleOutsiders,
  settleRepeated,
  settleStale,
} from '../checkpoint/finish-staging.ts';
import { freezeAllPayloads } from '../checkpoint/freeze-payloads.ts';
import { createMessageIndexes, dropMessageIndexes } from '../checkpoint/message-indexes.ts';
import { forgetExport } from '../checkpoint/forget-export.ts';
import { readMeta, writeMeta } from '../checkpoint/meta.ts';
import { closeFile, type KnownFile, knownFiles, openFile, unfinished } from '../checkpoint/source-files.ts';
import { appendRows, mergeRows } from '../checkpoint/stage-rows.ts';
import type { Store } from '../checkpoint/store.ts';
import type { ExportInput } from '../io/export-input.ts';
import { openExport } from '../io/open-export.ts';
import type { Clock } from '../lib/clock.ts';
import { StoreError, UsageError } from '../lib/errors.ts';
import { formatLocation } from '../lib/location.ts';
import type { Mapping } from '../mapping/load-rules.ts';
import type { Entry } from '../model/entry.ts';
import type { Profile } from '../service/profiles.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { chooseSource } from './choose-source.ts';
import type { Progress } from './progress.ts';
import { Stager } from './stager.ts';

export interface PlanOptions {
  /** Folders, archives and files, as the user named them. */
  readonly exports: readonly string[];
  /** Name of a source; detected where absent. */
  readonly source?: string | undefined;
  /** Used where the export itself does not name its workspace. */
  readonly workspace?: string | undefined;
  readonly mapping: Mapping;
  /** Apply a changed mapping although messages were already sent under the old one. */
  readonly acceptMapping: boolean;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Rows per transaction: enough that its commit costs nothing beside them. */
const rowsPerCommit = 10_000;

/**
 * Reads the exports, maps every record, and stages what would be sent. Sends nothing.
 *
 * Files whose fingerprint did not change are not read again. A changed mapping, profile limit or shared file (people,
 * channels) means reading everything. A plan that was interrupted goes on with the files that it had not finished.
 *
 * @throws SourceError, UsageError, StoreError
 */
export async function plan(store: Store, options: PlanOptions): Promise<void> {
  const inputs = await openExport(options.exports);
  try {
    const adapter = await chooseSource(inputs, options.source);
    claimStore(store, adapter);
    await new Planning(store, options, adapter, inputs).run();
  } finally {
    for (const input of inputs) await input.close();
  }
}

/** A store belongs to one source, fixed by its first plan. */
function claimStore(store: Store, adapter: SourceAdapter): void {
  const owner = readMeta(store.db, 'source');
  if (owner === undefined) return writeMeta(store.db, 'source', adapter.name);
  if (owner === adapter.name) return;
  throw new StoreError(`Cannot plan into "${store.path}": it belongs to source "${owner}", this export to "${adapter.name}"`, {
    path: store.path,
    hint: 'Pass --store with another file for this export',
  });
}

/** Thrown inside a pass when a shared file turns out to have changed: everything must be read. */
const everythingIsNeeded = Symbol('a shared file changed');

class Planning {
  readonly #db: Database;
  readonly #store: Store;
  readonly #options: PlanOptions;
  readonly #adapter: SourceAdapter;
  readonly #inputs: readonly ExportInput[];
  #rowCount = 0;
  #rowsInTransaction = 0;

  constructor(store: Store, options: PlanOptions, adapter: SourceAdapter, inputs: readonly ExportInput[]) {
    this.#db = store.db;
    this.#store = store;
    this.#options = options;
    this.#adapter = adapter;
    this.#inputs = inputs;
  }

  async run(): Promise<void> {
    const rulesChanged = this.#noteRules();
    writeMeta(this.#db, 'exports', JSON.stringify(this.#inputs.map(({ label }) => label)));
    this.#noteInputProblems();
    const isEmpty = this.#db.prepare('SELECT 1 FROM message LIMIT 1').get() === undefined;
    const stage = this.#options.progress.stage('Reading');
    if (isEmpty) await this.#load(stage.update);
    else await this.#refresh(rulesChanged, stage.update);
    this.#finish();
    stage.finish();
  }

  /** What was noticed while listing the inputs; it belongs to no file that was read. */
  #noteInputProblems(): void {
    const insert = this.#db.prepare('INSERT INTO problem (file, code, reason, place) VALUES (NULL, ?, ?, ?)');
    this.#transaction(() => {
      this.#db.exec('DELETE FROM problem WHERE file IS NULL');
      for (const { problems } of this.#inputs) {
        for (const { code, reason, location } of problems) insert.run(code, reason, formatLocation(location));
      }
    });
  }

  /** The first plan: append everything, then build indexes and look for repeated identities. */
  async #load(update: (state: { done: number }) => void): Promise<void> {
    const db = this.#db;
    dropMessageIndexes(db);
    // A larger log between checkpoints: twice as fast for a load (measured), 80 MB of disk for its duration.
    db.pragma('wal_autocheckpoint = 20000');
    const stager = this.#stager(appendRows(db));
    for (const input of this.#inputs) await this.#read(input, stager, new Map(), () => true, update, () => {});
    db.pragma('wal_autocheckpoint = 1000');
    createMessageIndexes(db);
    settleRepeated(db);
  }

  /** A later plan: read what changed, and settle what that leaves behind. */
  async #refresh(everything: boolean, update: (state: { done: number }) => void): Promise<void> {
    const db = this.#db;
    createMessageIndexes(db);
    let readAll = everything;
    for (let pass = 1; ; pass++) {
      const rows = mergeRows(db, (file, row) =>
        db
          .prepare('INSERT INTO problem (file, code, reason, place) VALUES (?, ?, ?, ?)')
          .run(file, 'changed-after-sending', `Message ${row.muid} changed at the source after it was sent`, row.place),
      );
      const stager = this.#stager(rows);
      try {
        const gone: number[] = [];
        for (const input of this.#inputs) gone.push(...(await this.#refreshInput(input, stager, rows.beginFile, readAll, update)));
        const twins = this.#transaction(() => {
          forgetFiles(db, gone);
          return settleStale(db);
        });
        if (twins.length === 0) return;
        const reopen = db.prepare('UPDATE source_file SET fingerprint = ? WHERE id = ?');
        for (const file of twins) reopen.run(unfinished, file);
        readAll = false;
      } catch (error) {
        if (error !== everythingIsNeeded) throw error;
        readAll = true;
      }
    }
  }

  /** @returns Files of this input that are gone. */
  async #refreshInput(
    input: ExportInput,
    stager: Stager,
    beginFile: (file: number) => void,
    readAll: boolean,
    update: (state: { done: number }) => void,
  ): Promise<number[]> {
    const known = knownFiles(this.#db, input.key);
    const wanted = new Set<string>();
    const present = new Set<string>();
    for (const path of await input.paths()) {
      present.add(path);
      if (known.get(path)?.fingerprint !== (await input.stat(path)).fingerprint) wanted.add(path);
    }
    const gone = [...known.values()].filter((file) => !present.has(file.path) && file.role !== 'gone');
    const sharedIsGone = gone.some((file) => file.role === 'shared');
    if (!readAll && wanted.size === 0 && gone.length === 0) return [];
    if (!readAll && sharedIsGone && known.size > 0) throw everythingIsNeeded;
    const wants = readAll ? () => true : (path: string) => wanted.has(path);
    await this.#read(input, stager, readAll ? new Map() : known, wants, update, beginFile);
    return gone.map(({ id }) => id);
  }

  async #read(
    input: ExportInput,
    stager: Stager,
    known: ReadonlyMap<string, KnownFile>,
    wants: (path: string) => boolean,
    update: (state: { done: number }) => void,
    beginFile: (file: number) => void,
  ): Promise<void> {
    const { db, signal } = { db: this.#db, signal: this.#options.signal };
    const { workspace } = this.#options;
    const sourceOptions = this.#sourceOptions();
    const context = { signal, wants, ...(workspace !== undefined && { workspace }) };
    let path: string | undefined;
    let file = 0;
    const enter = (next: string) => {
      if (next === path) return;
      path = next;
      file = openFile(db, input.key, next);
      beginFile(file);
    };
    db.exec('BEGIN IMMEDIATE');
    try {
      for await (const entry of this.#adapter.read(input, sourceOptions, context)) {
        enter(entry.type === 'file' ? entry.path : entry.location.path);
        if (entry.type === 'file') {
          await this.#close(input, entry, file, known, stager);
          path = undefined;
        } else {
          stager.stage(entry, file);
          if (entry.type === 'reject' || (entry.type === 'record' && entry.record.kind === 'message')) this.#rowCount++;
        }
        if (++this.#rowsInTransaction >= rowsPerCommit) {
          this.#rowsInTransaction = 0;
          db.exec('COMMIT');
          update({ done: this.#rowCount });
          // Signals and timers get their turn; reading itself never waits.
          await nextTurn();
          signal.throwIfAborted();
          db.exec('BEGIN IMMEDIATE');
        }
      }
      db.exec('COMMIT');
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
      throw error;
    }
    update({ done: this.#rowCount });
  }

  async #close(
    input: ExportInput,
    entry: Extract<Entry, { type: 'file' }>,
    file: number,
    known: ReadonlyMap<string, KnownFile>,
    stager: Stager,
  ): Promise<void> {
    const stat = await input.stat(entry.path);
    const before = known.get(entry.path);
    if (entry.role === 'shared' && known.size > 0 && before?.fingerprint !== stat.fingerprint) throw everythingIsNeeded;
    if (entry.role === 'unknown') {
      stager.problem(file, 'unknown-file', entry.reason ?? 'This file is not part of the format; nothing of it was read', {
        path: entry.path,
      });
    }
    closeFile(this.#db, file, entry.role, entry.reason, stat);
  }

  #finish(): void {
    const { db } = { db: this.#db };
    this.#transaction(() => {
      collectWriters(db);
      settleOutsiders(db, this.#options.mapping.rules.conversations.outsiders);
      writeMeta(db, 'silentMembers', String(countSilentMembers(db)));
    });
    const collision = findCollisions(db)[0];
    if (collision) {
      const [what, key] = collision.kind === 'uid' ? ['people', 'people.uids'] : ['conversations', 'conversations.guids'];
      throw new UsageError(
        `Cannot plan: the ${what} ${collision.sourceIds.map((id) => `"${id}"`).join(' and ')} would all become ${collision.kind} "${collision.id}"`,
        { hint: `Give one of them another ${collision.kind} under ${key} in the mapping` },
      );
    }
    writeMeta(db, 'isComplete', 'yes');
  }

  /** Remembers what decides verdicts. @returns Whether it differs from what the staged rows were made with. */
  #noteRules(): boolean {
    const { mapping, profile, acceptMapping } = this.#options;
    const now = {
      mappingHash: mapping.hash,
      limitsHash: JSON.stringify(profile.limits),
      sourceOptions: JSON.stringify(this.#sourceOptions()),
    };
    const changed = (Object.keys(now) as (keyof typeof now)[]).filter((key) => {
      const before = readMeta(this.#db, key);
      return before !== undefined && before !== now[key];
    });
    const isSent = this.#db.prepare(`SELECT 1 FROM delivery WHERE state <> 'pending' LIMIT 1`).get() !== undefined;
    if (changed.includes('mappingHash') && isSent && !acceptMapping) {
      throw new UsageError('Cannot plan with a changed mapping: messages were already sent under the old one', {
        hint: 'Pass --accept-mapping to apply it to what was not sent yet, or use the mapping of the first import',
      });
    }
    this.#transaction(() => {
      if (changed.length > 0 && isSent) freezeAllPayloads(this.#db);
      else if (changed.length > 0) forgetExport(this.#db);
      for (const [key, value] of Object.entries(now)) writeMeta(this.#db, key as keyof typeof now, value);
      writeMeta(this.#db, 'isComplete', 'no');
    });
    return changed.length > 0;
  }

  #sourceOptions(): unknown {
    const parsed = this.#adapter.options.safeParse(this.#options.mapping.rules.source);
    if (parsed.success) return parsed.data;
    const faults = parsed.error.issues.map((issue) => `source.${issue.path.join('.')}: ${issue.message}`);
    throw new UsageError(`Cannot use the mapping for source "${this.#adapter.name}": ${faults.join('; ')}`);
  }

  #stager(rows: ReturnType<typeof appendRows>): Stager {
    const { mapping, profile, clock } = this.#options;
    return new Stager({
      db: this.#db,
      storePath: this.#store.path,
      rows,
      rules: mapping.rules,
      limits: profile.limits,
      nowMs: clock.now(),
    });
  }

  #transaction<T>(run: () => T): T {
    return this.#db.transaction(run).immediate();
  }
}
