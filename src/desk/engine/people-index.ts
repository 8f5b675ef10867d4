import type { Database, Statement } from 'better-sqlite3';
import type { Store } from '../../store/open.ts';
import { openTemporaryDatabase } from '../../lib/sqlite.ts';
import { idFromStored, storedId } from '../../lib/text/stored-id.ts';
import { chosenId } from '../../mapping/ids.ts';
import { mapPerson, lookupKey } from '../../mapping/person.ts';
import type { Rules, LookupRule } from '../../mapping/rules.ts';
import type { DuplicateGroup, Page, PersonRow } from '../shapes.ts';
import { PeopleLines } from './people-lines.ts';
import {
  type PlannedPerson,
  plannedPeople,
  isNameable,
  unmatchedRow,
  csvHeader,
  peopleLine,
} from '../../report/report-files.ts';

/** What people who are one person may have in common. */
type DuplicateKind = DuplicateGroup['by'];

export interface PeopleQuery {
  /** Part of a name, handle, e-mail address, id or uid; empty for everyone. */
  readonly search: string;
  /** `open`: people whose uid the template makes. `set`: all others. */
  readonly only: 'all' | 'open' | 'set';
  /** `next` of the page before. */
  readonly after: string | null;
}

const pageRows = 30;
const pageGroups = 10;
const groupPeople = 10;

/** People between two messages of progress. */
const progressEvery = 5_000;

/**
 * Everyone in a plan, to be searched: a temporary database of some 600 bytes for each person, with at most 64 MiB
 * of memory. A search that finds no one looks at everyone once: 30 ms for 100,000 people.
 */
export class PeopleIndex {
  readonly #db: Database;
  readonly #by: LookupRule['by'];
  readonly #lines: PeopleLines;
  readonly #others: Statement<[uid: string, number: number], [id: string]>;

  /** Reads everyone of the latest plan. @param progress Called now and then. */
  constructor(store: Store, rules: Rules, progress: (done: number) => void = () => {}) {
    const { lookup } = rules.people;
    this.#by = lookup === 'none' ? 'id' : lookup.by;
    this.#db = openTemporaryDatabase();
    this.#db.pragma(`cache_size = -${cacheKiB}`);
    this.#db.exec(tables);
    this.#transact(() => this.#fill(plannedPeople(store), rules, progress));
    this.#db.exec(indexes);
    this.#lines = new PeopleLines(this.#db);
    this.#others = this.#db
      .prepare<[string, number], [string]>(
        'SELECT id FROM person WHERE uid = ? AND number <> ? AND merged_into IS NULL ORDER BY number LIMIT 1',
      )
      .raw();
  }

  close(): void {
    this.#db.close();
  }

  get people(): number {
    return this.#count('SELECT count(*) FROM person');
  }

  /** People whom the export does not describe. */
  get unknown(): number {
    return this.#count('SELECT count(*) FROM person WHERE NOT is_known');
  }

  /** People whom a table of uids cannot name. */
  get leftOut(): number {
    return this.#count('SELECT count(*) FROM person WHERE NOT is_nameable');
  }

  /** Uids of the table, also those of people who are not in the plan. */
  get entries(): number {
    return this.#count('SELECT count(*) FROM entry');
  }

  /** Uids of the table that are no one's in the plan. */
  get unmatched(): number {
    return this.#count('SELECT count(*) FROM entry WHERE key NOT IN (SELECT key FROM person WHERE key IS NOT NULL)');
  }

