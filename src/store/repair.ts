import type { Database } from 'better-sqlite3';
import { bind } from './base/bind.ts';
import * as adoptedRows from './repair/adopted-rows.ts';
import * as purgeContent from './repair/purge-content.ts';
import * as putBack from './repair/put-back.ts';
import * as reconcileRows from './repair/reconcile-rows.ts';

export { checkStore, type StoreCheck } from './base/check-store.ts';
export { storeDamage } from './base/store-damage.ts';
export type { AdoptingMessage, Followed, UnknownMessage } from './repair/adopted-rows.ts';
export type { Purgeable } from './repair/purge-content.ts';

const functions = {
  ...adoptedRows,
  ...purgeContent,
  ...putBack,
  ...reconcileRows,
};

/** Operations after a run that did not end well: undo, adopt, send again, forget; and the faults of a store. */
export const repairOf = (db: Database) => bind(db, functions);

export type Repair = ReturnType<typeof repairOf>;
