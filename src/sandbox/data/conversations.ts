import { BoundedCache } from './bounded-cache.ts';
import type { MessageRow } from './message-json.ts';
import type { Queries } from './queries.ts';

/** The numbers of conversations, because messages carry a number instead of a name, and who took part in them. */
export class Conversations {
  // A name and a number, about 150 bytes each: 3 MB.
  readonly #numbers = new BoundedCache<number>(20_000);
  /** Participants known to be stored, `number uid`; about 100 bytes each: 10 MB. */
  readonly #entered = new BoundedCache<true>(100_000);
  readonly #db: Queries;

  constructor(db: Queries) {
    this.#db = db;
  }

  /** Nothing if nobody wrote in it. */
  find(name: string): number | undefined {
    return this.#numbers.find(name, () => this.#db.value<number>('SELECT id FROM conversation WHERE name = ?', name));
  }

  /** Makes one if there is none. */
  open(name: string): number {
    const insert = () => Number(this.#db.run('INSERT INTO conversation (name) VALUES (?)', name).lastInsertRowid);
    return this.find(name) ?? this.#numbers.find(name, insert);
  }

  /** Notes that the user takes part. */
  enter(conversation: number, uid: string): void {
    const key = `${conversation} ${uid}`;
    if (this.#entered.get(key)) return;
    this.#db.run('INSERT OR IGNORE INTO participant (uid, conversation) VALUES (?, ?)', uid, conversation);
    this.#entered.set(key, true);
  }

  /** Once it has no messages. */
  delete(name: string): void {
    this.#db.run('DELETE FROM conversation WHERE name = ?', name);
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
