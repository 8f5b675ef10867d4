import type { Database } from 'better-sqlite3';
import { bind } from './base/bind.ts';
import { eachMessage, messagePlace } from './base/message-facts.ts';
import {
  conversationsOfFindings,
  countOfFiles,
  directConversationsOf,
  eachConversation,
  eachPerson,
  peopleOfFindings,
} from './totals/decision-rows.ts';
import { filesOfPaths, placesWith } from './totals/excerpt-files.ts';
import { explainMessage, messageVerdict } from './totals/explain-message.ts';
import { findingsOf, messagesFound, storedConversation } from './totals/found-messages.ts';
import { countLossPeople, lossConversations } from './totals/losses.ts';
import { newestProblems } from './totals/newest-problems.ts';
import {
  conversationRows,
  countSubSecondTimes,
  differenceRows,
  driftExamples,
  driftGroups,
  fileRoles,
  ignoredFiles,
  findingRows,
  pendingBefore,
  peopleCounts,
  personNames,
  problemGroups,
  refusedRows,
  invalidRows,
  storeBytes,
} from './totals/report-rows.ts';
import * as odd from './totals/whole-checks.ts';

export { type MessageFacts, printPlace } from './base/message-facts.ts';
export type { ReadFile } from './totals/excerpt-files.ts';
export type { MessageStory } from './totals/explain-message.ts';
export type { FoundMessage, FoundSubjects } from './totals/found-messages.ts';
export type { LossConversation, LossPeople } from './totals/losses.ts';
export type { DriftGroup, ListedProblem } from './totals/report-rows.ts';
export type { MissingNumbers, ThirdWriter } from './totals/whole-checks.ts';

const functions = {
  eachMessage,
  messagePlace,
  conversationsOfFindings,
  countOfFiles,
  directConversationsOf,
  eachConversation,
  eachPerson,
  peopleOfFindings,
  filesOfPaths,
  placesWith,
  explainMessage,
  messageVerdict,
  findingsOf,
  messagesFound,
  storedConversation,
  countLossPeople,
  lossConversations,
  newestProblems,
  conversationRows,
  countSubSecondTimes,
  differenceRows,
  driftExamples,
  driftGroups,
  fileRoles,
  ignoredFiles,
  findingRows,
  pendingBefore,
  peopleCounts,
  personNames,
  problemGroups,
  refusedRows,
  invalidRows,
  storeBytes,
};

/** Every sum and list that reports and status read. */
export const totalsOf = (db: Database) => ({
  ...bind(db, functions),
  /** Oddities in the staged data, one query for each. */
  odd: bind(db, odd),
});

export type Totals = ReturnType<typeof totalsOf>;
