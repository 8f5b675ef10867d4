import { Conversations } from './conversations.ts';
import type { Filter } from './message-filters.ts';
import type { MessageRow } from './message-json.ts';
import { Table } from './queries.ts';

/** The columns by field of `MessageRow`. The conversation's name is none: a number stands for it. */
const columns = {
  muid: 'muid',
  parent: 'parent',
  sender: 'sender',
  receiver: 'receiver',
  receiverType: 'receiver_type',
  category: 'category',
  type: 'type',
  data: 'data',
  entities: 'entities',
  tags: 'tags',
  sentAt: 'sent_at',
  deliveredAt: 'delivered_at',
  readAt: 'read_at',
  deletedAt: 'deleted_at',
} as const satisfies Readonly<Record<Exclude<keyof MessageRow, 'id' | 'conversationId'>, string>>;

const fields = Object.keys(columns) as (keyof typeof columns)[];

const insertMessage = `INSERT INTO message (conversation, ${Object.values(columns).join(', ')})
  VALUES (?${', ?'.repeat(fields.length)})`;

const selectMessages = `SELECT id, conversation, ${fields.map((field) => `${columns[field]} AS ${field}`).join(', ')} FROM message`;

/** Fields that may be left out, because few messages have them. */
type Rare = 'muid' | 'tags' | 'deliveredAt' | 'readAt' | 'parent' | 'entities' | 'deletedAt';

export type NewMessage = Omit<MessageRow, 'id' | 'conversationId' | Rare> & Partial<Pick<MessageRow, Rare>>;

export class Messages extends Table {
  readonly conversations = new Conversations(this.db);

  hasMuid(muid: string): boolean {
    const select = 'SELECT 1 FROM message WHERE muid = ? UNION ALL SELECT 1 FROM reserved_muid WHERE muid = ?';
    return this.db.has(select, muid, muid);
  }

  /** Stores a message and returns it with its id: greater than every id before it. */
  add(message: NewMessage): MessageRow {
    const { number: conversation, name: conversationId } = this.conversations.open(message);
    const row = { ...nothingRare, ...message, conversationId };
    this.conversations.enter(conversation, row.sender);
    if (row.receiverType === 'user') this.conversations.enter(conversation, row.receiver);
    const { lastInsertRowid } = this.db.run(insertMessage, conversation, ...fields.map((field) => row[field]));
    return { id: Number(lastInsertRowid), ...row };
  }

  /** The messages that pass every filter; `count` at most. */
  find(filters: readonly Filter[], order: string, count: number): MessageRow[] {
    const sql = `${selectMessages} WHERE ${joinConditions(filters)} ORDER BY ${order} LIMIT ?`;
    type Row = Omit<MessageRow, 'conversationId'> & { readonly conversation: number };
    const rows = this.db.rows<Row>(sql, ...valuesOf(filters), count);
    return rows.map(({ conversation, ...row }) => ({
      ...row,
      conversationId: this.conversations.nameOf(conversation),
    }));
  }

  /** @param id as a client gave it. */
  get(id: string): MessageRow | undefined {
    return /^\d{1,15}$/.test(id) ? this.find([{ sql: 'id = ?', values: [Number(id)] }], 'id', 1)[0] : undefined;
  }

  count(filters: readonly Filter[]): number {
    const sql = `SELECT count(*) FROM message WHERE ${joinConditions(filters)}`;
    return this.db.value<number>(sql, ...valuesOf(filters)) ?? 0;
  }

  /** How many messages pass every filter, by whom the user wrote to or heard from: the 1,000 with the most. */
  countByPartner(uid: string, filters: readonly Filter[]): PartnerCount[] {
    const sql = `SELECT receiver_type AS entityType,
        CASE WHEN receiver_type = 'user' AND receiver = ? THEN sender ELSE receiver END AS entityId, count(*) AS count
      FROM message WHERE ${joinConditions(filters)} GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 1000`;
    return this.db.rows(sql, uid, ...valuesOf(filters));
  }

  /** Deletes a conversation with its messages. Their muids stay taken. */
  deleteConversation(conversation: number): void {
    const reserve = `INSERT OR IGNORE INTO reserved_muid (muid)
      SELECT muid FROM message WHERE conversation = ? AND muid IS NOT NULL`;
    this.db.run(reserve, conversation);
    this.db.run('DELETE FROM message WHERE conversation = ?', conversation);
    this.conversations.delete(conversation);
  }

  /** After a transaction was rolled back: what is cached may not be stored. */
  forget(): void {
    this.conversations.forget();
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

const joinConditions = (filters: readonly Filter[]): string => ['TRUE', ...filters.map(({ sql }) => sql)].join(' AND ');

const valuesOf = (filters: readonly Filter[]) => filters.flatMap(({ values }) => values);
