import type { Database, Statement } from 'better-sqlite3';
import { BoundedCache } from './bounded-cache.ts';
import { Conversations, conversationIdOf } from './conversations.ts';
import { type Filter, hasMention } from './message-filters.ts';
import type { MessageRow } from './message-json.ts';

/** A message as `MessageRow` has it, without the conversation's name: ids and kind of the receiver say it. */
const messageColumns = `id, muid, sender, receiver, receiver_type AS receiverType, category, type, data, tags, sent_at AS sentAt,
  delivered_at AS deliveredAt, read_at AS readAt, parent, entities, deleted_at AS deletedAt`;

type StoredRow = Omit<MessageRow, 'conversationId'>;

/** What few messages have may be left out. */
type Rare = 'muid' | 'tags' | 'deliveredAt' | 'readAt' | 'parent' | 'entities' | 'deletedAt';

export type NewMessage = Omit<MessageRow, 'id' | 'conversationId' | Rare> & Partial<Pick<MessageRow, Rare>>;

type Text = string | null;
type Seconds = number | null;
type Values = [
  ...[muid: Text, conversation: number, parent: number | null, sender: string, receiver: string],
  ...[receiverType: string, category: string, type: string, data: string, entities: Text, tags: Text],
  ...[sentAt: number, deliveredAt: Seconds, readAt: Seconds, deletedAt: Seconds],
];

/** The messages and their conversations. */
export class Messages {
  readonly conversations: Conversations;
  readonly #findMuid: Statement<[string, string], number>;
  readonly #insert: Statement<Values>;
  readonly #reserveMuids: Statement<[number]>;
  readonly #deleteMessages: Statement<[number]>;
  /** One per combination of filters. */
  readonly #selects = new BoundedCache<Statement>(100);
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    this.conversations = new Conversations(db);
    db.function('has_mention', { deterministic: true }, (text) => (hasMention(String(text)) ? 1 : 0));
    this.#findMuid = db
      .prepare<[string, string], number>(
        'SELECT 1 FROM message WHERE muid = ? UNION ALL SELECT 1 FROM reserved_muid WHERE muid = ?',
      )
      .pluck();
    this.#insert = db.prepare(
      `INSERT INTO message (muid, conversation, parent, sender, receiver, receiver_type, category, type, data, entities, tags,
         sent_at, delivered_at, read_at, deleted_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#reserveMuids = db.prepare(
      `INSERT OR IGNORE INTO reserved_muid (muid) SELECT muid FROM message WHERE conversation = ? AND muid IS NOT NULL`,
    );
    this.#deleteMessages = db.prepare('DELETE FROM message WHERE conversation = ?');
  }

  /** Whether a message has or had the muid. */
  hasMuid(muid: string): boolean {
    return this.#findMuid.get(muid, muid) !== undefined;
  }

  /** Stores a message and returns it with its id: greater than every id before it. */
  add(message: NewMessage): MessageRow {
    const row = { ...nothingRare, ...message, conversationId: conversationIdOf(message) };
    const conversation = this.conversations.open(row.conversationId);
    this.conversations.enter(conversation, row.sender);
    if (row.receiverType === 'user') this.conversations.enter(conversation, row.receiver);
    const { lastInsertRowid } = this.#insert.run(
      row.muid,
      conversation,
      row.parent,
      row.sender,
      row.receiver,
      row.receiverType,
      row.category,
      row.type,
      row.data,
      row.entities,
      row.tags,
      row.sentAt,
      row.deliveredAt,
      row.readAt,
      row.deletedAt,
    );
    return { id: Number(lastInsertRowid), ...row };
  }

  /** The messages that pass every filter; `count` at most. */
  find(filters: readonly Filter[], order: string, count: number): MessageRow[] {
    const sql = `SELECT ${messageColumns} FROM message WHERE ${allOf(filters)} ORDER BY ${order} LIMIT ?`;
    const rows = this.#prepared(sql).all(...valuesOf(filters), count) as StoredRow[];
    return rows.map((row) => ({ ...row, conversationId: conversationIdOf(row) }));
  }

  /** @param id as a client gave it. */
  get(id: string): MessageRow | undefined {
    return /^\d{1,15}$/.test(id) ? this.find([{ sql: 'id = ?', values: [Number(id)] }], 'id', 1)[0] : undefined;
  }

  count(filters: readonly Filter[]): number {
    const select = this.#prepared(`SELECT count(*) AS count FROM message WHERE ${allOf(filters)}`);
    return (select.get(...valuesOf(filters)) as { readonly count: number }).count;
  }

  /** How many messages pass every filter, by whom the user wrote to or heard from: the 1,000 with the most. */
  countByPartner(uid: string, filters: readonly Filter[]): PartnerCount[] {
    const sql = `SELECT receiver_type AS entityType,
        CASE WHEN receiver_type = 'user' AND receiver = ? THEN sender ELSE receiver END AS entityId, count(*) AS count
      FROM message WHERE ${allOf(filters)} GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 1000`;
    return this.#prepared(sql).all(uid, ...valuesOf(filters)) as PartnerCount[];
  }

  /** Deletes a conversation with its messages. Their muids stay taken. */
  deleteConversation(name: string): void {
    const conversation = this.conversations.find(name);
    if (conversation === undefined) return;
    this.#reserveMuids.run(conversation);
    this.#deleteMessages.run(conversation);
    this.conversations.delete(name);
  }

  /** After a transaction was rolled back: what is cached may not be stored. */
  forget(): void {
    this.conversations.forget();
  }

  #prepared(sql: string): Statement {
    const known = this.#selects.get(sql);
    if (known) return known;
    const select = this.#db.prepare(sql);
    this.#selects.set(sql, select);
    return select;
  }
}

export interface PartnerCount {
  readonly entityType: 'user' | 'group';
  readonly entityId: string;
  readonly count: number;
}

const nothingRare = {
  muid: null,
  tags: null,
  deliveredAt: null,
  readAt: null,
  parent: null,
  entities: null,
  deletedAt: null,
} as const;

const allOf = (filters: readonly Filter[]): string => ['TRUE', ...filters.map(({ sql }) => sql)].join(' AND ');

const valuesOf = (filters: readonly Filter[]) => filters.flatMap(({ values }) => values);
