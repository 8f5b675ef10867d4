import type { Database } from 'better-sqlite3';
import { bind } from './base/bind.ts';
import { eachMessage, messagePlace } from './base/message-facts.ts';
import * as decisionRows from './totals/decision-rows.ts';
import * as excerptFiles from './totals/excerpt-files.ts';
import { explainMessage, messageVerdict } from './totals/explain-message.ts';
import * as foundMessages from './totals/found-messages.ts';
import * as losses from './totals/losses.ts';
import { newestProblems } from './totals/newest-problems.ts';
import * as reportRows from './totals/report-rows.ts';
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
  ...decisionRows,
  ...excerptFiles,
  explainMessage,
  messageVerdict,
  ...foundMessages,
  ...losses,
  newestProblems,
  ...reportRows,
};

/** Every sum and list that reports and status read. */
export const totalsOf = (db: Database) => ({
  ...bind(db, functions),
  /** Oddities in the staged data, one query for each. */
  odd: bind(db, odd),
});

export type Totals = ReturnType<typeof totalsOf>;
