import type { Database, Statement } from 'better-sqlite3';
import { BoundedCache } from './bounded-cache.ts';
import type { MessageRow } from './message-json.ts';

/** The numbers of conversations, because messages carry a number instead of a name, and who took part in them. */
export class Conversations {
  // A name and a number, about 150 bytes each: 3 MB.
  readonly #numbers = new BoundedCache<number>(20_000);
  /** Participants known to be stored, `number uid`; about 100 bytes each: 10 MB. */
  readonly #entered = new BoundedCache<true>(100_000);
  readonly #select: Statement<[string], number>;
  readonly #insert: Statement<[string]>;
  readonly #delete: Statement<[string]>;
  readonly #enter: Statement<[string, number]>;

  constructor(db: Database) {
    this.#select = db.prepare<[string], number>('SELECT id FROM conversation WHERE name = ?').pluck();
    this.#insert = db.prepare('INSERT INTO conversation (name) VALUES (?)');
    this.#enter = db.prepare('INSERT OR IGNORE INTO participant (uid, conversation) VALUES (?, ?)');
    this.#delete = db.prepare('DELETE FROM conversation WHERE name = ?');
  }

  /** Nothing if nobody wrote in it. */
  find(name: string): number | undefined {
    const cached = this.#numbers.get(name);
    if (cached !== undefined) return cached;
    const number = this.#select.get(name);
    if (number !== undefined) this.#numbers.set(name, number);
    return number;
  }

  /** Makes one if there is none. */
  open(name: string): number {
    const known = this.find(name);
    if (known !== undefined) return known;
    const number = Number(this.#insert.run(name).lastInsertRowid);
    this.#numbers.set(name, number);
    return number;
  }

  /** Notes that the user takes part. */
  enter(conversation: number, uid: string): void {
    const key = `${conversation} ${uid}`;
    if (this.#entered.get(key)) return;
    this.#enter.run(uid, conversation);
    this.#entered.set(key, true);
  }

  /** Once it has no messages. */
  delete(name: string): void {
    this.#delete.run(name);
    this.forget();
  }

  /** What is cached may not be stored: a transaction was rolled back, or a conversation deleted. */
  forget(): void {
    this.#numbers.clear();
    this.#entered.clear();
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
