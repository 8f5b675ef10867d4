import type { Queries } from '../queries.ts';

/** Ids that are looked through at once: a few milliseconds. */
const stride = 5_000;

/**
 * Index of which messages reply to which, by the service's data (`parent`) and by the metadata of an import (`thread`).
 * No index of the service has this, so messages are scanned a few thousand at a time, between other work.
 */
export class RepliesIndex {
  readonly #queries: Queries;
  #seen = 0;

  constructor(queries: Queries) {
    this.#queries = queries;
    queries.run(
      'CREATE TEMP TABLE reply (root TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (root, id)) WITHOUT ROWID',
    );
  }

  /** Looks through the next few. @returns whether there are more. */
  advance(newest: number): boolean {
    if (this.#seen >= newest) return false;
    const until = Math.min(this.#seen + stride, newest);
    this.#queries.run(collect, this.#seen, until);
    this.#seen = until;
    return until < newest;
  }

  /** How often each was replied to. @param roots muids, or `#` and an id. */
  counts(roots: readonly string[]): Map<string, number> {
    const select = `SELECT root, count(*) AS count FROM reply WHERE root IN (SELECT value FROM json_each(?)) GROUP BY root`;
    const rows = this.#queries.rows<{ readonly root: string; readonly count: number }>(select, JSON.stringify(roots));
    return new Map(rows.map(({ root, count }) => [root, count]));
  }

  /** Ids of the replies to one message, the first `max`. @param roots its muid, and `#` with its id. */
  to(roots: readonly string[], max: number): number[] {
    const select = 'SELECT DISTINCT id FROM reply WHERE root IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?';
    return this.#queries.rows<{ readonly id: number }>(select, JSON.stringify(roots), max).map(({ id }) => id);
  }
}

const thread = `data ->> '$.metadata.chatferry.thread'`;

/** Most messages are no replies: JSON is read only if it contains the word. */
const collect = `INSERT OR IGNORE INTO reply (root, id)
  SELECT root, id FROM (
    SELECT CASE WHEN parent IS NULL THEN ${thread} ELSE '#' || parent END AS root, id FROM main.message
    WHERE id > ? AND id <= ? AND (parent IS NOT NULL OR instr(data, '"thread":"') > 0))
  WHERE root IS NOT NULL`;
