import type { Database } from 'better-sqlite3';
import type { Clock } from '../lib/flow/clock.ts';
import type { OperationName } from '../service/operations.ts';
import { Queries } from './data/queries.ts';
import type { SandboxStore } from './store.ts';
import { openDatabase } from '../lib/sqlite.ts';

/** How often a request was made and what became of it. */
export interface RequestCounts {
  requests: number;
  /** By status; `lost` where there was no answer. */
  readonly answers: Record<string, number>;
  /** By what was broken. */
  readonly faults: Record<string, number>;
}

export interface BookSummary {
  readonly since: string;
  /** By operation; `unknown` for what is none. Requests to the book and the plan of faults are not counted. */
  readonly operations: Readonly<Record<string, RequestCounts>>;
  readonly applied: {
    readonly messages: number;
    readonly muids: number;
    /** Some of the muids that were applied more than once, 100 at most. */
    readonly moreThanOnce: readonly string[];
  };
}

/** Every time that a message of this muid was stored. */
export interface Applied {
  readonly muid: string;
  readonly times: number;
  /** ISO times, the oldest first. */
  readonly at: readonly string[];
  /** The service's ids of them. */
  readonly ids: readonly string[];
}

/**
 * Record of everything that the sandbox saw and applied since it was opened. It is made from stored messages, not from
 * answers, so faults do not affect it, and it keeps messages that are deleted later. It is in a temporary file of
 * SQLite, 60 bytes a message, and is gone with the process.
 */
export class Book {
  readonly #since: string;
  readonly #operations = new Map<string, RequestCounts>();
  readonly #db: Database;
  readonly #queries: Queries;
  readonly #clock: Clock;
  #writtenId: number;
  #isIndexed = false;

  /** One per store. */
  constructor({ db }: SandboxStore, clock: Clock) {
    this.#db = db;
    this.#queries = new Queries(db);
    this.#clock = clock;
    this.#since = isoTime(clock.now());
    db.exec('CREATE TEMP TABLE book (muid TEXT NOT NULL, id INTEGER NOT NULL, at INTEGER NOT NULL) STRICT');
    this.#writtenId = this.newestId();
  }

  /** To be called after every request: writes down which messages are there that were not there before. */
  write(): void {
    const newestId = this.newestId();
    if (newestId === this.#writtenId) return;
    const write =
      'INSERT INTO temp.book SELECT muid, id, ? FROM main.message WHERE id > ? AND muid IS NOT NULL ORDER BY id';
    this.#queries.run(write, Math.floor(this.#clock.now()), this.#writtenId);
    this.#writtenId = newestId;
  }

  newestId(): number {
    return this.#queries.value<number>('SELECT coalesce(max(id), 0) FROM main.message') ?? 0;
  }

  /** To be called after every request, with what became of it. */
  note(operation: OperationName | 'unknown', answer: number | 'lost', fault: string | undefined): void {
    const counts = this.#operations.get(operation) ?? { requests: 0, answers: {}, faults: {} };
    this.#operations.set(operation, counts);
    counts.requests++;
    counts.answers[answer] = (counts.answers[answer] ?? 0) + 1;
    if (fault !== undefined) counts.faults[fault] = (counts.faults[fault] ?? 0) + 1;
  }

  summary(): BookSummary {
    this.#index();
    const count = 'SELECT count(*) AS messages, count(DISTINCT muid) AS muids FROM temp.book';
    const { messages, muids } = this.#queries.row<{ readonly messages: number; readonly muids: number }>(count)!;
    const repeated = 'SELECT muid FROM temp.book GROUP BY muid HAVING count(*) > 1 ORDER BY muid LIMIT 100';
    const moreThanOnce = () => this.#queries.rows<{ readonly muid: string }>(repeated).map(({ muid }) => muid);
    return {
      since: this.#since,
      operations: structuredClone(Object.fromEntries(this.#operations)),
      applied: { messages, muids, moreThanOnce: messages === muids ? [] : moreThanOnce() },
    };
  }

  applied(muid: string): Applied {
    this.#index();
    const select = 'SELECT at, id FROM temp.book WHERE muid = ? ORDER BY rowid';
    const rows = this.#queries.rows<{ readonly at: number; readonly id: number }>(select, muid);
    return {
      muid,
      times: rows.length,
      at: rows.map(({ at }) => isoTime(at)),
      ids: rows.map(({ id }) => String(id)),
    };
  }

  /** Creates the index when the book is first read: a run that never reads it does not pay for it. */
  #index(): void {
    if (this.#isIndexed) return;
    this.#db.exec('CREATE INDEX temp.book_muid ON book (muid)');
    this.#isIndexed = true;
  }
}

const isoTime = (ms: number): string => new Date(ms).toISOString();

export interface ArrivedMessage {
  readonly conversation: string;
  readonly sender: string;
  readonly sentAtSeconds: number;
  readonly text: string;
}

/**
 * Reads the messages that a sandbox has stored, in the order of arrival, copies included. They are in its data file,
 * which outlives the process however that ended. An import never deletes anything.
 *
 * @param path of the data file; the sandbox may still be serving it. A file that was never begun holds nothing.
 * @throws StoreError if it is no database.
 */
export function readArrived(path: string): ArrivedMessage[] {
  const db = openDatabase(path);
  try {
    if (db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'message'`).get() === undefined) return [];
    return db
      .prepare<[], ArrivedMessage>(
        `SELECT c.name AS conversation, m.sender, m.sent_at AS sentAtSeconds, m.data ->> '$.text' AS text
         FROM message m JOIN conversation c ON c.id = m.conversation ORDER BY m.id`,
      )
      .all();
  } finally {
    db.close();
  }
}
