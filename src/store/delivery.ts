import { bind, made } from './base/bind.ts';
import type { Connection } from './base/connection.ts';
import { closeFinishedBatches, countAttempts, Journal, sinceDoubtfulAttemptMs } from './delivery/journal.ts';
import * as listedMessages from './delivery/listed-messages.ts';
import { ageOpenAttempts, replayIntents } from './delivery/replay-intents.ts';
import * as sampleMessages from './delivery/sample-messages.ts';
import { isToVerify, lastVerifiedRun, unverifiedAt } from './delivery/unverified.ts';
import * as verifyResults from './delivery/verify-results.ts';

export type { ConversationNews, DeliveryChange, FirstReceipt, Journal } from './delivery/journal.ts';
export type { AbsentMessage } from './delivery/listed-messages.ts';
export type { LeftIntent } from './delivery/replay-intents.ts';
export type { CheckScope, Difference } from './delivery/verify-results.ts';

const functions = {
  closeFinishedBatches,
  countAttempts,
  sinceDoubtfulAttemptMs,
  ...listedMessages,
  ...sampleMessages,
  isToVerify,
  lastVerifiedRun,
  unverifiedAt,
  ...verifyResults,
};

/**
 * Data that a run reads and writes about a destination: lanes, next rows, intents, receipts, unconfirmed messages, and
 * the results of a verification.
 */
export const deliveryOf = (connection: Connection) => ({
  ...bind(connection.db, functions),
  ...bind(connection, { ageOpenAttempts, journal: made(Journal), replayIntents }),
});

export type Delivery = ReturnType<typeof deliveryOf>;
