import type { Database } from 'better-sqlite3';
import type { Queries } from '../queries.ts';

/** Facts about a conversation that are known without reading its messages. */
export interface Summary {
  readonly number: number;
  /** The service's conversationId. */
  readonly name: string;
  /** `#guid`, or two uids with a space between. */
  readonly sides: string;
  readonly title: string;
  readonly count: number;
  readonly firstId: number;
  readonly lastId: number;
  readonly lastAt: number;
}

export interface SummaryQuery {
  /** Part of its title or of the ids of who takes part. */
  readonly search?: string | undefined;
  readonly kind?: 'group' | 'user' | undefined;
  /** Only those in which this uid takes part. */
  readonly of?: string | undefined;
  /** `next` of the page before. */
  readonly after?: string | undefined;
  readonly count: number;
}

/**
 * Counts, titles and last messages of all conversations, in a temporary table of this connection: made in one pass over an index, some
 * 100 ms for a million messages, and kept up to date by what has arrived since.
 */
export class Summaries {
  readonly #db: Database;
  readonly #queries: Queries;
  #newest = 0;
  #version: unknown;

  constructor(db: Database, queries: Queries) {
    this.#db = db;
    this.#queries = queries;
    db.function('folded', { deterministic: true }, (text: unknown) => fold(String(text ?? '')));
    db.exec(`CREATE TEMP TABLE summary (
      conversation INTEGER PRIMARY KEY, title TEXT NOT NULL, folded TEXT NOT NULL, count INTEGER NOT NULL,
      first_id INTEGER NOT NULL, last_id INTEGER NOT NULL, last_at INTEGER NOT NULL)`);
    db.exec('CREATE INDEX temp.summary_last ON summary (last_at DESC, conversation DESC)');
  }

  get newest(): number {
    return this.#newest;
  }

  /** Takes in what was committed since the last time. */
  refresh(): void {
    const version = this.#db.pragma('data_version', { simple: true });
    if (version === this.#version) return;
    this.#version = version;
    const newest = this.#queries.value<number>('SELECT max(id) FROM main.message') ?? 0;
    const since = this.#newest;
    if (newest > since) {
      // A number may be given again once its conversation is deleted.
      if (since > 0) this.#queries.run(`${dropGone} AND conversation IN (${changed})`, since, newest);
      this.#queries.run(
        since === 0 ? merge('') : merge('NOT INDEXED WHERE id > ? AND id <= ?'),
        ...(since === 0 ? [] : [since, newest]),
      );
      this.#newest = newest;
    }
    const isOneGone =
      this.#queries.value<number>('SELECT count(*) FROM main.conversation') !==
      this.#queries.value<number>('SELECT count(*) FROM summary');
    if (isOneGone) this.#queries.run(dropGone);
  }

  totals(): { readonly conversations: number; readonly messages: number } {
    return this.#queries.row('SELECT count(*) AS conversations, coalesce(sum(count), 0) AS messages FROM summary')!;
  }

  /** By the name of the conversation. */
  named(name: string): Summary | undefined {
    return this.#queries.row(`${select} WHERE c.name = ?`, name);
  }

  numbered(number: number): Summary | undefined {
    return this.#queries.row(`${select} WHERE s.conversation = ?`, number);
  }

  /** The last one that was spoken in comes first. */
  list({ search = '', kind, of, after, count }: SummaryQuery): {
    readonly rows: readonly Summary[];
    readonly next: string | null;
  } {
    const [, at, number] = /^(-?\d{1,15}):(\d{1,15})$/.exec(after ?? '') ?? [];
    const conditions = [
      ...(number === undefined
        ? []
        : [{ sql: '(s.last_at, s.conversation) < (?, ?)', values: [Number(at), Number(number)] }]),
      ...(search === '' ? [] : [{ sql: 'instr(s.folded, ?) > 0', values: [fold(search)] }]),
      ...(kind === undefined ? [] : [{ sql: `(substr(c.sides, 1, 1) = '#') = ?`, values: [kind === 'group' ? 1 : 0] }]),
      ...(of === undefined ? [] : [{ sql: `s.conversation IN (${takesPart})`, values: [of, of] }]),
    ];
    const where = ['TRUE', ...conditions.map(({ sql }) => sql)].join(' AND ');
    const values = conditions.flatMap((condition): readonly (string | number)[] => condition.values);
    const sql = `${select} WHERE ${where} ORDER BY s.last_at DESC, s.conversation DESC LIMIT ?`;
    const rows = this.#queries.rows<Summary>(sql, ...values, count + 1);
    const shown = rows.slice(0, count);
    const last = shown.at(-1);
    return { rows: shown, next: rows.length > count && last ? `${last.lastAt}:${last.number}` : null };
  }
}

/** As texts are compared: without regard to case. */
export const fold = (text: string): string => text.toLowerCase();

const nameSql = (uid: string) => `coalesce((SELECT entity ->> '$.name' FROM user WHERE id = ${uid}), ${uid})`;

const sideA = `substr(c.sides, 1, instr(c.sides, ' ') - 1)`;
const sideB = `substr(c.sides, instr(c.sides, ' ') + 1)`;

/** The group's name, or the names of the two; of who writes to himself, his own. */
const title = `CASE WHEN substr(c.sides, 1, 1) = '#'
  THEN coalesce((SELECT entity ->> '$.name' FROM chat_group WHERE id = substr(c.sides, 2)), substr(c.sides, 2))
  WHEN ${sideA} = ${sideB} THEN ${nameSql(sideA)}
  ELSE ${nameSql(sideA)} || ', ' || ${nameSql(sideB)} END`;

/** Adds what these messages come to. @param which Behind FROM. */
const merge = (which: string) => `INSERT INTO summary (conversation, title, folded, count, first_id, last_id, last_at)
  SELECT x.conversation, x.title, folded(x.title || ' ' || x.sides), x.count, x.first_id, x.last_id, m.sent_at
  FROM (SELECT g.*, c.sides, ${title} AS title
    FROM (SELECT conversation, count(*) AS count, min(id) AS first_id, max(id) AS last_id FROM main.message ${which} GROUP BY conversation) g
    JOIN main.conversation c ON c.id = g.conversation) x
  JOIN main.message m ON m.id = x.last_id WHERE TRUE
  ON CONFLICT (conversation) DO UPDATE SET title = excluded.title, folded = excluded.folded, count = count + excluded.count,
    last_id = excluded.last_id, last_at = excluded.last_at`;

/** Messages go with their conversation, all of them. */
const dropGone = 'DELETE FROM summary WHERE NOT EXISTS (SELECT 1 FROM main.message WHERE id = first_id)';
const changed = 'SELECT conversation FROM main.message NOT INDEXED WHERE id > ? AND id <= ?';

const takesPart = `SELECT conversation FROM participant WHERE uid = ?
  UNION SELECT c.id FROM group_member g JOIN main.conversation c ON c.sides = '#' || g.guid WHERE g.uid = ?`;

const select = `SELECT s.conversation AS number, c.name, c.sides, s.title, s.count, s.first_id AS firstId, s.last_id AS lastId,
  s.last_at AS lastAt FROM summary s JOIN main.conversation c ON c.id = s.conversation`;
