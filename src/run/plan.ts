import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { askWhole } from '../checks/ask-whole.ts';
import {
  collectWriters,
  countSilentMembers,
  findCollisions,
  forgetFiles,
  settleOutsiders,
  settleRepeated,
  settleStale,
  settleTwins,
} from '../checkpoint/finish-staging.ts';
import { createMergeIndexes, createMessageIndexes, dropMessageIndexes } from '../checkpoint/message-indexes.ts';
import { printPlace } from '../checkpoint/message-facts.ts';
import { readMeta, writeMeta } from '../checkpoint/meta.ts';
import { storedPeople } from '../checkpoint/people.ts';
import { reopenFiles, unfinished } from '../checkpoint/source-files.ts';
import { stagedTextReader } from '../checkpoint/staged-text.ts';
import { appendRows, mergeRows, type RowWriter } from '../checkpoint/stage-rows.ts';
import type { Store } from '../checkpoint/store.ts';
import type { Clock } from '../lib/clock.ts';
import { UsageError } from '../lib/errors.ts';
import { formatLocation } from '../lib/location.ts';
import type { Filter } from '../mapping/filter/filter.ts';
import type { Mapping } from '../mapping/load-rules.ts';
import type { Profile } from '../service/profiles.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { changesOf, type InputChanges, isChangedShared } from './changed-files.ts';
import { sourceNamed } from './choose-source.ts';
import { claimStore, type Corrections } from './claim-store.ts';
import { counted } from './counted-rows.ts';
import { EntryMapper } from './entry-mapper.ts';
import { ItemWriter } from './item-writer.ts';
import { noteRules } from './note-rules.ts';
import { pinPlan } from './pins.ts';
import type { Progress } from './progress.ts';
import { ExportReader, type InputSummary, type OpenedExports } from './reading/export-reader.ts';
import type { ReadRequest } from './reading/read-entries.ts';
import { settleMapping } from './settle-mapping.ts';
import { parseSourceOptions } from './source-options.ts';
import { Tally } from './tally.ts';

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
  /** Messages outside are skipped, and added by a later plan without it or with a wider one. */
  readonly only?: Filter | undefined;
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
 * @returns The messages added up, where that came along at no cost: after a first plan.
 * @throws SourceError, UsageError, StoreError
 */
export async function plan(store: Store, options: PlanOptions): Promise<Tally | undefined> {
  const reader = new ExportReader(options.exports, options.source);
  try {
    const opened = await reader.open({ readsAll: isEmpty(store.db) });
    const corrections = claimStore(store, opened.source, options);
    return await new Planning(store, options, reader, opened, corrections).run();
  } finally {
    await reader.close();
  }
}

const isEmpty = (db: Database) =>
  db.prepare('SELECT 1 FROM message UNION ALL SELECT 1 FROM source_file LIMIT 1').get() === undefined;

/** Thrown inside a pass when a shared file turns out to have changed: everything must be read. */
const everythingIsNeeded = Symbol('a shared file changed');

type Update = (state: { done: number }) => void;

/**
 * One plan. Everything that it writes belongs to transactions that begin before the rules are noted and end after some
 * thousand items: an export that is refused at its first rows leaves the store as it was.
 */
class Planning {
  readonly #db: Database;
  readonly #store: Store;
  readonly #options: PlanOptions;
  readonly #adapter: SourceAdapter;
  readonly #reader: ExportReader;
  readonly #inputs: readonly InputSummary[];
  readonly #sourceOptions: unknown;
  readonly #corrections: Corrections | undefined;
  #rowCount = 0;
  /** Something was read, or left the books: the checks are asked again. */
  #isChanged = false;
  #tally: Tally | undefined;

  constructor(
    store: Store,
    options: PlanOptions,
    reader: ExportReader,
    { source, inputs }: OpenedExports,
    corrections: Corrections | undefined,
  ) {
    this.#db = store.db;
    this.#store = store;
    this.#options = options;
    this.#adapter = sourceNamed(source);
    this.#reader = reader;
    this.#inputs = inputs;
    this.#sourceOptions = parseSourceOptions(this.#adapter, options.mapping);
    this.#corrections = corrections;
  }

