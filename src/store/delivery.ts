import { bind } from './base/bind.ts';
import type { Database } from 'better-sqlite3';
import * as listedMessages from './delivery/listed-messages.ts';
import * as sampleMessages from './delivery/sample-messages.ts';
import { isToVerify, lastVerifiedRun, unverifiedAt } from './delivery/unverified.ts';
import * as verifyResults from './delivery/verify-results.ts';

export type { AbsentMessage } from './delivery/listed-messages.ts';
export type { CheckScope, Difference } from './delivery/verify-results.ts';

const functions = {
  ...listedMessages,
  ...sampleMessages,
  isToVerify,
  lastVerifiedRun,
  unverifiedAt,
  ...verifyResults,
};

/** Data that a run reads and writes about a destination: the results of a verification. */
export const deliveryOf = (db: Database) => bind(db, functions);

export type Delivery = ReturnType<typeof deliveryOf>;
