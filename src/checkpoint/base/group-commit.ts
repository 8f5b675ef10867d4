import type { Database } from 'better-sqlite3';
import type { StoreError } from '../../lib/errors.ts';
import { isDiskFull, storeErrorOf } from '../../lib/sqlite.ts';
import type { Reserve } from './reserve.ts';

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
 * go on to be written, and only intents are refused: what is in flight is settled, and nothing new leaves.
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

  /** Like `commit`, for what nobody waits for: it is on disk before any later commit resolves, and fails with it. */
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
    this.#diskFull = storeErrorOf(error, this.#db.name);
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
    this.#failure ??= storeErrorOf(error, this.#db.name) ?? error;
    for (const { reject } of queue) reject(this.#failure);
  }
}
