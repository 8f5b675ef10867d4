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
import { createMergeIndexes, createMessageIndexes, dropMessageIndexes } from '../checkpoint/message-indexes.ts';
import { forgetExport } from '../checkpoint/forget-export.ts';
import { readMeta, writeMeta } from '../checkpoint/meta.ts';
import { type KnownFile, reopenFiles, SourceFiles, unfinished } from '../checkpoint/source-files.ts';
import { appendRows, mergeRows, type RowWriter } from '../checkpoint/stage-rows.ts';
import type { Store } from '../checkpoint/store.ts';
import type { ExportInput, FileStat } from '../io/export-input.ts';
import { openExport } from '../io/open-export.ts';
import type { Clock } from '../lib/clock.ts';
import { StoreError, UsageError } from '../lib/errors.ts';
import { formatLocation } from '../lib/location.ts';
import type { Mapping } from '../mapping/load-rules.ts';
import type { Entry } from '../model/entry.ts';
import type { Profile } from '../service/profiles.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { chooseSource } from './choose-source.ts';
import { EntryMapper } from './entry-mapper.ts';
import { ItemWriter } from './item-writer.ts';
import type { Progress } from './progress.ts';

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

/** Items per transaction: enough that its commit costs nothing beside them. */
const itemsPerCommit = 5_000;

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
  if (owner === undefined) writeMeta(store.db, 'source', adapter.name);
  if (owner === undefined || owner === adapter.name) return;
  throw new StoreError(
    `Cannot plan into "${store.path}": it belongs to source "${owner}", this export to "${adapter.name}"`,
    {
      path: store.path,
      hint: 'Pass --store with another file for this export',
    },
  );
}

/** Thrown inside a pass when a shared file turns out to have changed: everything must be read. */
const everythingIsNeeded = Symbol('a shared file changed');

/** What one pass reads of an input, and what it then has to forget. */
interface InputChanges {
  readonly wanted: readonly string[] | 'all';
  /** The files as the last plan left them; absent where that does not matter, because everything is read. */
  readonly before: SourceFiles | undefined;
  readonly gone: readonly KnownFile[];
}

class Planning {
  readonly #db: Database;
  readonly #store: Store;
  readonly #options: PlanOptions;
  readonly #adapter: SourceAdapter;
  readonly #inputs: readonly ExportInput[];
  #rowCount = 0;

  constructor(store: Store, options: PlanOptions, adapter: SourceAdapter, inputs: readonly ExportInput[]) {
    this.#db = store.db;
    this.#store = store;
    this.#options = options;
    this.#adapter = adapter;
    this.#inputs = inputs;
  }

