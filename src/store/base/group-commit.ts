import { crypto } from '../../lib/late.ts';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { StoreError } from '../../lib/errors.ts';
import { isDiskFull, toStoreError } from '../../lib/sqlite.ts';

/** An intent is written before a request leaves; a receipt after its answer came. */
type CommitKind = 'intent' | 'receipt';

interface Queued {
  readonly kind: CommitKind;
  write(): void;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Commits together what is queued together.
 *
 * A commit costs an fsync. With eight requests in flight, answers and intents arrive in bunches; one transaction per
 * turn of the event loop holds them all, each still durable before its promise resolves.
 *
 * A transaction that fails leaves nothing behind, and is not tried again: after an fsync that failed, the system may take
 * for written what is not, and the next fsync would say so. This commit and every later one reject with the same error, so
 * that nothing more is sent. The one exception is a full disk. Nothing was lost then; the reserve makes room, receipts
 * go on to be written, and only intents are refused: what is in flight gets its receipts, and nothing new leaves.
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #reserve: Reserve | undefined;
  #queue: Queued[] = [];
  #failure: unknown;
  #diskFull: StoreError | undefined;

  /** @param reserve Held from the first intent on. Without one, a full disk is a failure like any other. */
  constructor(db: Database, reserve?: Reserve) {
    this.#db = db;
    this.#reserve = reserve;
  }

  /** Whether everything that was to be written is. */
  get isSound(): boolean {
    return this.#failure === undefined;
  }

  /** Resolves when what `write` did is on disk. @throws StoreError, and then nothing of it is there. */
  commit(write: () => void, kind: CommitKind = 'receipt'): Promise<void> {
    return new Promise((resolve, reject) => this.#push({ kind, write, resolve, reject }));
  }

  /** Like `commit`, for writes that no caller awaits: the write is on disk before any later commit resolves, and fails with it. */
  queue(write: () => void): void {
    this.#push({ kind: 'receipt', write, resolve() {}, reject() {} });
  }

  #push(queued: Queued): void {
    this.#queue.push(queued);
    if (this.#queue.length === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const queue = this.#queue;
    this.#queue = [];
    try {
      if (this.#failure !== undefined) throw this.#failure;
      if (!this.#diskFull && queue.some(({ kind }) => kind === 'intent')) this.#reserve?.hold();
      this.#write(this.#diskFull ? this.#refuseIntents(queue) : queue);
    } catch (error) {
      if (isDiskFull(error) && this.#reserve?.spend()) this.#goOnWithReceipts(queue, error);
      else this.#fail(queue, error);
    }
  }

  #write(queue: readonly Queued[]): void {
    if (queue.length > 0) {
      this.#db
        .transaction(() => {
          for (const { write } of queue) write();
        })
        .immediate();
    }
    for (const { resolve } of queue) resolve();
  }

  #goOnWithReceipts(queue: readonly Queued[], error: unknown): void {
    this.#diskFull = toStoreError(error, this.#db.name);
    const receipts = this.#refuseIntents(queue);
    try {
      this.#write(receipts);
    } catch (again) {
      this.#fail(receipts, again);
    }
  }

  /** @returns The rest. */
  #refuseIntents(queue: readonly Queued[]): Queued[] {
    for (const { kind, reject } of queue) if (kind === 'intent') reject(this.#diskFull);
    return queue.filter(({ kind }) => kind === 'receipt');
  }

  #fail(queue: readonly Queued[], error: unknown): void {
    this.#failure ??= toStoreError(error, this.#db.name) ?? error;
    for (const { reject } of queue) reject(this.#failure);
  }
}

/**
 * 16 MiB. When the disk is full, answers to requests in flight are still on their way, and each is worth more than the next
 * request. A receipt changes up to three pages of 8 KiB (its row, the index by batch, its conversation): eight requests of
 * 50 messages, each on pages of its own, write 10 MB. Measured with 40,000 messages in 700 conversations: 0.2 MB a commit,
 * 0.7 MB at most.
 */
const reserveBytesMax = 16 * 1024 * 1024;
/** Room for what is no receipt of a message: attempts, the state of lanes, actions. */
const reserveBytesMin = 2 * 1024 * 1024;
/** Three pages, as above. */
const receiptBytes = 24 * 1024;
/** Random, so that no file system can pack it: it must take the place that it promises. */
const blockBytes = 256 * 1024;

/** Room on the disk of a store, held in a file next to it until the disk is full. */
export interface Reserve {
  /** Takes the room: 6 ms for all of it. One that a killed process left is taken over. @throws StoreError if there is none. */
  hold(): void;
  /** Gives it back to the disk. @returns Whether there was something to give. */
  spend(): boolean;
}

/** @param countMessages Of the store, asked when the room is taken: a small store needs less than 16 MiB. */
export function reserveBeside(storePath: string, countMessages: () => number = () => Infinity): Reserve {
  const path = `${storePath}.reserve`;
  let isHeld = false;
  const spend = () => {
    if (!isHeld) return false;
    isHeld = false;
    rmSync(path, { force: true });
    return true;
  };
  return {
    hold() {
      if (isHeld) return;
      isHeld = true;
      const wantedBytes = Math.min(reserveBytesMax, reserveBytesMin + countMessages() * receiptBytes);
      const heldBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (heldBytes >= wantedBytes) return;
      try {
        fill(path, wantedBytes);
      } catch (error) {
        spend();
        throw toStoreError(error, path) ?? error;
      }
    },
    spend,
  };
}

function fill(path: string, bytes: number): void {
  const file = openSync(path, 'w', 0o600);
  try {
    const block = crypto().randomBytes(blockBytes);
    for (let written = 0; written < bytes; ) written += writeSync(file, block);
  } finally {
    closeSync(file);
  }
}