  table(): ReadonlyMap<string, string> {
    return new Map(this.#db.prepare<[], [string, string]>('SELECT key, uid FROM entry').raw().iterate());
  }

  /** Takes the uids of a table in place of all others. */
  setTable(uids: ReadonlyMap<string, string>): void {
    this.#transact(() => {
      this.#lines.forget('by_table IS NOT NULL');
      this.#db.exec('DELETE FROM entry; UPDATE person SET by_table = NULL WHERE by_table IS NOT NULL');
      const insert = this.#db.prepare('INSERT INTO entry VALUES (?, ?)');
      const update = this.#db.prepare('UPDATE person SET by_table = ? WHERE key = ?');
      for (const [key, uid] of uids) {
        insert.run(key, uid);
        update.run(uid, key);
      }
      this.#lines.forget('by_table IS NOT NULL');
    });
  }

  /** Sets the uid of a key of the table, or removes it. */
  setUid(key: string, uid: string | null): void {
    this.#transact(() => {
      if (uid === null) this.#db.prepare('DELETE FROM entry WHERE key = ?').run(key);
      else this.#db.prepare('INSERT OR REPLACE INTO entry VALUES (?, ?)').run(key, uid);
      this.#db.prepare('UPDATE person SET by_table = ? WHERE key = ?').run(uid, key);
      this.#lines.forget('key = ?', key);
    });
  }

  /** Takes the merges of a mapping in place of all others. */
  setMerges(merges: Rules['people']['merge']): void {
    this.#transact(() => {
      this.#db.exec('UPDATE person SET merged_into = NULL WHERE merged_into IS NOT NULL');
      const update = this.#db.prepare('UPDATE person SET merged_into = ? WHERE id = ?');
      for (const [first, ...others] of merges)
        for (const other of others) update.run(storedId(first!), storedId(other));
    });
  }

  /** People with most messages first. */
  page({ search, only, after }: PeopleQuery): Page<PersonRow> {
    const [least, number] = parseCursor(after);
    const rows = this.#db
      .prepare<[object], IndexedPerson>(
        `SELECT * FROM person WHERE number IN
           (SELECT number FROM person WHERE (least, number) > (@least, @number)
              ${filters[only]} ${search === '' ? '' : 'AND (instr(words, @search) OR instr(uid, @search))'}
            ORDER BY least, number LIMIT ${pageRows + 1})
         ORDER BY least, number`,
      )
      .all({ least, number, search: search.toLowerCase() });
    const page = rows.slice(0, pageRows);
    const last = page.at(-1);
    const next = rows.length > pageRows && last ? `${last.messages}:${last.number}` : null;
    return { rows: page.map((row) => this.#shown(row)), next };
  }

  /** Groups of people who may be one person, those of most messages first. Nothing is merged. */
  duplicates({ by, after }: { readonly by: DuplicateKind; readonly after: string | null }): Page<DuplicateGroup> {
    const [messages, value] = parseGroupCursor(after);
    const column = `same_${by}`;
    const groups = this.#db
      .prepare<[object], { readonly value: string; readonly count: number; readonly messages: number }>(
        `SELECT ${column} AS value, count(*) AS count, sum(messages) AS messages FROM person
         WHERE ${column} IS NOT NULL AND merged_into IS NULL GROUP BY ${column}
         HAVING count(*) > 1 AND (sum(messages) < @messages OR (sum(messages) = @messages AND ${column} > @value))
         ORDER BY sum(messages) DESC, ${column} LIMIT ${pageGroups + 1}`,
      )
      .all({ messages, value });
    const members = this.#db.prepare<[string], IndexedPerson>(
      `SELECT * FROM person WHERE ${column} = ? AND merged_into IS NULL ORDER BY messages DESC, number LIMIT ${groupPeople}`,
    );
    const page = groups.slice(0, pageGroups);
    const last = page.at(-1);
    return {
      rows: page.map((group) => {
        const people = members.all(group.value).map((row) => this.#shown(row));
        return { by, value: group.value, people, more: group.count - people.length };
      }),
      next: groups.length > pageGroups && last ? `${last.messages}:${last.value}` : null,
    };
  }

  /** @param id In the export. */
  find(id: string): FoundPerson | undefined {
    const row = this.#db.prepare<[string], IndexedPerson>('SELECT * FROM person WHERE id = ?').get(storedId(id));
    return row && { ...this.#shown(row), key: row.key };
  }

  /** The table of uids as text, as `chatferry people` writes it: in the order of the plan, then people who are not in it. */
  *csv(): Generator<string> {
    yield csvHeader;
    yield* this.#lines.all();
    const others = this.#db
      .prepare<[], [key: string, uid: string]>(
        'SELECT key, uid FROM entry WHERE key NOT IN (SELECT key FROM person WHERE key IS NOT NULL) ORDER BY rowid',
      )
      .raw();
    for (const [key, uid] of others.iterate()) yield peopleLine(unmatchedRow(this.#by, key, uid));
  }

  get sharedUids(): number {
    return this.#count(
      'SELECT count(*) FROM (SELECT 1 FROM person WHERE merged_into IS NULL GROUP BY uid HAVING count(*) > 1)',
    );
  }

  #fill(people: Iterable<PlannedPerson>, rules: Rules, progress: (done: number) => void): void {
    let done = 0;
    const insert = this.#db.prepare(
      `INSERT INTO person (number, id, name, handle, email, messages, made, by_hand, key, words, same_email, same_name, same_handle,
         now, is_nameable, is_known, is_bot, is_deleted)
       VALUES (@number, @id, @name, @handle, @email, @messages, @made, @byHand, @key, @words, @sameEmail, @sameName, @sameHandle,
         @now, @isNameable, @isKnown, @isBot, @isDeleted)`,
    );
    for (const person of people) {
      insert.run(this.#indexed(person, rules));
      if (++done % progressEvery === 0) progress(done);
    }
  }

  #indexed(person: PlannedPerson, rules: Rules) {
    const { number, record, now, messages } = person;
    const { id, name, handle = '', email = '' } = record;
    const nameable = isNameable(id);
    const key = record[this.#by];
    const shown = { number, messages, handle, email, name, now, id: storedId(id) };
    const alike = { sameEmail: folded(email), sameName: folded(name), sameHandle: folded(handle) };
    return {
      ...shown,
      made: templateUid(person, rules),
      byHand: chosenId(rules.people.uids, id) ?? null,
      key: key === undefined || !nameable ? null : lookupKey(key, this.#by),
      words: [name, handle, email, id].join('\n').toLowerCase(),
      ...alike,
      isNameable: nameable ? 1 : 0,
      isKnown: record.isPlaceholder ? 0 : 1,
      isBot: record.isBot || record.role === 'bot' ? 1 : 0,
      isDeleted: record.isDeleted ? 1 : 0,
    };
  }

  #shown(row: IndexedPerson): PersonRow {
    const { id, name, handle, email, messages, uid, merged_into: mergedInto } = row;
    const person = { name, handle, email, messages, uid, id: idFromStored(id) };
    return {
      ...person,
      setBy: setBy(row),
      mergedInto: mergedInto === null ? null : idFromStored(mergedInto),
      sharedWith: mergedInto === null ? this.#otherWith(uid, row.number) : null,
      isKnown: row.is_known === 1,
      isBot: row.is_bot === 1,
      isDeleted: row.is_deleted === 1,
    };
  }

  #otherWith(uid: string, number: number): string | null {
    const other = this.#others.get(uid, number);
    return other === undefined ? null : idFromStored(other[0]);
  }

  #count(select: string): number {
    return this.#db.prepare<[], number>(select).pluck().get() as number;
  }

  #transact(work: () => void): void {
    this.#db.transaction(work)();
  }
}

