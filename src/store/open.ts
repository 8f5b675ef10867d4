import type { Database } from 'better-sqlite3';
import { Batches } from './batches.ts';
import { inStagingTransactions } from './base/staging-transactions.ts';
import { Checks } from './checks.ts';
import { type Connection, openConnection, openConnectionToRead, storeKind } from './base/connection.ts';
import type { GroupCommit } from './base/group-commit.ts';
import { Actions } from './actions.ts';
import { Arrivals } from './arrivals.ts';
import { Conversations } from './conversations.ts';
import { Deactivated } from './deactivated.ts';
import { Destinations } from './destinations.ts';
import { Facts } from './facts.ts';
import { Files } from './files.ts';
import { Media } from './media.ts';
import { Failures } from './failures.ts';
import { Lanes } from './lanes.ts';
import { Messages } from './messages.ts';
import { People } from './people.ts';
import { Problems } from './problems.ts';
import { Runs, type RunRow } from './runs.ts';
import { Totals } from './totals.ts';
import { Undo } from './undo.ts';
import { statSync } from 'node:fs';
import { checkOwner, readSchemaVersion } from '../lib/migrations.ts';
import { openDatabase } from '../lib/sqlite.ts';
import { type Holder, readLockHolder } from '../lib/file-lock.ts';

export { storeDamage } from './base/store-damage.ts';
export { copyDatabase, copyStore, loadCopy, unloadCopy } from './base/store-copy.ts';
export type { GroupCommit };

/** An open checkpoint store. One process writes; anybody may read. */
export interface Store extends Readonly<ReturnType<typeof nounsOf>> {
  readonly path: string;
  /** Commits what was queued in the same turn together. */
  readonly commits: GroupCommit;
  /** See `Connection`. @throws StoreError if the store is damaged. */
  readonly assertSound?: () => void;
  /** The same function in a transaction: all of what it writes is kept, or nothing. Inside another one it is part of that. */
  transaction<Given extends unknown[], Result>(work: (...given: Given) => Result): (...given: Given) => Result;
  /** See `inStagingTransactions`. */
  inStagingTransactions<Result>(work: (commit: () => void) => Promise<Result>): Promise<Result>;
  close(): void;
}

/** @throws StoreError if it is locked, not ours, damaged, newer than this program, one part of an export, or cannot be opened. */
export const openStore = (path: string, options: { readonly command: string; readonly nowMs: number }): Store =>
  storeOf(openConnection(path, options));

/** Opens a store to look at; works while another process writes. @throws StoreError if there is none. */
export const openStoreToRead = (path: string): Store => storeOf(openConnectionToRead(path));

/** Opens a store to look at for as long as `read` takes, in one state of it. @throws StoreError if there is none. */
export function readStore<T>(path: string, read: (store: Store) => T): T {
  const store = openStoreToRead(path);
  try {
    return store.transaction(read)(store);
  } finally {
    store.close();
  }
}

const databases = new WeakMap<Store, Database>();

/** Returns the database of a store, for tests that inspect its rows. */
export const databaseOf = (store: Store): Database => databases.get(store)!;

/** Returns the store of an open connection. Also called by simulations, whose store is in memory. */
export function storeOf(connection: Connection): Store {
  const { db, ...rest } = connection;
  const store: Store = {
    ...rest,
    ...nounsOf(connection),
    transaction: (work) => db.transaction(work),
    inStagingTransactions: (work) => inStagingTransactions(db, work),
  };
  databases.set(store, db);
  return store;
}

function nounsOf(connection: Connection) {
  const { db } = connection;
  const facts = new Facts(db);
  return {
    facts,
    destinations: new Destinations(db),
    runs: new Runs(db),
    people: new People(db),
    conversations: new Conversations(db),
    files: new Files(db, facts),
    problems: new Problems(db),
    actions: new Actions(connection),
    arrivals: new Arrivals(connection),
    deactivated: new Deactivated(connection),
    messages: new Messages(db, facts),
    totals: new Totals(db),
    failures: new Failures(db),
    undo: new Undo(db),
    lanes: new Lanes(db),
    batches: new Batches(connection),
    checks: new Checks(db),
    media: new Media(db),
  };
}

export interface StoreCheck {
  readonly sizeBytes: number;
  readonly version: number;
  /** The first faults that SQLite finds; undefined if the file is too large to check. */
  readonly faults: readonly string[] | undefined;
  readonly holder: Holder | undefined;
  readonly lastRun: RunRow | undefined;
}

/** 139 MB take 0.2 s of computing (measured), plus the time the disk needs; nothing else can run during the check. */
const checkedBytesMax = 1024 * 1024 * 1024;
const faultsMax = 3;

/** Looks at a store without changing it, also while another process writes. @throws StoreError if it cannot be opened, or is not ours. */
export function checkStore(path: string): StoreCheck {
  const db = openDatabase(path, { readonly: true });
  try {
    checkOwner(db, path, storeKind);
    const sizeBytes = statSync(path).size;
    const version = readSchemaVersion(db);
    const found =
      sizeBytes > checkedBytesMax
        ? undefined
        : (db.prepare(`PRAGMA quick_check(${faultsMax})`).pluck().all() as string[]);
    return {
      sizeBytes,
      version,
      faults: found?.filter((line) => line !== 'ok'),
      holder: readLockHolder(path),
      lastRun: version > 0 ? new Runs(db).latest() : undefined,
    };
  } finally {
    db.close();
  }
}
