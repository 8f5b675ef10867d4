import { readMeta } from '../checkpoint/base/meta.ts';
import { createMergeIndexes, createMessageIndexes, dropMessageIndexes } from '../checkpoint/base/message-indexes.ts';
import { type DoubtedNames, doubtedNames, everyName, forgetNames } from '../checkpoint/staging/doubted-names.ts';
import { dropUnmet, filesOfFoundRoots, forgetFiles, markRepeated } from '../checkpoint/staging/finish-staging.ts';
import { hasNoOtherInput, hasUnfinished, reopenAllFiles, reopenFiles } from '../checkpoint/staging/source-files.ts';
import { appendRows } from '../checkpoint/staging/append-rows.ts';
import type { RowCounts } from '../checkpoint/staging/row-counts.ts';
import { mergeRows } from '../checkpoint/staging/stage-rows.ts';
import { isUnplanned } from '../checkpoint/staging/staging-transactions.ts';
import { filesJudgedOtherwise, type TakenTimes } from '../checkpoint/staging/timed-verdicts.ts';
import type { ExportInput } from '../io/input/export-input.ts';
import { takenTimes } from '../mapping/checks/blocking.ts';
import { ageStartMs } from '../mapping/rules/rules.ts';
import { counted, Tally } from '../report/collect/tally.ts';
import { changedFiles, changesOf, everyFile, type GoingOn, type InputChanges } from './changed-files.ts';
import { driftNotesOf } from './drift-notes.ts';
import { mergedInto } from './merges.ts';
import type { PlanNeeds } from './note-rules.ts';
import { readOnce } from './one-pass.ts';
import type { Planning } from './plan-options.ts';
import { PartFilter } from './reading/part-filter.ts';

/** What came of reading. */
export interface Read {
  readonly rowCount: number;
  /** Whether anything was read, or left the books. */
  readonly isChanged: boolean;
  /** The messages added up, after a first plan. */
  readonly tally?: Tally | undefined;
  /** What the rows have, where every one was written just now and is as it was written. */
  readonly counts?: RowCounts | undefined;
}

/** Reads everything into an empty store, else what changed since the last plan. */
export async function readExports(planning: Planning, needs: PlanNeeds): Promise<Read> {
  const { db } = planning.store;
  if (isUnplanned(db)) {
    planning.store.kept?.forget();
    return readFirst(planning);
  }
  createMessageIndexes(db);
  // A load that was interrupted has not looked for repeated identities yet.
  if (needs.goesOn) markRepeated(db);
  return readChanges(planning, needs);
}

/** The first plan: append everything, then build indexes and look for repeated identities. */
async function readFirst(planning: Planning): Promise<Read> {
  const { db } = planning.store;
  dropMessageIndexes(db);
  const tally = new Tally();
  const rows = appendRows(db);
  const { writer } = await readOnce(planning, everyFile(planning.inputs), counted(rows, tally));
  createMessageIndexes(db);
  const read = { rowCount: writer.rowCount, isChanged: true };
  return markRepeated(db) === 0 ? { ...read, tally, counts: rows.counts } : read;
}

/** A later plan: read what changed, and drop what its files no longer hold. */
async function readChanges(planning: Planning, { everything, goesOn }: PlanNeeds): Promise<Read> {
  const { store, options, inputs, keep } = planning;
  const { db } = store;
  createMergeIndexes(db);
  if (!everything) reopenFiles(db, filesJudgedOtherwise(db, ...timesOf(planning, goesOn)));
  const read = { rowCount: 0, isChanged: false };
  // A plan that was killed between the two leaves nothing to read, and rows to drop.
  let isDropped = !goesOn;
  let isLinked = !unlinksOrphans(planning);
  if (planning.isSeen && !everything && isDropped && !inputs.some(({ key }) => hasUnfinished(db, key))) return read;
  for (let readAll = everything; ; ) {
    const changes = await changesSince(planning);
    const isUnchanged = changes.every(({ changed, gone }) => changed.length === 0 && gone.length === 0);
    if (isUnchanged && isDropped && !readAll) return read;
    store.kept?.forget();
    store.assertSound?.();
    readAll ||= concernsAll(changes);
    if (readAll) reopenAllFiles(db);
    read.isChanged = true;
    const reading = readAll ? everyFile(changes) : changedFiles(changes);
    const doubted = doubtedIn(planning, changes, readAll);
    const { outcome, writer } = await readOnce(planning, reading, mergingRows(planning, !everything), doubted);
    if (outcome === 'read-everything') {
      readAll = true;
      continue;
    }
    read.rowCount += writer.rowCount;
    forgetFiles(
      db,
      changes.flatMap(({ gone }) => gone.map(({ id }) => id)),
    );
    // Another version of a row that left stands in these files, or a reply whose root has come.
    const unmet = dropUnmet(db, options.exportKeeps);
    const again = isLinked ? unmet : unmet.concat(filesOfFoundRoots(db));
    reopenFiles(db, again);
    const isWhole =
      readAll &&
      hasNoOtherInput(
        db,
        inputs.map(({ key }) => key),
      );
    forgetNames(db, writer.unnamed(isWhole ? everyName(db) : doubted));
    keep();
    if (again.length === 0) return read;
    isDropped = true;
    isLinked = true;
    readAll = false;
  }
}

