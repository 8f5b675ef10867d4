import type { Database } from 'better-sqlite3';

/** A message as another app listed it. */
export interface FetchedMessage {
  readonly id: string;
  /** Unix seconds. */
  readonly sentAt: number;
  readonly digest: Buffer;
}

/** What one job fetched before and may meet again. */
export class FetchedMessages {
  readonly #job: string;
  readonly #db: Database;
  readonly #find;

  constructor(db: Database, job: string) {
    this.#db = db;
    this.#job = job;
    this.#find = db.prepare<[string, string], Buffer>('SELECT digest FROM fetched WHERE job = ? AND id = ?').pluck();
  }

  /** Whether it was fetched before, just like this. */
  has({ id, digest }: FetchedMessage): boolean {
    return this.#find.get(this.#job, id)?.equals(digest) === true;
  }

  /** Remembers messages. Cheap only inside the caller's transaction. */
  add(messages: readonly FetchedMessage[]): void {
    const insert = this.#db.prepare(
      `INSERT INTO fetched VALUES (?, ?, ?, ?)
       ON CONFLICT (job, id) DO UPDATE SET sent_at = excluded.sent_at, digest = excluded.digest`,
    );
    for (const { id, sentAt, digest } of messages) insert.run(this.#job, id, sentAt, digest);
  }

  /** Those before it will not be listed again. @param sentAt Unix seconds. */
  forgetBefore(sentAt: number): void {
    this.#db.prepare('DELETE FROM fetched WHERE job = ? AND sent_at < ?').run(this.#job, sentAt);
  }
}
