import type { Database } from 'better-sqlite3';
import { bind } from './base/bind.ts';
import { createMergeIndexes, createMessageIndexes, dropMessageIndexes } from './base/message-indexes.ts';
import { appendRows } from './staging/append-rows.ts';
import { driftRows, vanishedMessages } from './staging/drift-rows.ts';
import * as finishStaging from './staging/finish-staging.ts';
import { countFollowUps, dropVoidFollowUps, followUpRows, placeFollowUps } from './staging/follow-ups.ts';
import * as oddReplies from './staging/odd-replies.ts';
import { collectWriters } from './staging/row-counts.ts';
import { SpilledMap } from './staging/spilled-map.ts';
import { freezeAllPayloads, mergeRows } from './staging/stage-rows.ts';
import * as stagedContent from './staging/staged-content.ts';
import { inStagingTransactions } from './staging/staging-transactions.ts';
import { firstConflictingDuplicate, unsentDuplicateFiles } from './staging/conflicting-duplicates.ts';

export { goneDigest, unknownDigest, type VanishedMessage } from './staging/drift-rows.ts';
export type { OrphanCounts } from './staging/odd-replies.ts';
export type { RowCounts } from './staging/row-counts.ts';
export type { Existing, RowWriter } from './staging/stage-rows.ts';

const functions = {
  createMergeIndexes,
  createMessageIndexes,
  dropMessageIndexes,
  appendRows,
  driftRows,
  vanishedMessages,
  ...finishStaging,
  countFollowUps,
  dropVoidFollowUps,
  followUpRows,
  placeFollowUps,
  ...oddReplies,
  collectWriters,
  freezeAllPayloads,
  mergeRows,
  ...stagedContent,
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
