import { checkOwner } from '../lib/migrations.ts';
import { openDatabase } from '../lib/sqlite.ts';
import { Groups } from './data/groups.ts';
import type { MessageRow } from './data/message-json.ts';
import { People } from './data/people.ts';
import { Queries, Table } from './data/queries.ts';
import { Reactions } from './data/reactions.ts';
import { Relations } from './data/relations.ts';
import { showMessages } from './data/show-messages.ts';
import { sandboxData } from './store.ts';
import { GroupList, type ListedGroup } from './data/overview/group-list.ts';
import { Persons } from './data/overview/persons.ts';
import { type Found, searchTexts, type TextSearch } from './data/overview/search.ts';
import { Summaries, type Summary } from './data/overview/summaries.ts';
import { Messages } from './data/messages.ts';

export type { ListedGroup, MessageRow, Summary };

/**
 * Content of a sandbox, for a person who looks at it: read by a connection of its own that cannot write, next to the
 * process that serves or fills the file.
 */
export class Overview {
  readonly summaries: Summaries;
  readonly history: History;
  readonly replies: RepliesIndex;
  readonly persons: Persons;
  readonly groups: GroupList;
  readonly #queries: Queries;
  readonly #close: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @throws StoreError if there is no such file, or it is no sandbox's. */
  constructor(path: string) {
    const db = openDatabase(path, { readonly: true });
    try {
      checkOwner(db, path, sandboxData);
      this.#queries = new Queries(db);
      this.summaries = new Summaries(db, this.#queries);
      this.history = new History(this.#queries);
      this.replies = new RepliesIndex(this.#queries);
      this.persons = new Persons(this.#queries);
      this.groups = new GroupList(this.#queries);
    } catch (error) {
      db.close();
      throw error;
    }
    this.#close = () => db.close();
  }

  /** Takes in what has arrived. Longer work continues in small steps, between other work. */
  refresh(): void {
    this.summaries.refresh();
    this.#goOn();
  }

  #goOn(): void {
    if (this.#timer || !this.replies.advance(this.summaries.newest)) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#goOn();
    }, 5);
    this.#timer.unref();
  }

  search(search: TextSearch): Found {
    return searchTexts(this.#queries, search);
  }

  /** Returns messages as the service answers them to a client that lists them with a key: each as JSON. */
  answered(rows: readonly MessageRow[]): string[] {
    const queries = this.#queries;
    // Earlier instances may have stale caches, so each call makes new ones.
    const around = {
      people: new People(queries),
      groups: new Groups(queries),
      reactions: new Reactions(queries),
      relations: new Relations(queries),
    };
    return showMessages(around, rows, {});
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#close();
  }
}

/** The messages of a conversation by position, time and id. They are in the order in which the service lists them: by id. */
export class History extends Table {
  readonly #messages = new Messages(this.db);

  /** @param from Position of the first one, from 0. */
  at({ number, count: total }: Summary, from: number, count: number): MessageRow[] {
    // From the nearer end: so many entries of the index are passed over.
    const isNearEnd = from + count > total / 2;
    const end = Math.max(0, total - from - count);
    const ids = isNearEnd
      ? `SELECT id FROM message WHERE conversation = ? ORDER BY id DESC LIMIT ? OFFSET ?`
      : `SELECT id FROM message WHERE conversation = ? ORDER BY id LIMIT ? OFFSET ?`;
    const shown = Math.min(count, Math.max(0, total - from));
    const values = [number, shown, isNearEnd ? end : from];
    return this.#messages.find([{ sql: `id IN (${ids})`, values }], 'id', shown);
  }

  /** In the order of their ids; those that are not there are absent. */
  byIds(ids: readonly number[]): MessageRow[] {
    return this.#messages.find(
      [{ sql: 'id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(ids)] }],
      'id',
      ids.length,
    );
  }

  /** One for each muid that is there. */
  byMuids(muids: readonly string[]): MessageRow[] {
    const sql =
      'id IN (SELECT max(id) FROM message WHERE muid IN (SELECT value FROM json_each(?)) AND muid IS NOT NULL GROUP BY muid)';
    return this.#messages.find([{ sql, values: [JSON.stringify(muids)] }], 'id', muids.length);
  }

  /** By muid; else by id. */
  find(key: string): MessageRow | undefined {
    return this.byMuids([key])[0] ?? this.#messages.get(key);
  }

  countBefore(conversation: number, id: number): number {
    return this.db.value<number>('SELECT count(*) FROM message WHERE conversation = ? AND id < ?', conversation, id)!;
  }

  conversationNumber(id: number): number | undefined {
    return this.db.value<number>('SELECT conversation FROM message WHERE id = ?', id);
  }

  /**
   * Id of the first message of that time or later, or of the last one: found by halving, as times ascend with ids but for
   * messages that came late.
   */
  atTime({ number, firstId, lastId }: Summary, seconds: number): number {
    const probe = 'SELECT id, sent_at AS sentAt FROM message WHERE conversation = ? AND id >= ? ORDER BY id LIMIT 1';
    let [low, high] = [firstId, lastId];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = this.db.row<{ readonly id: number; readonly sentAt: number }>(probe, number, middle);
      if (!found || found.sentAt >= seconds) high = middle;
      else low = found.id + 1;
    }
    return this.db.row<{ readonly id: number }>(probe, number, low)?.id ?? lastId;
  }
}

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