/** The times of messages that are taken now, and were by the plan before. One that was interrupted may have gone by any clock. */
function timesOf({ store, options, nowMs }: Planning, goesOn: boolean): [TakenTimes, TakenTimes | undefined] {
  const { mapping, profile } = options;
  const timesAt = (ms: number) => takenTimes(ms, profile.limits, ageStartMs(mapping.rules.messages.olderThan, ms));
  const judgedAt = goesOn ? undefined : readMeta(store.db, 'judgedAt');
  return [timesAt(nowMs), judgedAt === undefined ? undefined : timesAt(Number(judgedAt))];
}

/** Whether replies whose root is missing lose the link to it, which others have. */
function unlinksOrphans({ options }: Planning): boolean {
  const { orphans, threads } = options.mapping.rules.messages;
  return orphans === 'unlink' && threads !== 'flat';
}

/** Who and what may have been made up from the cut ends of files that are read again, or gone. */
function doubtedIn({ store, inputs }: Planning, changes: readonly InputChanges[], readAll: boolean): DoubtedNames {
  const found = changes.map(({ changed, gone }, input) => {
    const paths = new Set([...changed, ...gone.map(({ path }) => path)]);
    const isReadAgain = (file: { path: string; role: string }) =>
      readAll || file.role === 'shared' || paths.has(file.path);
    return doubtedNames(store.db, inputs[input]!.key, isReadAgain);
  });
  return {
    people: new Set(found.flatMap(({ people }) => [...people])),
    conversations: new Set(found.flatMap(({ conversations }) => [...conversations])),
  };
}

async function changesSince(planning: Planning): Promise<InputChanges[]> {
  const goingOn = goingOnOf(planning);
  const changes: InputChanges[] = [];
  for (const input of await planning.reader.inputs())
    changes.push(await changesOf(planning.store.db, input, { goingOn, isOwn: await ownFiles(planning, input) }));
  return changes;
}

/** Of a part, files that are known to be of others are not in its books. */
async function ownFiles({ part, adapter, sourceOptions, options }: Planning, input: ExportInput) {
  if (!part || !adapter.ownersOf) return undefined;
  const filter = new PartFilter(part);
  filter.beginInput(await adapter.ownersOf(input, sourceOptions, options.signal));
  return (path: string) => filter.wants(path);
}

/**
 * How files are read from where they ended. Not where conversations are merged: of those that others took in, the store has
 * no description. Nor where a module maps them.
 */
function goingOnOf({ options, adapter, sourceOptions }: Planning): GoingOn {
  const { rules, module } = options.mapping;
  if (mergedInto(rules.conversations.merge) || module?.mapConversation) return undefined;
  return { adapter, options: sourceOptions };
}

/**
 * Where every file changed, everything is read in any case: no second pass for the shared ones among them. A shared file that
 * is gone described people or conversations of others.
 */
const concernsAll = (changes: readonly InputChanges[]): boolean =>
  changes.every(({ isAll }) => isAll) || changes.some(({ gone }) => gone.some(({ role }) => role === 'shared'));

function mergingRows(planning: Planning, areRulesSame: boolean) {
  const drift = driftNotesOf(planning);
  return mergeRows(planning.store.db, {
    onChangedAfterSending: (row, old) => drift.changed(row, old),
    onBack: (row, old) => drift.back(row, old),
    areRulesSame,
  });
}