  async run(): Promise<void> {
    const wasComplete = readMeta(this.#db, 'isComplete') !== 'no';
    const rulesChanged = this.#noteRules();
    writeMeta(this.#db, 'exports', JSON.stringify(this.#inputs.map(({ label }) => label)));
    this.#noteInputProblems();
    const stage = this.#options.progress.stage('Reading');
    const known = this.#db.prepare('SELECT 1 FROM message UNION ALL SELECT 1 FROM source_file LIMIT 1').get();
    if (known === undefined) await this.#load(stage.update);
    else {
      createMessageIndexes(this.#db);
      // A load that was interrupted has not looked for repeated identities yet.
      if (!wasComplete) settleRepeated(this.#db);
      await this.#refresh({ everything: rulesChanged, wasComplete }, stage.update);
    }
    this.#finish();
    stage.finish(this.#rowCount === 0 ? 'nothing changed since the last plan' : undefined);
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
    // A larger log between checkpoints: twice as fast for a load (measured), 80 MB of disk for its duration. Nothing was
    // sent yet: what a power cut takes of it is read again.
    db.pragma('wal_autocheckpoint = 10000');
    db.pragma('synchronous = NORMAL');
    await this.#read(
      this.#inputs.map(() => ({ wanted: 'all', before: undefined, gone: [] })),
      appendRows(db),
      update,
    );
    db.pragma('wal_autocheckpoint = 1000');
    db.pragma('synchronous = FULL');
    createMessageIndexes(db);
    settleRepeated(db);
  }

  /** A later plan: read what changed, and settle what that leaves behind. */
  async #refresh(
    { everything, wasComplete }: { everything: boolean; wasComplete: boolean },
    update: (state: { done: number }) => void,
  ): Promise<void> {
    const db = this.#db;
    const noteChange = db.prepare('INSERT INTO problem (file, code, reason, place) VALUES (?, ?, ?, ?)');
    createMergeIndexes(db);
    // A plan that was killed between reading and settling leaves nothing to read, and rows to settle.
    let isSettled = wasComplete;
    for (let readAll = everything; ; ) {
      const changes: InputChanges[] = [];
      for (const input of this.#inputs) changes.push(await this.#changesOf(input, readAll));
      const isUnchanged = changes.every(({ wanted, gone }) => wanted.length === 0 && gone.length === 0);
      if (isUnchanged && isSettled) return;
      if (!readAll && changes.some(({ gone }) => gone.some(({ role }) => role === 'shared'))) {
        readAll = true;
        continue;
      }
      if (readAll) reopenFiles(db);
      const rows = mergeRows(db, ({ muid, place }, { file }) =>
        noteChange.run(file, 'changed-after-sending', `Message ${muid} changed at the source after it was sent`, place),
      );
      try {
        await this.#read(changes, rows, update);
      } catch (error) {
        if (error !== everythingIsNeeded) throw error;
        readAll = true;
        continue;
      }
      const twins = this.#transaction(() => {
        forgetFiles(
          db,
          changes.flatMap(({ gone }) => gone.map(({ id }) => id)),
        );
        const files = settleStale(db);
        // Another version of a row that left stands in these files.
        const reopen = db.prepare('UPDATE source_file SET fingerprint = ? WHERE id = ?');
        for (const file of files) reopen.run(unfinished, file);
        return files;
      });
      if (twins.length === 0) return;
      isSettled = true;
      readAll = false;
    }
  }

  /** Compares an input's files with what the last plan left. */
  async #changesOf(input: ExportInput, readAll: boolean): Promise<InputChanges> {
    const before = new SourceFiles(this.#db, input.key);
    const paths = await input.paths();
    const wanted: string[] = [];
    let metCount = 0;
    for (const path of paths) {
      const known = before.find(path);
      if (known && known.role !== 'gone') metCount++;
      if (known?.fingerprint !== (await input.stat(path)).fingerprint) wanted.push(path);
    }
    const gone = metCount === before.count() ? [] : goneFiles(before, new Set(paths));
    return readAll ? { wanted: 'all', before: undefined, gone } : { wanted, before, gone };
  }

  /** One pass over the exports: everything wanted is read, mapped and written. */
  async #read(
    changes: readonly InputChanges[],
    rows: RowWriter,
    update: (state: { done: number }) => void,
  ): Promise<void> {
    const db = this.#db;
    const { mapping, profile, clock, workspace, signal } = this.#options;
    const writer = new ItemWriter(db, this.#store.path, rows);
    // One mapper for all inputs: who is known from one is known in the next.
    const mapper = new EntryMapper({ rules: mapping.rules, limits: profile.limits, nowMs: clock.now() }, (item) =>
      writer.write(item),
    );
    const sourceOptions = this.#sourceOptions();
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const [index, input] of this.#inputs.entries()) {
        const { wanted, before } = changes[index]!;
        writer.beginInput(input.key);
        const wantedPaths = wanted === 'all' ? undefined : new Set(wanted);
        const wants = (path: string) => wantedPaths?.has(path) ?? true;
        const context = { signal, wants, ...(workspace !== undefined && { workspace }) };
        for await (const entry of this.#adapter.read(input, sourceOptions, context)) {
          if (entry.type === 'file') {
            const stat = await input.stat(entry.path);
            if (isChangedShared(entry, stat, before)) throw everythingIsNeeded;
            writer.closeFile(entry, stat);
          } else {
            mapper.add(entry);
          }
          if (writer.itemCount < itemsPerCommit) continue;
          writer.beforeCommit();
          db.exec('COMMIT');
          update({ done: writer.rowCount });
          // Signals and timers get their turn; reading itself never waits.
          await nextTurn();
          signal.throwIfAborted();
          db.exec('BEGIN IMMEDIATE');
        }
      }
      db.exec('COMMIT');
      this.#rowCount += writer.rowCount;
      update({ done: writer.rowCount });
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
      throw error;
    }
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
      const [what, key] =
        collision.kind === 'uid' ? ['people', 'people.uids'] : ['conversations', 'conversations.guids'];
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
      if (changed.length > 0 && isSent) {
        freezeAllPayloads(this.#db);
        reopenFiles(this.#db);
      } else if (changed.length > 0) forgetExport(this.#db);
      for (const [key, value] of Object.entries(now)) writeMeta(this.#db, key as keyof typeof now, value);
      writeMeta(this.#db, 'rules', JSON.stringify(mapping.rules));
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

  #transaction<T>(run: () => T): T {
    return this.#db.transaction(run).immediate();
  }
}

/** A shared file that changed since the last plan concerns rows everywhere. */
const isChangedShared = (
  entry: Extract<Entry, { type: 'file' }>,
  { fingerprint }: FileStat,
  before: SourceFiles | undefined,
) =>
  entry.role === 'shared' &&
  before !== undefined &&
  !before.isNew &&
  before.find(entry.path)?.fingerprint !== fingerprint;

function goneFiles(before: SourceFiles, present: ReadonlySet<string>): KnownFile[] {
  const gone: KnownFile[] = [];
  for (const file of before.all()) if (file.role !== 'gone' && !present.has(file.path)) gone.push(file);
  return gone;
}