/** A person, and the key under which the table of uids has them; null if it cannot name them. */
export interface FoundPerson extends PersonRow {
  readonly key: string | null;
}

interface IndexedPerson extends Pick<FoundPerson, 'id' | 'name' | 'handle' | 'email' | 'messages' | 'uid' | 'key'> {
  readonly number: number;
  readonly by_hand: string | null;
  readonly by_table: string | null;
  readonly merged_into: string | null;
  readonly is_known: number;
  readonly is_bot: number;
  readonly is_deleted: number;
}

const tables = `
  CREATE TABLE person (
    number      INTEGER PRIMARY KEY, -- in the store
    id          TEXT NOT NULL,       -- of the export, as a database can hold it
    name        TEXT NOT NULL,
    handle      TEXT NOT NULL,
    email       TEXT NOT NULL,
    messages    INTEGER NOT NULL,
    least       INTEGER NOT NULL AS (-messages), -- those of most messages are first
    made        TEXT NOT NULL,       -- the uid that the template makes
    by_hand     TEXT,                -- the uid of people.uids
    by_table    TEXT,                -- the uid of the table
    uid         TEXT NOT NULL AS (coalesce(by_hand, by_table, made)),
    is_set      INTEGER NOT NULL AS (by_hand IS NOT NULL OR by_table IS NOT NULL OR merged_into IS NOT NULL),
    key         TEXT,                -- under which the table has a uid
    merged_into TEXT,                -- the id of another person
    words       TEXT NOT NULL,       -- that are searched, in lower case
    same_email  TEXT,
    same_name   TEXT,
    same_handle TEXT,
    now         TEXT NOT NULL,       -- the uid that the plan gave
    is_nameable INTEGER NOT NULL,
    is_known    INTEGER NOT NULL,
    is_bot      INTEGER NOT NULL,
    is_deleted  INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE entry (key TEXT PRIMARY KEY, uid TEXT NOT NULL) STRICT;`;

const indexes = `
  -- With all that a search looks at: it need not read people whom it does not find.
  CREATE INDEX person_order ON person (least, number, is_set, uid, words);
  CREATE INDEX person_id ON person (id);
  CREATE INDEX person_uid ON person (uid);
  CREATE INDEX person_key ON person (key) WHERE key IS NOT NULL;
  CREATE INDEX person_email ON person (same_email, merged_into, messages) WHERE same_email IS NOT NULL;
  CREATE INDEX person_name ON person (same_name, merged_into, messages) WHERE same_name IS NOT NULL;
  CREATE INDEX person_handle ON person (same_handle, merged_into, messages) WHERE same_handle IS NOT NULL;`;

const filters = { all: '', open: 'AND NOT is_set', set: 'AND is_set' } as const;

/** Memory that holds some 100,000 people; those of a larger plan are partly read from the disk. */
const cacheKiB = 64 * 1024;

/** The uid that a person has without one of their own. A module has made the one of the plan. */
function templateUid({ record, now, hasHash }: PlannedPerson, rules: Rules): string {
  if (hasHash || rules.module !== undefined) return now;
  return mapPerson(record, { ...rules, people: { ...rules.people, uids: {} } }).uid;
}

function setBy({ by_hand: byHand, by_table: byTable, merged_into: mergedInto }: IndexedPerson): PersonRow['setBy'] {
  if (mergedInto !== null) return 'merged';
  if (byHand !== null) return 'mapping';
  return byTable === null ? 'template' : 'table';
}

/** Text by which people are the same; null without any. */
const folded = (text: string): string | null =>
  text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase() || null;

/** Before the first row, if there is no valid one. */
function parseCursor(after: string | null): readonly [least: number, number: number] {
  const match = /^(\d{1,15}):(\d{1,15})$/.exec(after ?? '');
  return match ? [-Number(match[1]), Number(match[2])] : [Number.MIN_SAFE_INTEGER, 0];
}

function parseGroupCursor(after: string | null): readonly [messages: number, value: string] {
  const match = /^(\d{1,15}):(.*)$/s.exec(after ?? '');
  return match ? [Number(match[1]), match[2]!] : [Number.MAX_SAFE_INTEGER, ''];
}
