import type { Database, Statement } from 'better-sqlite3';
import { digestOf } from '../data/digest.ts';

export type KeyScope = 'fullAccess' | 'authOnly';

export interface ApiKey {
  readonly name: string;
  readonly scope: KeyScope;
  readonly createdAt: number;
}

/** The API keys besides the one that the sandbox was started with. */
export class ApiKeys {
  readonly #select: Statement<[string], ApiKey>;
  readonly #upsert: Statement<[string, string, string, number]>;

  constructor(db: Database) {
    this.#select = db.prepare('SELECT name, scope, created_at AS createdAt FROM api_key WHERE digest = ?');
    this.#upsert = db.prepare('INSERT OR REPLACE INTO api_key (digest, name, scope, created_at) VALUES (?, ?, ?, ?)');
  }

  find(digest: string): ApiKey | undefined {
    return this.#select.get(digest);
  }

  add(key: string, facts: ApiKey): void {
    this.save(digestOf(key), facts);
  }

  save(digest: string, { name, scope, createdAt }: ApiKey): void {
    this.#upsert.run(digest, name, scope, createdAt);
  }
}
