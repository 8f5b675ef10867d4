import type { Database } from 'better-sqlite3';
import { bind, made } from './base/bind.ts';
import { adoptedRows, unknownAtDestination } from './repair/adopted-rows.ts';
import { countStayingActions, deactivatedUids, doneReactionsReader, hasDoneReactions } from './repair/done-actions.ts';
import {
  chooseRefused,
  chosenLanes,
  countBegun,
  FailedMessages,
  takeChosen,
  unknownRefused,
  wasRefusedWith,
} from './repair/failed-messages.ts';
import {
  assertContentKept,
  choosePurgeable,
  purgeSent,
  purgeStaged,
  purgeableLanes,
  purgeableRows,
  overwriteDeleted,
  rewriteFile,
} from './repair/purge-content.ts';
import { purgeReactions } from './repair/purge-reactions.ts';
import {
  chooseMissing,
  countChosenDelivered,
  countUnconfirmed,
  countPutBack,
  putBackChosen,
} from './repair/put-back.ts';
import { generationMuids, hadAttemptReader, matchedMessages, reconcileWriter } from './repair/reconcile-rows.ts';
import {
  conversationPutter,
  countUndoCalls,
  forgetConversation,
  forgetPerson,
  hasOpenUndo,
  namedUndoCalls,
  planDeactivations,
  planUndo,
  undoCalls,
  undoCallWriter,
} from './repair/undo.ts';

export { checkStore, type StoreCheck } from './base/check-store.ts';
export { storeDamage } from './base/store-damage.ts';
export type { AdoptingMessage, Followed, UnknownMessage } from './repair/adopted-rows.ts';
export type { DoneReaction } from './repair/done-actions.ts';
export type { FailedInput, FailedMessage, FailedMessages, RefusedCount } from './repair/failed-messages.ts';
export type { Purgeable } from './repair/purge-content.ts';
export type { NamedUndoCall, UndoCall, UndoState } from './repair/undo.ts';

const functions = {
  adoptedRows,
  unknownAtDestination,
  countStayingActions,
  deactivatedUids,
  doneReactionsReader,
  hasDoneReactions,
  chooseRefused,
  chosenLanes,
  countBegun,
  failedMessages: made(FailedMessages),
  takeChosen,
  unknownRefused,
  wasRefusedWith,
  assertContentKept,
  choosePurgeable,
  purgeSent,
  purgeStaged,
  purgeableLanes,
  purgeableRows,
  overwriteDeleted,
  rewriteFile,
  purgeReactions,
  chooseMissing,
  countChosenDelivered,
  countUnconfirmed,
  countPutBack,
  putBackChosen,
  generationMuids,
  hadAttemptReader,
  matchedMessages,
  reconcileWriter,
  conversationPutter,
  countUndoCalls,
  forgetConversation,
  forgetPerson,
  hasOpenUndo,
  namedUndoCalls,
  planDeactivations,
  planUndo,
  undoCalls,
  undoCallWriter,
};

/** Operations after a run that did not end well: undo, adopt, send again, forget; and the faults of a store. */
export const repairOf = (db: Database) => bind(db, functions);

export type Repair = ReturnType<typeof repairOf>;
