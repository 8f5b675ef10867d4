import type { Database, Statement } from 'better-sqlite3';
import { BoundedCache } from './bounded-cache.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Known {
  readonly json: string;
  /** JSON of the details that were last given: the same again are no news. */
  given: string;
}

/** Users or groups: JSON by id. Messages bring the same details over and over, so what is known is not written again. */
export class Entities {
  // About 500 bytes each: 10 MB.
  readonly #cache = new BoundedCache<Known>(20_000);
  readonly #select: Statement<[string], string>;
  readonly #upsert: Statement<[string, string]>;

  constructor(db: Database, table: 'user' | 'chat_group') {
    this.#select = db.prepare<[string], string>(`SELECT entity FROM ${table} WHERE id = ?`).pluck();
    this.#upsert = db.prepare(
      `INSERT INTO ${table} (id, entity) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET entity = excluded.entity`,
    );
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
    this.#upsert.run(id, json);
    this.#cache.set(id, { json, given });
  }

  /** After a transaction was rolled back: what is cached may not be stored. */
  forget(): void {
    this.#cache.clear();
  }

  #load(id: string): Known | undefined {
    const cached = this.#cache.get(id);
    if (cached) return cached;
    const json = this.#select.get(id);
    if (json === undefined) return undefined;
    const known = { json, given: '' };
    this.#cache.set(id, known);
    return known;
  }
}
