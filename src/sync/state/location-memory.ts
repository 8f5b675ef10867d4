import type { Database } from 'better-sqlite3';
import { sha256Hex } from '../../lib/hash.ts';

/** One job's memory of its export location. Discarded if the configuration names another location. */
export interface LocationMemory<T> {
  read(): T | undefined;
  write(memory: T): void;
}

/** @param location As it is configured. It may hold a token, so only its digest is kept. */
export function locationMemory<T>(db: Database, job: string, location: string): LocationMemory<T> {
  const key = sha256Hex(location);
  return {
    read() {
      const text = db.prepare('SELECT memory FROM location WHERE job = ? AND key = ?').pluck().get(job, key);
      return text === undefined ? undefined : (JSON.parse(text as string) as T);
    },
    write(memory) {
      db.prepare(
        `INSERT INTO location VALUES (?, ?, ?)
         ON CONFLICT (job) DO UPDATE SET key = excluded.key, memory = excluded.memory`,
      ).run(job, key, JSON.stringify(memory));
    },
  };
}

/** A file of a drop folder as it looks now. */
export interface ArchiveFacts {
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export interface KnownArchive {
  readonly seenAtMs: number;
  readonly head: string | null;
  readonly isTaken: boolean;
}

/** Remembers the look of an archive. @returns What was known before; undefined if the archive is new or has changed. */
export function noteArchive(db: Database, job: string, facts: ArchiveFacts, nowMs: number): KnownArchive | undefined {
  const { name, sizeBytes, modifiedMs } = facts;
  const row = db
    .prepare<[string, string, number, number], { seen_at: number; head: string | null; taken_at: number | null }>(
      `SELECT seen_at, head, taken_at FROM archive WHERE job = ? AND name = ? AND size_bytes = ? AND modified_at = ?`,
    )
    .get(job, name, sizeBytes, modifiedMs);
  if (row) return { seenAtMs: row.seen_at, head: row.head, isTaken: row.taken_at !== null };
  // Its looks while it was growing need not be remembered.
  db.prepare('DELETE FROM archive WHERE job = ? AND name = ? AND taken_at IS NULL').run(job, name);
  db.prepare('INSERT INTO archive (job, name, size_bytes, modified_at, seen_at) VALUES (?, ?, ?, ?, ?)').run(
    ...[job, name, sizeBytes, modifiedMs, nowMs],
  );
  return undefined;
}

/** A clock that was wrong has seen them later than now: else they would not come to rest before that. */
export function correctSeen(db: Database, job: string, nowMs: number): void {
  db.prepare('UPDATE archive SET seen_at = ? WHERE job = ? AND seen_at > ?').run(nowMs, job, nowMs);
}

/** A plan has read it: never again, unless it changes. */
export function markTaken(db: Database, job: string, facts: ArchiveFacts, head: string, nowMs: number): void {
  db.prepare(
    'UPDATE archive SET taken_at = ?, head = ? WHERE job = ? AND name = ? AND size_bytes = ? AND modified_at = ?',
  ).run(nowMs, head, job, facts.name, facts.sizeBytes, facts.modifiedMs);
  // For a name that is written repeatedly, only the latest archive is remembered.
  db.prepare('DELETE FROM archive WHERE job = ? AND name = ? AND taken_at < ?').run(job, facts.name, nowMs);
}

/** Forgets archives of another folder, or of a store that no longer exists. */
export function forgetArchives(db: Database, job: string): void {
  db.prepare('DELETE FROM archive WHERE job = ?').run(job);
}

/** A message as another app listed it. */
export interface FetchedMessage {
  readonly id: string;
  /** Unix seconds. */
  readonly sentAt: number;
  readonly digest: Buffer;
}

/** Messages that one job fetched before and may meet again. */
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
