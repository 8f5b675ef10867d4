import type { GroupCommit } from '../../store/open.ts';

/** How long an intent waits for others, in ms: a commit takes as long, and holds many. */
const gatherMs = 10;
/** Number of notes written at once when no intent is pending: files that already exist, or are nowhere. */
const notesMax = 500;

/**
 * Records the state of many small files with few commits. Writes that must be on disk before something else happens are
 * waited for. Writes that may be lost in a kill, because they are found out again, go with the next of those.
 */
export class Ledger {
  readonly #commits: GroupCommit;
  readonly #groupMax: number;
  #writes: (() => void)[] = [];
  #waiting = 0;
  #group: { readonly promise: Promise<void>; readonly flush: () => void } | undefined;

  /**
   * @param groupMax Number of intents that are written at once, even if more may come: as many as can wait at the same
   *   time.
   */
  constructor(commits: GroupCommit, groupMax: number) {
    this.#commits = commits;
    this.#groupMax = groupMax;
  }

  /** Resolves when it is on disk, with all that was noted before. @throws StoreError */
  async before(write: () => void): Promise<void> {
    this.#writes.push(write);
    this.#waiting++;
    this.#group ??= this.#gather();
    const { promise, flush } = this.#group;
    if (this.#waiting >= this.#groupMax) flush();
    await promise;
  }

  /** Queues a write that reaches the disk with the next intent, or with many others of its kind. If it fails, the next awaited call reports it. */
  note(write: () => void): void {
    this.#writes.push(write);
    if (this.#group === undefined && this.#writes.length >= notesMax) this.#commits.queue(this.#taken());
  }

  /** Everything is on disk. @throws StoreError */
  async close(): Promise<void> {
    const { promise } = this.#group ?? {};
    this.#group?.flush();
    await promise;
    await this.#commit('receipt');
  }

  #gather() {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let isFlushed = false;
    const flush = () => {
      if (isFlushed) return;
      isFlushed = true;
      clearTimeout(timer);
      this.#group = undefined;
      this.#waiting = 0;
      this.#commit('intent').then(resolve, reject);
    };
    const timer = setTimeout(flush, gatherMs);
    return { promise, flush };
  }

  async #commit(kind: 'intent' | 'receipt'): Promise<void> {
    await this.#commits.commit(this.#taken(), kind);
  }

  #taken(): () => void {
    const writes = this.#writes;
    this.#writes = [];
    return () => {
      for (const write of writes) write();
    };
  }
}
