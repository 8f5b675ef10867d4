import type { GroupCommit } from '../../checkpoint/open.ts';

/** How long an intent waits for others, in ms: a commit takes as long, and holds many. */
const gatherMs = 10;
/** What is written down at once where nothing has an intent: files that are there already, or nowhere. */
const notesMax = 500;

/**
 * Writes the books of many small files with few commits. What must be on disk before something else happens is waited for; what may be lost
 * in a kill, because it is found out again, is written with the next of those.
 */
export class Ledger {
  readonly #commits: GroupCommit;
  readonly #groupMax: number;
  #writes: (() => void)[] = [];
  #waiting = 0;
  #group: { readonly promise: Promise<void>; readonly flush: () => void } | undefined;

  /** @param groupMax Intents that are written at once, whoever else may come: as many as can wait at the same time. */
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

  /** Is on disk with the next intent, or with many others of its kind. That it could not be written is told by what is waited for. */
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
