import type { Database } from 'better-sqlite3';

interface Queued {
  write(): void;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Commits together what is queued together.
 *
 * A commit costs an fsync. With eight requests in flight, answers and intents arrive in bunches; one transaction per
 * turn of the event loop holds them all, each still durable before its promise resolves. If the transaction fails
 * (disk full), nothing of it is written, and this and every later commit rejects with the same error: a store that
 * cannot write stops the run.
 */
export class GroupCommit {
  readonly #db: Database;
  #queue: Queued[] = [];
  #failure: unknown;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Resolves when what `write` did is on disk. */
  commit(write: () => void): Promise<void> {
    return new Promise((resolve, reject) => this.#push({ write, resolve, reject }));
  }

  /** Like `commit`, for what nobody waits for: it is on disk before any later commit resolves, and fails with it. */
  queue(write: () => void): void {
    this.#push({ write, resolve() {}, reject() {} });
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
      this.#db
        .transaction(() => {
          for (const { write } of queue) write();
        })
        .immediate();
    } catch (error) {
      this.#failure = error;
      for (const { reject } of queue) reject(error);
      return;
    }
    for (const { resolve } of queue) resolve();
  }
}