  async run(): Promise<Tally | undefined> {
    const db = this.#db;
    const stage = this.#options.progress.stage('Reading');
    // Nothing is sent meanwhile: what a power cut takes of it is read again. A larger log between checkpoints makes a
    // load twice as fast (measured), for 80 MB of disk while it lasts.
    db.pragma('synchronous = NORMAL');
    db.pragma('wal_autocheckpoint = 10000');
    db.exec('BEGIN IMMEDIATE');
    try {
      await this.#stage(stage.update);
      this.#finish();
      db.exec('COMMIT');
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
      throw error;
    } finally {
      db.pragma('wal_autocheckpoint = 1000');
      db.pragma('synchronous = FULL');
    }
    stage.finish(this.#rowCount === 0 ? 'nothing changed since the last plan' : undefined);
    return this.#tally;
  }

  async #stage(update: Update): Promise<void> {
    const db = this.#db;
    const { mapping, profile, acceptMapping, only } = this.#options;
    const wasComplete = readMeta(db, 'isComplete') !== 'no';
    if (!this.#corrections) writeMeta(db, 'source', this.#adapter.name);
    const sourceOptions = this.#corrections?.sourceOptions ?? this.#sourceOptions;
    const rules = { mapping, limits: profile.limits, sourceOptions, only };
    const rulesChanged = noteRules(db, rules, acceptMapping);
    writeMeta(db, 'isComplete', 'no');
    writeMeta(db, 'exports', JSON.stringify(this.#inputs.map(({ label }) => label)));
    this.#noteInputProblems();
    if (isEmpty(db)) return this.#load(update);
    createMessageIndexes(db);
    // A load that was interrupted has not looked for repeated identities yet.
    if (!wasComplete) settleRepeated(db);
    await this.#refresh({ everything: rulesChanged, wasComplete }, update);
  }

  /** What was noticed while listing the inputs; it belongs to no file that was read. */
  #noteInputProblems(): void {
    const insert = this.#db.prepare('INSERT INTO problem (file, code, reason, place) VALUES (NULL, ?, ?, ?)');
    this.#db.exec('DELETE FROM problem WHERE file IS NULL');
    for (const { problems } of this.#inputs) {
      for (const { code, reason, location } of problems) insert.run(code, reason, formatLocation(location));
    }
  }

  /** The first plan: append everything, then build indexes and look for repeated identities. */
  async #load(update: Update): Promise<void> {
    const db = this.#db;
    dropMessageIndexes(db);
    const tally = new Tally();
    await this.#read(
      this.#inputs.map(() => 'all' as const),
      counted(appendRows(db), tally),
      update,
    );
    createMessageIndexes(db);
    if (settleRepeated(db) === 0) this.#tally = tally;
  }

