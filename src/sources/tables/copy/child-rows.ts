import type { Database, Statement } from 'better-sqlite3';
import { openTemporaryDatabase } from '../../../lib/sqlite.ts';
import type { Membership } from '../../../model/records.ts';
import type { Members } from '../../../model/members.ts';
import type { ChildRole } from '../roles.ts';

/** A row that belongs to a message. */
interface ChildRow {
  readonly role: ChildRole;
  /** Id of the message. */
  readonly message: string;
  /** Sorts the rows of one message: numbers, then texts, then those without. */
  readonly order?: number | string | undefined;
  /** Content of the row, in the form that its binder needs. */
  readonly value: unknown;
}

/** Rows of a table that no message used. */
export interface UnusedRows {
  readonly role: ChildRole;
  readonly path: string;
  readonly count: number;
}

/** A person in a conversation. */
export interface MemberRow extends Membership {
  readonly conversation: string;
  readonly isOwner: boolean;
}

const roleNumbers: Readonly<Record<ChildRole, number>> = { attachments: 0, reactions: 1, edits: 2 };
const roles = Object.keys(roleNumbers) as readonly ChildRole[];

/** Without an index on what is looked up, until the first look: sorting once costs a fraction of keeping order. */
const tablesSql = `
  CREATE TABLE child (message TEXT, role INTEGER, path INTEGER, place, value TEXT);
  CREATE TABLE member (conversation TEXT, user TEXT, is_owner INTEGER, path INTEGER, details TEXT);
  CREATE TABLE used (message TEXT PRIMARY KEY) WITHOUT ROWID;
  BEGIN`;

const indexesSql = `
  CREATE INDEX IF NOT EXISTS child_message ON child (message);
  CREATE INDEX IF NOT EXISTS member_conversation ON member (conversation)`;

/** 4 MB: with ten million rows, a quarter of the messages without any are looked up for nothing. */
const filterBits = 2 ** 25;

/** FNV-1a, mixed once more: ids that count upwards differ in few bits. */
function bitOf(message: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < message.length; at += 1) hash = Math.imul(hash ^ message.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 7;
}

type FoundChild = readonly [role: number, value: string];

type FoundMember = readonly [user: string, isOwner: number, details: string | null];

interface Statements {
  readonly addChild: Statement;
  readonly addMember: Statement;
  readonly childrenOf: Statement<[string], FoundChild>;
  readonly membersOf: Statement<[string], FoundMember>;
  readonly use: Statement;
}

/**
 * Rows of child tables, by the message or conversation that they belong to. They are on disk: memory holds a page cache of some MB, a
 * filter of 4 MB and the names of the files.
 */
export class ChildRows {
  readonly #db: Database = openTemporaryDatabase();
  readonly #sql: Statements;
  readonly #paths: string[] = [];
  /** A bit for each hash of a message that has rows: most messages have none, and need no look-up. */
  readonly #has = new Uint8Array(filterBits / 8);
  #isIndexed = false;

  constructor() {
    this.#db.exec(tablesSql);
    this.#sql = {
      addChild: this.#db.prepare('INSERT INTO child VALUES (?, ?, ?, ?, ?)'),
      addMember: this.#db.prepare('INSERT INTO member VALUES (?, ?, ?, ?, ?)'),
      childrenOf: this.#db
        .prepare<[string], FoundChild>(
          'SELECT role, value FROM child WHERE message = ? ORDER BY place IS NULL, place, rowid',
        )
        .raw(),
      membersOf: this.#db
        .prepare<[string], FoundMember>(
          'SELECT user, is_owner, details FROM member WHERE conversation = ? ORDER BY rowid',
        )
        .raw(),
      use: this.#db.prepare('INSERT OR IGNORE INTO used VALUES (?)'),
    };
  }

  add({ role, message, order = undefined, value }: ChildRow, path: string): void {
    const bit = bitOf(message);
    this.#has[bit >>> 3]! |= 1 << (bit & 7);
    this.#sql.addChild.run(message, roleNumbers[role], this.#pathNumber(path), order ?? null, JSON.stringify(value));
  }

  addMember({ conversation, user, isOwner, ...details }: MemberRow, path: string): void {
    const json = JSON.stringify(details);
    this.#sql.addMember.run(conversation, user, isOwner ? 1 : 0, this.#pathNumber(path), json === '{}' ? null : json);
  }

  /** Returns the contents of the rows of a message, by their role, in order, and counts them as used. Undefined if it has none. */
  of(message: string): Readonly<Record<ChildRole, readonly unknown[]>> | undefined {
    const bit = bitOf(message);
    if ((this.#has[bit >>> 3]! & (1 << (bit & 7))) === 0) return undefined;
    this.#index();
    const found = this.#sql.childrenOf.all(message);
    if (found.length === 0) return undefined;
    this.#sql.use.run(message);
    const values: Record<ChildRole, unknown[]> = { attachments: [], reactions: [], edits: [] };
    for (const [role, value] of found) values[roles[role]!].push(JSON.parse(value));
    return values;
  }

  /** The first who owns a conversation. Its people are added to `members`. */
  addMembersOf(conversation: string, members: Members): string | undefined {
    this.#index();
    const found = this.#sql.membersOf.all(conversation);
    for (const [user, , details] of found)
      members.add(conversation, user, details === null ? undefined : (JSON.parse(details) as Membership));
    return found.find(([, isOwner]) => isOwner === 1)?.[0];
  }

  /** Every conversation that has members, with the file that names it first. May be many: they are not collected. */
  *conversations(): Generator<{ readonly id: string; readonly path: string }> {
    this.#index();
    // For the other columns, SQLite uses the row with the minimum.
    const sql = 'SELECT conversation, path, min(rowid) AS first FROM member GROUP BY conversation ORDER BY first';
    const found = this.#db.prepare<[], readonly [string, number]>(sql).raw().iterate();
    for (const [id, path] of found) yield { id, path: this.#paths[path]! };
  }

  /** Returns for each table how many rows belong to no message that was requested. */
  unused(): readonly UnusedRows[] {
    const sql = `SELECT role, path, count(*) FROM child WHERE message NOT IN (SELECT message FROM used) GROUP BY role, path`;
    const found = this.#db.prepare<[], readonly [number, number, number]>(sql).raw().all();
    return found.map(([role, path, count]) => ({ role: roles[role]!, path: this.#paths[path]!, count }));
  }

  close(): void {
    this.#db.close();
  }

  #index(): void {
    if (this.#isIndexed) return;
    this.#isIndexed = true;
    this.#db.exec(indexesSql);
  }

  #pathNumber(path: string): number {
    // Rows come file by file.
    if (this.#paths.at(-1) === path) return this.#paths.length - 1;
    const known = this.#paths.indexOf(path);
    return known === -1 ? this.#paths.push(path) - 1 : known;
  }
}
