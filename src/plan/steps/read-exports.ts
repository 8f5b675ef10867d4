import type { RowWriter } from '../../store/messages.ts';
import { SourceError } from '../../lib/errors.ts';
import { countOf } from '../../lib/text/count.ts';
import { changesSince, everyFile, type InputChanges, listTakenTimes } from './changed-files.ts';
import { addSeen } from '../looks.ts';
import { seenBefore } from './note-reading.ts';
import { buildDriftNotes } from '../drift-notes.ts';
import type { PlanNeeds } from './note-rules.ts';
import { readOnce } from './one-pass.ts';
import type { Store } from '../../store/open.ts';
import type { Planning, PlanRules, Read } from '../plan-options.ts';

/** Reads everything into an empty store, otherwise what changed since the last plan. */
export async function readExports(planning: Planning, needs: PlanNeeds): Promise<Read> {
  const { store } = planning;
  if (store.files.isUnplanned()) return readFirst(planning);
  // A load that was interrupted has not looked for repeated identities yet.
  if (needs.isContinued) store.messages.markRepeated();
  return readChanges(planning, needs);
}

/** The first plan: append everything, then build indexes and look for repeated identities. */
async function readFirst(planning: Planning): Promise<Read> {
  const { store, input } = planning;
  const rows = store.messages.append();
  const { writer, seen } = await readOnce(planning, everyFile(input.inputs), rows);
  const read = { rowCount: writer.rowCount, isChanged: true, seen };
  return store.messages.markRepeated() === 0 ? { ...read, counts: rows.counts } : read;
}

/** A later plan: read what changed, and drop what its files no longer hold. */
async function readChanges(planning: Planning, { everything, isContinued }: PlanNeeds): Promise<Read> {
  const { store, input, rules, run } = planning;
  const { inputs, isSeen } = input;
  store.messages.createMergeIndexes('message_unplanned');
  if (!everything) store.files.reopen(store.files.judgedOtherwise(...listTakenTimes(store, rules, isContinued)));
  const read: { -readonly [Key in keyof Read]: Read[Key] } = { rowCount: 0, isChanged: false };
  // A plan that was killed between reading and dropping leaves nothing to read, and rows to drop.
  let isDropped = !isContinued;
  let isLinked = !unlinksOrphans(rules);
  if (isSeen && !everything && isDropped && !inputs.some(({ key }) => store.files.hasUnfinished(key))) return read;
  store.messages.createMergeIndexes();
  for (let readAll = everything; ; ) {
    const changes = await changesSince(store, input);
    const isUnchanged = changes.every(({ changed, gone }) => changed.length === 0 && gone.length === 0);
    if (isUnchanged && isDropped && !readAll) return read;
    store.assertSound?.();
    readAll ||= concernsAll(changes);
    if (readAll) store.files.reopenAll();
    read.isChanged = true;
    const wanted = readAll ? everyFile(changes) : changes.map(({ changed }) => changed);
    const { outcome, writer, seen } = await readOnce(planning, wanted, mergingRows(store, rules, !everything));
    if (outcome === 'read-everything') {
      readAll = true;
      continue;
    }
    read.rowCount += writer.rowCount;
    read.seen = readAll ? seen : addSeen(read.seen ?? seenBefore(store), seen);
    store.files.forget(changes.flatMap(({ gone }) => gone.map(({ id }) => id)));
    if (rules.exportScope !== 'window') assertNotEmptied(store);
    // Another version of a row that left may be in these files, or a reply whose root has come.
    const unmet = store.messages.dropUnmet(rules.exportScope);
    const again = isLinked ? unmet : unmet.concat(store.messages.filesOfFoundRoots());
    store.files.reopen(again);
    const keys = inputs.map(({ key }) => key);
    if (readAll && store.files.hasNoOtherInput(keys)) writer.forgetUnseen();
    run.commit();
    if (again.length === 0) return read;
    isDropped = true;
    isLinked = true;
    readAll = false;
  }
}

/**
 * Throws if nothing is left of an export. It would mean that every message was deleted; more often a table was emptied,
 * or a program wrote half an export.
 *
 * @throws SourceError
 */
function assertNotEmptied(store: Store): void {
  const sentCount = store.messages.countEmptied();
  if (sentCount === 0) return;
  throw new SourceError(
    `Cannot use this export: no message was read, and ${countOf(sentCount, 'message')} of it arrived before`,
    {
      hint: 'Restore the previous export. If it is really empty now, pass --export-scope window (exportScope: window in a job): messages that arrived are kept',
    },
  );
}

/** Whether replies lose the link to a root that is missing, while others keep it. */
function unlinksOrphans({ mapping }: PlanRules): boolean {
  const { orphans, threads } = mapping.rules.messages;
  return orphans === 'unlink' && threads !== 'flat';
}

/**
 * If every file changed, everything is read in any case, without a second pass for the shared ones among them. A shared file
 * that is gone described people or conversations of others.
 */
const concernsAll = (changes: readonly InputChanges[]): boolean =>
  changes.every(({ isAll }) => isAll) || changes.some(({ gone }) => gone.some(({ role }) => role === 'shared'));

function mergingRows(store: Store, rules: PlanRules, areRulesSame: boolean): RowWriter {
  const drift = buildDriftNotes(store, rules);
  return store.messages.merge({
    onChangedAfterSending: (row, old) => drift.changed(row, old),
    onBack: (row, old) => drift.back(row, old),
    areRulesSame,
  });
}
