import type { Database, Statement } from 'better-sqlite3';
import { BoundedCache } from './bounded-cache.ts';
import type { Filter } from './list-filters.ts';
import type { MessageRow } from './message-json.ts';

/** A message as `MessageRow` has it, without the conversation's name: ids and kind of the receiver tell it. */
const messageColumns = `id, muid, sender, receiver, receiver_type AS receiverType, category, type, data, tags, sent_at AS sentAt,
  delivered_at AS deliveredAt, read_at AS readAt`;

type Values = [
  string,
  number,
  string,
  string,
  string,
  string,
  string,
  string,
  string | null,
  number,
  number | null,
  number | null,
];

/** The messages and their conversations. */
export class Messages {
  // A name and a number, about 150 bytes each: 3 MB.
  readonly #conversations = new BoundedCache<number>(20_000);
  readonly #findMuid: Statement<[string], number>;
  readonly #findConversation: Statement<[string], number>;
  readonly #addConversation: Statement<[string]>;
  readonly #insert: Statement<Values>;
  /** One per combination of filters. */
  readonly #selects = new BoundedCache<Statement<unknown[], Omit<MessageRow, 'conversationId'>>>(100);
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    this.#findMuid = db.prepare<[string], number>('SELECT 1 FROM message WHERE muid = ?').pluck();
    this.#findConversation = db.prepare<[string], number>('SELECT id FROM conversation WHERE name = ?').pluck();
    this.#addConversation = db.prepare('INSERT INTO conversation (name) VALUES (?)');
    this.#insert = db.prepare(
      `INSERT INTO message (muid, conversation, sender, receiver, receiver_type, category, type, data, tags, sent_at,
         delivered_at, read_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  hasMuid(muid: string): boolean {
    return this.#findMuid.get(muid) !== undefined;
  }

  /** The number of a conversation; nothing if nobody wrote in it. */
  conversation(name: string): number | undefined {
    const cached = this.#conversations.get(name);
    if (cached !== undefined) return cached;
    const id = this.#findConversation.get(name);
    if (id !== undefined) this.#conversations.set(name, id);
    return id;
  }

  /** Stores a message and returns it with its id: greater than every id before it. */
  add(row: Omit<MessageRow, 'id'>): MessageRow {
    const conversation = this.conversation(row.conversationId) ?? this.#newConversation(row.conversationId);
    const { lastInsertRowid } = this.#insert.run(
      row.muid,
      conversation,
      row.sender,
      row.receiver,
      row.receiverType,
      row.category,
      row.type,
      row.data,
      row.tags,
      row.sentAt,
      row.deliveredAt,
      row.readAt,
    );
    return { id: Number(lastInsertRowid), ...row };
  }

  /** The messages that pass every filter, by id; `count` at most. */
  find(filters: readonly Filter[], order: 'ASC' | 'DESC', count: number): MessageRow[] {
    const where = ['TRUE', ...filters.map(({ sql }) => sql)].join(' AND ');
    const select = this.#prepared(`SELECT ${messageColumns} FROM message WHERE ${where} ORDER BY id ${order} LIMIT ?`);
    const rows = select.all(...filters.flatMap(({ values }) => values), count);
    return rows.map((row) => ({ ...row, conversationId: conversationIdOf(row) }));
  }

  /** After a transaction was rolled back: what is cached may not be stored. */
  forget(): void {
    this.#conversations.clear();
  }

  #prepared(sql: string): Statement<unknown[], Omit<MessageRow, 'conversationId'>> {
    const known = this.#selects.get(sql);
    if (known) return known;
    const select = this.#db.prepare<unknown[], Omit<MessageRow, 'conversationId'>>(sql);
    this.#selects.set(sql, select);
    return select;
  }

  #newConversation(name: string): number {
    const id = Number(this.#addConversation.run(name).lastInsertRowid);
    this.#conversations.set(name, id);
    return id;
  }
}

/** `group_<guid>`, or the two uids in ascending byte order joined by `_user_`. */
export function conversationIdOf({
  sender,
  receiver,
  receiverType,
}: Pick<MessageRow, 'sender' | 'receiver' | 'receiverType'>): string {
  if (receiverType === 'group') return `group_${receiver}`;
  return sender < receiver ? `${sender}_user_${receiver}` : `${receiver}_user_${sender}`;
}
