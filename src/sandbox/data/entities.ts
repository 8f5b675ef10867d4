import { LastUsed } from '../../lib/maps/last-used.ts';
import type { Queries } from './queries.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Known {
  readonly json: string;
  /** JSON of the details that were last given: the same again are no news. */
  given: string;
}

/** Users or groups: JSON by id. Messages bring the same details over and over, so what is known is not written again. */
export class Entities {
  // About 500 bytes each: 10 MB.
  readonly #cache = new LastUsed<string, Known>(20_000);
  readonly #db: Queries;
  readonly #table: 'user' | 'chat_group';

  constructor(db: Queries, table: 'user' | 'chat_group') {
    this.#db = db;
    this.#table = table;
  }

  find(id: string): string | undefined {
    return this.#load(id)?.json;
  }

  /**
   * @param details as they came with a message.
   * @param merge what they make of the entity, or of none.
   */
  save(id: string, details: Fields, merge: (old: Fields | undefined) => Fields, nowSeconds: number): void {
    const given = JSON.stringify(details);
    const known = this.#load(id);
    if (known?.given === given) return;
    const merged = merge(known && JSON.parse(known.json));
    if (known && JSON.stringify(merged) === known.json) {
      known.given = given;
      return;
    }
    const json = JSON.stringify({ ...merged, updatedAt: nowSeconds });
    const upsert = `INSERT INTO ${this.#table} (id, entity) VALUES (?, ?)
      ON CONFLICT (id) DO UPDATE SET entity = excluded.entity`;
    this.#db.run(upsert, id, json);
    this.#cache.set(id, { json, given });
  }

  /** After a transaction was rolled back: what is cached may not be stored. */
  forget(): void {
    this.#cache.clear();
  }

  #load(id: string): Known | undefined {
    return this.#cache.find(id, () => {
      const json = this.#db.value<string>(`SELECT entity FROM ${this.#table} WHERE id = ?`, id);
      return json === undefined ? undefined : { json, given: '' };
    });
  }
}
