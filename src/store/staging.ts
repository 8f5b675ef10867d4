import type { Database } from 'better-sqlite3';
import { bind, made } from './base/bind.ts';
import { createMergeIndexes, createMessageIndexes, dropMessageIndexes } from './base/message-indexes.ts';
import { countRelations, countSilentReactions, Relations, stageActions } from './staging/actions.ts';
import { appendRows } from './staging/append-rows.ts';
import { AttachmentHosts, listHosts, plannedAttachments } from './staging/attachments.ts';
import { driftRows, vanishedMessages } from './staging/drift-rows.ts';
import { closeExportGaps, noteExportGaps } from './staging/export-window.ts';
import * as finishStaging from './staging/finish-staging.ts';
import { countFollowUps, dropVoidFollowUps, followUpRows, placeFollowUps } from './staging/follow-ups.ts';
import * as oddReplies from './staging/odd-replies.ts';
import * as pins from './staging/pins.ts';
import { ProblemWriter, replaceProblems, replaceWholeProblems, unfiledProblems } from './staging/problem-writer.ts';
import { collectWriters } from './staging/row-counts.ts';
import {
  countReadFiles,
  forgetExport,
  hasNoOtherInput,
  hasUnfinished,
  inputPaths,
  keepListing,
  keptListing,
  nameInputSource,
  reopenAllFiles,
  reopenFiles,
  SourceFiles,
} from './staging/source-files.ts';
import { SpilledMap } from './staging/spilled-map.ts';
import { freezeAllPayloads, mergeRows } from './staging/stage-rows.ts';
import * as stagedContent from './staging/staged-content.ts';
import { inStagingTransactions, isUnplanned } from './staging/staging-transactions.ts';
import { filesJudgedOtherwise } from './staging/timed-verdicts.ts';
import { firstConflictingDuplicate, unsentDuplicateFiles } from './staging/conflicting-duplicates.ts';

export type { Relations } from './staging/actions.ts';
export type { AttachmentHosts, PlannedAttachment } from './staging/attachments.ts';
export { goneDigest, unknownDigest, type VanishedMessage } from './staging/drift-rows.ts';
export type { OrphanCounts } from './staging/odd-replies.ts';
export type { FoundProblem, ProblemWriter } from './staging/problem-writer.ts';
export type { RowCounts } from './staging/row-counts.ts';
export type { KnownFile, SourceFiles } from './staging/source-files.ts';
export type { Existing, RowWriter } from './staging/stage-rows.ts';
export type { TakenTimes } from './staging/timed-verdicts.ts';

const functions = {
  createMergeIndexes,
  createMessageIndexes,
  dropMessageIndexes,
  countRelations,
  countSilentReactions,
  relations: made(Relations),
  stageActions,
  appendRows,
  attachmentHosts: made(AttachmentHosts),
  listHosts,
  plannedAttachments,
  driftRows,
  vanishedMessages,
  closeExportGaps,
  noteExportGaps,
  ...finishStaging,
  countFollowUps,
  dropVoidFollowUps,
  followUpRows,
  placeFollowUps,
  ...oddReplies,
  ...pins,
  problemWriter: made(ProblemWriter),
  replaceProblems,
  replaceWholeProblems,
  unfiledProblems,
  collectWriters,
  countReadFiles,
  forgetExport,
  hasNoOtherInput,
  hasUnfinished,
  inputPaths,
  keepListing,
  keptListing,
  nameInputSource,
  reopenAllFiles,
  reopenFiles,
  sourceFiles: made(SourceFiles),
  freezeAllPayloads,
  mergeRows,
  ...stagedContent,
  isUnplanned,
  filesJudgedOtherwise,
  firstConflictingDuplicate,
  unsentDuplicateFiles,
};

/** Operations of a plan: begin, put rows, finish; and reads of what it has staged. */
export const stagingOf = (db: Database) => ({
  ...bind(db, functions),
  inStagingTransactions: <Result>(work: (commit: () => void) => Promise<Result>) => inStagingTransactions(db, work),
  spilledMap: <Value>(name: string) => new SpilledMap<Value>(db, name),
});

export type Staging = ReturnType<typeof stagingOf>;
