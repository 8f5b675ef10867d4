import type { Database } from 'better-sqlite3';

/** A row that was rejected, or a message that a destination refused. */
export interface FailedMessage {
  readonly seq: number;
  /** Null where the row was too broken to have an identity. */
  readonly muid: string | null;
  readonly code: string;
  readonly reason: string;
  /** Path of its file inside the export. */
  readonly path: string;
  /** Line or JSON pointer inside the file. */
  readonly place: string;
}

/** An export of the store that holds some of them. */
export interface FailedInput {
  readonly id: number;
  /** Of the folder, archive or file. */
  readonly path: string;
  /** Where it is not that of the store. */
  readonly source: string | null;
}

/**
 * Everything that was rejected, and what the destination refused (null: nothing was sent anywhere). Kept in a temporary
 * table of this connection, so memory stays flat; what is taken is gone from it.
 */
export class FailedMessages {
  readonly #db: Database;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(db: Database, destination: number | null) {
    this.#db = db;
    db.pragma('temp_store = FILE');
    db.exec(`DROP TABLE IF EXISTS temp.failed;
      CREATE TEMP TABLE failed (seq INTEGER PRIMARY KEY, input INTEGER, path TEXT, place TEXT, muid TEXT, code TEXT, reason TEXT)`);
    db.prepare(
      `INSERT INTO temp.failed
       SELECT m.seq, f.input, f.path, m.place, m.muid, coalesce(d.code, m.reason, ''), coalesce(d.detail, m.detail, '')
       FROM message m JOIN source_file f ON f.id = m.file LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
       WHERE m.follows IS NULL AND (d.state = 'refused' OR (m.verdict = 'rejected' AND coalesce(d.state, 'pending') = 'pending'))`,
    ).run(destination);
    db.exec('CREATE INDEX temp.failed_place ON failed (path, place)');
    this.#sql = prepare(db);
  }

  get count(): number {
    return this.#db.prepare('SELECT count(*) FROM temp.failed').pluck().get() as number;
  }

  inputs(): FailedInput[] {
    return this.#db
      .prepare<[], FailedInput>(
        'SELECT id, path, source FROM source_input WHERE id IN (SELECT input FROM temp.failed) ORDER BY id',
      )
      .all();
  }

  /** Whether a file of this path holds any. */
  isIn(path: string): boolean {
    return this.#sql.isIn.get(path) !== undefined;
  }

  /** Takes the message that stands at this place. */
  take(path: string, place: string, muid: string): FailedMessage | undefined {
    return this.#sql.take.get(path, place, muid);
  }

  /** Takes some rows of a file; of all files, in reading order, without a path. */
  takeSome(limit: number, path?: string): FailedMessage[] {
    const { takeFirst, takeOfFile } = this.#sql;
    const taken = path === undefined ? takeFirst.all(limit) : takeOfFile.all(path, limit);
    return taken.sort((a, b) => a.seq - b.seq);
  }
}

const columns = 'seq, muid, code, reason, path, place';

const prepare = (db: Database) => ({
  isIn: db.prepare<[string]>('SELECT 1 FROM temp.failed WHERE path = ? LIMIT 1'),
  take: db.prepare<[string, string, string], FailedMessage>(
    `DELETE FROM temp.failed WHERE path = ? AND place = ? AND muid = ? RETURNING ${columns}`,
  ),
  takeFirst: db.prepare<[number], FailedMessage>(
    `DELETE FROM temp.failed WHERE seq IN (SELECT seq FROM temp.failed ORDER BY seq LIMIT ?) RETURNING ${columns}`,
  ),
  takeOfFile: db.prepare<[string, number], FailedMessage>(
    `DELETE FROM temp.failed WHERE seq IN (SELECT seq FROM temp.failed WHERE path = ? LIMIT ?) RETURNING ${columns}`,
  ),
});
