import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import {
  filesOfFoundRoots,
  forgetFiles,
  reopenDirect,
  settleRepeated,
  settleStale,
} from '../checkpoint/staging/finish-staging.ts';
import { createMergeIndexes, createMessageIndexes, dropMessageIndexes } from '../checkpoint/base/message-indexes.ts';
import { beginPlan, planNumber, readMeta, writeMeta } from '../checkpoint/base/meta.ts';
import { type DoubtedNames, doubtedNames, everyName, forgetNames } from '../checkpoint/staging/doubted-names.ts';
import { storedPeople } from '../checkpoint/staging/people.ts';
import { storedConversations } from '../checkpoint/staging/conversations.ts';
import { reopenFiles, unfinished } from '../checkpoint/staging/source-files.ts';
import { stagedTextReader } from '../checkpoint/staging/staged-content.ts';
import { appendRows, mergeRows, type RowWriter } from '../checkpoint/staging/stage-rows.ts';
import type { Store } from '../checkpoint/base/store.ts';
import type { Clock } from '../lib/clock.ts';
import { formatLocation } from '../lib/location.ts';
import type { Filter } from '../mapping/filter/filter.ts';
import type { Mapping } from '../mapping/rules/load-rules.ts';
import type { ActionKind } from '../model/action.ts';
import type { DriftPolicy, ExportSpan } from '../model/change.ts';
import type { Profile } from '../service/profiles.ts';
import type { SourceAdapter } from '../sources/source.ts';
import {
  changedFiles,
  changesOf,
  everyFile,
  type GoingOn,
  type InputChanges,
  isChangedShared,
  isForOthers,
  type Reading,
} from './changed-files.ts';
import { parseSourceOptions, sourceNamed } from './choose-source.ts';
import { claimStore, type Corrections } from './claim-store.ts';
import { counted } from './counted-rows.ts';
import { DriftNotes } from './drift/drift-notes.ts';
import { settleDrift, settleMapping, settleRead, twinCode } from './after-reading.ts';
import { EntryMapper } from './entry-mapper.ts';
import { ItemWriter } from './item-writer.ts';
import { mergedInto } from './merges.ts';
import { noteRules, plannedActions } from './note-rules.ts';
import { pinPlan } from '../checkpoint/staging/pins.ts';
import type { Progress } from '../lib/progress.ts';
import { ExportReader, type InputSummary, type OpenedExports } from './reading/export-reader.ts';
import type { ReadRequest } from './reading/read-entries.ts';
import type { ReadingThread } from './reading/start-reading.ts';
import { Tally } from '../report/collect/tally.ts';

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
  /** What is done about messages that changed at the source after they were sent. Default: report. */
  readonly drift?: DriftPolicy | undefined;
  /** What a row means that an export no longer holds. Default: everything, so it was deleted. */
  readonly exportKeeps?: ExportSpan | undefined;
  /** What is to follow the messages. Absent: what the latest plan was asked for. */
  readonly actions?: readonly ActionKind[] | undefined;
  /** A thread that opens the exports already; the caller closes it. */
  readonly ahead?: ReadingThread | undefined;
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
  const reader = new ExportReader(options.exports, options.source, options.ahead);
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
  readonly #actions: readonly ActionKind[];
  #rowCount = 0;
  /** Something was read, or left the books: the checks are asked again. */
  #isChanged = false;
  #tally: Tally | undefined;
  #drift!: DriftNotes;

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
    // Corrections go with what is staged.
    this.#actions = plannedActions(store.db, options.mapping.rules, corrections ? undefined : options.actions);
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
    if (wasComplete) beginPlan(db);
    if (!this.#corrections) writeMeta(db, 'source', this.#adapter.name);
    const sourceOptions = this.#corrections?.sourceOptions ?? this.#sourceOptions;
    const rules = { mapping, limits: profile.limits, sourceOptions, only, actions: this.#actions };
    const rulesChanged = noteRules(db, rules, acceptMapping);
    const { drift: policy = 'report', clock } = this.#options;
    const { dataBytesMax } = profile.limits;
    this.#drift = new DriftNotes(db, { policy, nowMs: clock.now(), plan: planNumber(db), dataBytesMax });
    writeMeta(db, 'isComplete', 'no');
    // Corrections go with what is staged.
    if (!this.#corrections)
      writeMeta(db, 'consecutiveIds', this.#adapter.consecutiveIds?.(this.#sourceOptions) ?? 'no');
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
    this.#db.prepare('DELETE FROM problem WHERE file IS NULL AND code <> ?').run(twinCode);
    for (const { problems } of this.#inputs) {
      for (const { code, reason, location } of problems) insert.run(code, reason, formatLocation(location));
    }
  }

  /** The first plan: append everything, then build indexes and look for repeated identities. */
  async #load(update: Update): Promise<void> {
    const db = this.#db;
    dropMessageIndexes(db);
    const tally = new Tally();
    await this.#read(everyFile(this.#inputs), counted(appendRows(db), tally), update);
    createMessageIndexes(db);
    if (settleRepeated(db) === 0) this.#tally = tally;
  }

  /** A later plan: read what changed, and settle what that leaves behind. */
  async #refresh(
    { everything, wasComplete }: { everything: boolean; wasComplete: boolean },
    update: Update,
  ): Promise<void> {
    const db = this.#db;
    const { exportKeeps } = this.#options;
    createMergeIndexes(db);
    // A plan that was killed between reading and settling leaves nothing to read, and rows to settle.
    let isSettled = wasComplete;
    let isLinked = false;
    for (let readAll = everything; ; ) {
      const changes: InputChanges[] = [];
      for (const input of await this.#reader.inputs()) changes.push(await changesOf(db, input, this.#goingOn()));
      const isUnchanged = changes.every(({ changed, gone }) => changed.length === 0 && gone.length === 0);
      if (isUnchanged && isSettled && !readAll) return;
      // Where every file changed, everything is read in any case: no second pass for the shared ones among them.
      readAll ||= changes.every(({ isAll }) => isAll);
      if (!readAll && changes.some(({ gone }) => gone.some(({ role }) => role === 'shared'))) readAll = true;
      if (readAll) reopenFiles(db);
      const rows = mergeRows(db, {
        onChangedAfterSending: (row, old) => this.#drift.changed(row, old),
        onBack: (row, old) => this.#drift.back(row, old),
      });
      const doubted = this.#doubted(changes, readAll);
      let writer: ItemWriter;
      try {
        writer = await this.#read(readAll ? everyFile(changes) : changedFiles(changes), rows, update, doubted);
      } catch (error) {
        if (error !== everythingIsNeeded) throw error;
        readAll = true;
        continue;
      }
      forgetFiles(
        db,
        changes.flatMap(({ gone }) => gone.map(({ id }) => id)),
      );
      // Another version of a row that left stands in these files, or a reply whose root has come.
      const again = settleStale(db, exportKeeps);
      if (this.#unlinksOrphans && !isLinked) again.push(...filesOfFoundRoots(db));
      isLinked = true;
      const reopen = db.prepare('UPDATE source_file SET fingerprint = ? WHERE id = ? OR rest = ?');
      for (const file of again) reopen.run(unfinished, file, file);
      forgetNames(db, writer.unnamed(readAll && this.#hasEveryInput() ? everyName(db) : doubted));
      this.#commit();
      if (again.length === 0) return;
      isSettled = true;
      readAll = false;
    }
  }

  /** Whether replies whose root is missing lose the link to it, which others have. */
  get #unlinksOrphans(): boolean {
    const { orphans, threads } = this.#options.mapping.rules.messages;
    return orphans === 'unlink' && threads !== 'flat';
  }

  /** Who and what may have been made up from the cut ends of files that are read again, or gone. */
  #doubted(changes: readonly InputChanges[], readAll: boolean): DoubtedNames {
    const found = changes.map(({ changed, gone }, input) => {
      const paths = new Set([...changed, ...gone.map(({ path }) => path)]);
      const { key } = this.#inputs[input]!;
      return doubtedNames(this.#db, key, ({ path, role }) => readAll || role === 'shared' || paths.has(path));
    });
    return {
      people: new Set(found.flatMap(({ people }) => [...people])),
      conversations: new Set(found.flatMap(({ conversations }) => [...conversations])),
    };
  }

  /** Whether all that the store knows came from the exports of this plan. */
  #hasEveryInput(): boolean {
    const keys = JSON.stringify(this.#inputs.map(({ key }) => key));
    const others = 'SELECT 1 FROM source_input WHERE path NOT IN (SELECT value FROM json_each(?))';
    return this.#db.prepare(others).get(keys) === undefined;
  }

  /**
   * How files are read from where they ended. Not where conversations are merged: of those that others took in, the store has
   * no description. Nor where a module maps them.
   */
  #goingOn(): GoingOn {
    const { rules, module } = this.#options.mapping;
    if (mergedInto(rules.conversations.merge) || module?.mapConversation) return undefined;
    return { adapter: this.#adapter, options: this.#sourceOptions };
  }

  /** One pass over the exports: everything wanted is read, mapped and written. */
  async #read(
    { wanted, ends, sharedEnds }: Reading,
    rows: RowWriter,
    update: Update,
    doubted?: DoubtedNames,
  ): Promise<ItemWriter> {
    const { mapping, profile, clock, workspace, signal, only } = this.#options;
    this.#isChanged = true;
    const writer = new ItemWriter(this.#db, this.#store.path, rows, doubted);
    // One mapper for all inputs: who is known from one is known in the next.
    const mapper = new EntryMapper(
      {
        mapping,
        limits: profile.limits,
        nowMs: clock.now(),
        only,
        stagedText: stagedTextReader(this.#db),
        replaysReactions: this.#actions.includes('reactions'),
      },
      (item) => writer.write(item),
    );
    // The files that are left out may be those that describe the people of the others.
    if (this.#corrections || wanted.some((paths) => paths !== 'all')) {
      for (const person of storedPeople(this.#db)) {
        if (doubted?.people.has(person.id)) continue;
        mapper.know(person.record);
        writer.know(person.record.id, person.id);
      }
    }
    if (ends?.some(({ size }) => size > 0)) {
      for (const { id, record } of storedConversations(this.#db)) {
        if (doubted?.conversations.has(id)) continue;
        mapper.knowConversation(record);
        writer.knowConversation(record.id, id);
      }
    }
    const request: ReadRequest = {
      source: this.#adapter.name,
      sourceOptions: this.#sourceOptions,
      workspace,
      wanted,
      ...(ends && { ends }),
    };
    let input = -1;
    for await (const list of this.#reader.read(request, signal)) {
      for (; input < list.input; input++) {
        const { key } = this.#inputs[input + 1]!;
        writer.beginInput(key, ends?.[input + 1]);
        this.#corrections?.beginInput(key);
      }
      for (const entry of list.entries) {
        this.#corrections?.check(entry);
        if (entry.type === 'read-end') writer.endWholeLines(entry);
        else if (entry.type !== 'file') {
          if (sharedEnds && isForOthers(entry, sharedEnds[input])) throw everythingIsNeeded;
          mapper.add(entry);
        } else if (wanted[input] !== 'all' && !ends?.[input]?.has(entry.path) && isChangedShared(entry, writer.files))
          throw everythingIsNeeded;
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
    return writer;
  }

  #commit(): void {
    this.#db.exec('COMMIT');
    this.#db.exec('BEGIN IMMEDIATE');
  }

  #finish(): void {
    const db = this.#db;
    const { mapping, only } = this.#options;
    if (this.#isChanged) reopenDirect(db, mapping.rules.conversations.outsiders);
    if (settleMapping(db, mapping.rules, only)) this.#tally = undefined;
    settleDrift(db, this.#drift, this.#options.exportKeeps);
    // Otherwise the plan before has settled it, and going through the messages for that would be for nothing.
    if (this.#isChanged) {
      const filter = { actions: this.#actions, isFiltered: only !== undefined };
      if (settleRead(db, mapping.rules, { ...filter, keep: () => this.#commit() })) this.#tally = undefined;
    }
    const { profile } = this.#options;
    pinPlan(db, { mappingHash: mapping.hash, profile, isExportChanged: this.#isChanged });
    writeMeta(db, 'isComplete', 'yes');
  }
}