  /** A later plan: read what changed, and settle what that leaves behind. */
  async #refresh(
    { everything, wasComplete }: { everything: boolean; wasComplete: boolean },
    update: Update,
  ): Promise<void> {
    const db = this.#db;
    const noteChange = db.prepare('INSERT INTO problem (file, code, reason, place) VALUES (?, ?, ?, ?)');
    createMergeIndexes(db);
    // A plan that was killed between reading and settling leaves nothing to read, and rows to settle.
    let isSettled = wasComplete;
    for (let readAll = everything; ; ) {
      const changes: InputChanges[] = [];
      for (const input of await this.#reader.inputs()) changes.push(await changesOf(db, input));
      const isUnchanged = changes.every(({ changed, gone }) => changed.length === 0 && gone.length === 0);
      if (isUnchanged && isSettled && !readAll) return;
      // Where every file changed, everything is read in any case: no second pass for the shared ones among them.
      readAll ||= changes.every(({ isAll }) => isAll);
      if (!readAll && changes.some(({ gone }) => gone.some(({ role }) => role === 'shared'))) readAll = true;
      if (readAll) reopenFiles(db);
      const rows = mergeRows(db, ({ muid, place }, { file, path }) =>
        noteChange.run(
          file,
          'changed-after-sending',
          `Message ${muid} changed at the source after it was sent`,
          printPlace(path, place),
        ),
      );
      try {
        await this.#read(
          changes.map(({ changed }) => (readAll ? 'all' : changed)),
          rows,
          update,
        );
      } catch (error) {
        if (error !== everythingIsNeeded) throw error;
        readAll = true;
        continue;
      }
      forgetFiles(
        db,
        changes.flatMap(({ gone }) => gone.map(({ id }) => id)),
      );
      // Another version of a row that left stands in these files.
      const twins = settleStale(db);
      const reopen = db.prepare('UPDATE source_file SET fingerprint = ? WHERE id = ?');
      for (const file of twins) reopen.run(unfinished, file);
      this.#commit();
      if (twins.length === 0) return;
      isSettled = true;
      readAll = false;
    }
  }

  /** One pass over the exports: everything wanted is read, mapped and written. */
  async #read(wanted: ReadRequest['wanted'], rows: RowWriter, update: Update): Promise<void> {
    const { mapping, profile, clock, workspace, signal, only } = this.#options;
    this.#isChanged = true;
    const writer = new ItemWriter(this.#db, this.#store.path, rows);
    // One mapper for all inputs: who is known from one is known in the next.
    const mapper = new EntryMapper(
      { mapping, limits: profile.limits, nowMs: clock.now(), only, stagedText: stagedTextReader(this.#db) },
      (item) => writer.write(item),
    );
    // The files that are left out may be those that describe the people of the others.
    if (this.#corrections || wanted.some((paths) => paths !== 'all')) {
      for (const person of storedPeople(this.#db)) {
        mapper.know(person.record);
        writer.know(person.record.id, person.id);
      }
    }
    const request: ReadRequest = {
      source: this.#adapter.name,
      sourceOptions: this.#sourceOptions,
      workspace,
      wanted,
    };
    let input = -1;
    for await (const list of this.#reader.read(request, signal)) {
      for (; input < list.input; input++) {
        const { key } = this.#inputs[input + 1]!;
        writer.beginInput(key);
        this.#corrections?.beginInput(key);
      }
      for (const entry of list.entries) {
        this.#corrections?.check(entry);
        if (entry.type !== 'file') mapper.add(entry);
        else if (wanted[input] !== 'all' && isChangedShared(entry, writer.files)) throw everythingIsNeeded;
        else writer.closeFile(entry);
      }
      if (writer.itemCount < itemsPerCommit) continue;
      writer.beforeCommit();
      this.#commit();
      update({ done: writer.rowCount });
      // Signals and timers get their turn; reading itself never waits.
      await nextTurn();
      signal.throwIfAborted();
    }
    signal.throwIfAborted();
    writer.beforeCommit();
    this.#rowCount += writer.rowCount;
    update({ done: writer.rowCount });
  }

  #commit(): void {
    this.#db.exec('COMMIT');
    this.#db.exec('BEGIN IMMEDIATE');
  }

  #finish(): void {
    const db = this.#db;
    const { mapping, only } = this.#options;
    if (settleMapping(db, mapping.rules, only)) this.#tally = undefined;
    collectWriters(db);
    if (settleOutsiders(db, mapping.rules.conversations.outsiders) > 0) this.#tally = undefined;
    const noteTwin = db.prepare(
      `INSERT INTO problem (file, code, reason, place) VALUES (NULL, 'direct-as-group', ?, ?)`,
    );
    for (const { sourceId, other } of settleTwins(db)) {
      noteTwin.run(`"${sourceId}" has the same two people as the direct conversation "${other}"`, sourceId);
    }
    writeMeta(db, 'silentMembers', String(countSilentMembers(db)));
    if (this.#isChanged) askWhole(db);
    const collision = findCollisions(db)[0];
    if (collision) {
      // What was read is kept: with another mapping that names them apart, or without.
      this.#commit();
      const [what, key] =
        collision.kind === 'uid' ? ['people', 'people.uids'] : ['conversations', 'conversations.guids'];
      throw new UsageError(
        `Cannot plan: the ${what} ${collision.sourceIds.map((id) => `"${id}"`).join(' and ')} would all become ${collision.kind} "${collision.id}"`,
        { hint: `Give one of them another ${collision.kind} under ${key} in the mapping` },
      );
    }
    const { profile } = this.#options;
    pinPlan(db, { mappingHash: mapping.hash, profile, isExportChanged: this.#isChanged });
    writeMeta(db, 'isComplete', 'yes');
  }
}
