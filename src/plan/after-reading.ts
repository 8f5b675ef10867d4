import type { Database } from 'better-sqlite3';
import { readMeta, writeMeta } from '../checkpoint/base/meta.ts';
import { countSilentReactions, stageActions } from '../checkpoint/staging/actions.ts';
import { stagePriorities } from '../checkpoint/staging/conversations.ts';
import { closeExportGaps, noteExportGaps } from '../checkpoint/staging/export-window.ts';
import {
  alignParts,
  applyOrphanPolicy,
  countSilentMembers,
  dropUnmet,
  forgetFiles,
  placeOutsiders,
  reopenDirect,
  separateDuplicateDirects,
} from '../checkpoint/staging/finish-staging.ts';
import { findCollisions, settleUids } from '../checkpoint/staging/collisions.ts';
import { placeFollowUps } from '../checkpoint/staging/follow-ups.ts';
import { collectWriters, type RowCounts } from '../checkpoint/staging/row-counts.ts';
import { firstUnlikeTwin, unsentTwinFiles } from '../checkpoint/staging/unlike-twins.ts';
import { unfiledProblems } from '../checkpoint/staging/problem-writer.ts';
import { UsageError } from '../lib/errors.ts';
import { askWhole } from '../mapping/whole-checks.ts';
import { reopenFiles } from '../checkpoint/staging/source-files.ts';
import { collided } from './collisions.ts';
import { driftNotesOf } from './drift-notes.ts';
import { unknownNames } from './only.ts';
import type { Planning } from './plan-options.ts';

/** The problem under which a further direct conversation of two people is named. */
export const duplicateDirectCode = 'direct-as-group';

/**
 * What can only be decided once everything is read. It goes through the messages several times.
 *
 * @returns Whether verdicts changed.
 * @throws UsageError if two messages have one id, or two people, or two conversations, would become one at the destination.
 */
export function afterReading(
  planning: Planning,
  { isChanged, counts }: { readonly isChanged: boolean; readonly counts?: RowCounts | undefined },
): boolean {
  const { store, options } = planning;
  assertUnique(planning);
  if (isChanged) reopenDirect(store.db, options.mapping.rules.conversations.outsiders);
  const isRuled = applyRules(planning);
  noteDrift(planning);
  // Otherwise the plan before has done this, and going through the messages would be for nothing.
  const isRejudged = isChanged && decideByWriters(planning, isRuled ? undefined : counts);
  return isRuled || isRejudged;
}

function assertUnique({ store: { db }, commit }: Planning): void {
  const twin = firstUnlikeTwin(db);
  if (!twin) return;
  // An export of which nothing was sent leaves the store again: others that it holds go on without it.
  forgetFiles(db, unsentTwinFiles(db));
  reopenFiles(db, dropUnmet(db));
  commit();
  throw new UsageError(
    `Cannot plan: ids of messages are not unique. ${twin.place}: ${twin.reason.replace(/^T/, 't')}, with another text and time`,
    {
      hint:
        'Give each export its own --workspace and --store, or make the ids unique in the mapping: ' +
        'source.messages.id: { template: "{:file} {id}" }, or no id, so that it is made of what the row says',
    },
  );
}

/** Rules that look at more than one message. */
function applyRules({ store: { db }, options: { mapping, only } }: Planning): boolean {
  const { conversations, messages } = mapping.rules;
  const changedCount = applyOrphanPolicy(db, messages.orphans);
  alignParts(db);
  stagePriorities(db, { first: conversations.first, byTime: conversations.order === 'recent' });
  const problems = unfiledProblems(db);
  for (const name of only ? unknownNames(db, only) : [])
    problems.note('only-matches-nothing', `Nothing in the export is called so: "${name}"`, '--only');
  return changedCount > 0;
}

/** What can only be said of a changing source once everything is read. */
function noteDrift(planning: Planning): void {
  const { db } = planning.store;
  driftNotesOf(planning).vanished();
  placeFollowUps(db);
  const knownUpTo = Number(readMeta(db, 'knownUpTo') ?? 0);
  if (planning.options.exportKeeps === 'recent' && knownUpTo > 0) noteExportGaps(db, knownUpTo);
  closeExportGaps(db);
}

/** What follows from who wrote where. */
function decideByWriters(planning: Planning, counts: RowCounts | undefined): boolean {
  const { store, options, actions, commit } = planning;
  const { mapping, only } = options;
  const { db } = store;
  collectWriters(db, counts);
  const rejectedCount = placeOutsiders(db, mapping.rules.conversations.outsiders);
  noteDuplicateDirects(db);
  writeMeta(db, 'silentMembers', String(countSilentMembers(db)));
  askWhole(db, counts);
  stageActions(db, actions, only !== undefined);
  writeMeta(db, 'silentReactions', String(countSilentReactions(db)));
  const collisions = findCollisions(db);
  if (collisions.length > 0) {
    // What was read stays: with another mapping that names them apart, or without.
    commit();
    throw collided(collisions);
  }
  settleUids(db);
  return rejectedCount > 0;
}

function noteDuplicateDirects(db: Database): void {
  const problems = unfiledProblems(db);
  problems.forget(duplicateDirectCode);
  for (const { sourceId, other } of separateDuplicateDirects(db)) {
    const reason = `"${sourceId}" has the same two people as the direct conversation "${other}"`;
    problems.note(duplicateDirectCode, reason, sourceId);
  }
}
