import type { MessageRow } from '../message-json.ts';
import { Messages } from '../messages.ts';
import { Table } from '../queries.ts';
import type { Summary } from './summaries.ts';

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

  /** How many messages of the conversation come before this id. */
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
