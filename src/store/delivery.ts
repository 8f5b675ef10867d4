import { bind, made } from './base/bind.ts';
import type { Connection } from './base/connection.ts';
import { chooseInside, insideReader } from './base/inside-messages.ts';
import { closeFinishedBatches, countAttempts, Journal, sinceDoubtfulAttemptMs } from './delivery/journal.ts';
import * as listedMessages from './delivery/listed-messages.ts';
import {
  chooseMessages,
  chooseQuarantined,
  countQuarantined,
  currentMuidReader,
  doubtfulRowsReader,
  hasRenewedMuids,
  nextRowsReader,
  rowByMuidReader,
} from './delivery/next-rows.ts';
import { countRefusals } from './delivery/refusals.ts';
import * as refuseLate from './delivery/refuse-late.ts';
import { ageOpenAttempts, replayIntents } from './delivery/replay-intents.ts';
import * as sampleMessages from './delivery/sample-messages.ts';
import { deliveredUpToReader, laneOfMessage, laneReader, pendingLanes, touchedLanes } from './delivery/stored-lanes.ts';
import { isToVerify, lastVerifiedRun, unverifiedAt } from './delivery/unverified.ts';
import * as verifyResults from './delivery/verify-results.ts';

export type { CandidateRow } from './base/inside-messages.ts';
export type { ConversationNews, DeliveryChange, FirstReceipt, Journal } from './delivery/journal.ts';
export { type LaneClaims, openLaneClaims, unclaimed } from './delivery/lane-claims.ts';
export type { AbsentMessage } from './delivery/listed-messages.ts';
export { type NextRow, quarantinedCode } from './delivery/next-rows.ts';
export type { Refusals } from './delivery/refusals.ts';
export type { LeftIntent } from './delivery/replay-intents.ts';
export type { StoredLane } from './delivery/stored-lanes.ts';
export type { CheckScope, Difference } from './delivery/verify-results.ts';

const functions = {
  chooseInside,
  insideReader,
  closeFinishedBatches,
  countAttempts,
  sinceDoubtfulAttemptMs,
  ...listedMessages,
  chooseMessages,
  chooseQuarantined,
  countQuarantined,
  currentMuidReader,
  doubtfulRowsReader,
  hasRenewedMuids,
  nextRowsReader,
  rowByMuidReader,
  countRefusals,
  ...refuseLate,
  ...sampleMessages,
  deliveredUpToReader,
  laneOfMessage,
  laneReader,
  pendingLanes,
  touchedLanes,
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
