import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { people, type Version, type World, type WorldMessage } from './world.ts';

/** How the tables below are read. */
export const applicationMapping = `version: 1
source:
  tables:
    messages: { table: message }
    users: { table: person }
    conversations: { table: room }
    members: { table: member }
    reactions: { table: reaction }
  messages:
    id: id
    conversation: room
    author: author
    time: { from: sent_at, format: unix-ms }
    text: body
    edited: { from: edited_at, format: unix-ms }
    deleted: is_deleted
  users: { id: id, name: name }
  conversations: { id: id, type: { constant: private }, name: id }
  members: { conversation: room, user: person }
  reactions: { message: message, user: person, emoji: emoji }
people: { uid: "{id}" }
`;

const schema = `
  CREATE TABLE IF NOT EXISTS person (id TEXT PRIMARY KEY, name TEXT);
  CREATE TABLE IF NOT EXISTS room (id TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS member (room TEXT, person TEXT, PRIMARY KEY (room, person));
  CREATE TABLE IF NOT EXISTS message (
    number INTEGER PRIMARY KEY, id TEXT UNIQUE, room TEXT, author TEXT, sent_at INTEGER, edited_at INTEGER, is_deleted INTEGER, body TEXT);
  CREATE TABLE IF NOT EXISTS reaction (message TEXT, emoji TEXT, person TEXT, PRIMARY KEY (message, emoji, person));`;

/** An application that keeps a SQLite file open, and writes to it: its newest rows are in the log next to the file. */
export class Application {
  readonly #db: DatabaseSync;

  constructor(path: string) {
    this.#db = new DatabaseSync(path);
    this.#db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${schema}`);
  }

  /** Makes the tables hold what a world has at an instant, in one transaction. Rows that stay the same are not touched. */
  write(world: World, nowMs: number): void {
    const { rooms, rows } = world.rowsAt(nowMs);
    this.#db.exec('BEGIN IMMEDIATE');
    this.#hold(
      'person',
      ['id', 'name'],
      people.map((id) => [id, id.toUpperCase()]),
    );
    this.#hold(
      'room',
      ['id'],
      rooms.map((id) => [id]),
    );
    this.#hold(
      'member',
      ['room', 'person'],
      rooms.flatMap((room) => people.map((id) => [room, id])),
    );
    const columns = ['number', 'id', 'room', 'author', 'sent_at', 'edited_at', 'is_deleted', 'body'];
    this.#hold('message', columns, rows.map(rowOf));
    this.#hold('reaction', ['message', 'emoji', 'person'], rows.flatMap(reactionsOf));
    this.#db.exec('COMMIT');
  }

  #hold(table: string, columns: readonly string[], wanted: readonly (readonly SQLInputValue[])[]): void {
    const here = this.#db.prepare(`SELECT ${columns.join(', ')} FROM ${table}`);
    here.setReturnArrays(true);
    const before = new Map(here.all().map((row) => [JSON.stringify(row), row as unknown as SQLInputValue[]]));
    const after = new Set(wanted.map((row) => JSON.stringify(row)));
    const remove = this.#db.prepare(
      `DELETE FROM ${table} WHERE ${columns.map((name) => `${name} IS ?`).join(' AND ')}`,
    );
    for (const [text, row] of before) if (!after.has(text)) remove.run(...row);
    const add = this.#db.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`);
    for (const row of wanted) if (!before.has(JSON.stringify(row))) add.run(...row);
  }
}

type Row = readonly [WorldMessage, Version];

function rowOf([{ id, sortKey, room, author, sentAtMs, versions }, version]: Row): readonly SQLInputValue[] {
  const isEdited = version.text !== versions[0]!.text && !version.isDeleted;
  return [
    Number(sortKey),
    id,
    room,
    author,
    sentAtMs,
    isEdited ? version.fromMs : null,
    Number(version.isDeleted),
    version.text,
  ];
}

const reactionsOf = ([{ id }, { reactions }]: Row): readonly (readonly SQLInputValue[])[] =>
  reactions.flatMap(({ emoji, users }) => users.map((user) => [id, emoji, user]));
