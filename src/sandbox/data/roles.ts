import type { Database, Statement } from 'better-sqlite3';

export interface RestrictedFeature {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly path: string;
  readonly createdAt: number;
}

interface Page {
  readonly offset: number;
  readonly count: number;
}

/** The role of users who were given none. It is there from the beginning. */
export const defaultRole = 'default';

/** The roles and what their users may not do. */
export class Roles {
  readonly #find: Statement<[string], number>;
  readonly #add: Statement<[string]>;
  readonly #delete: Statement<[string]>;
  readonly #restrict: Statement<[string, string, string, string, string, number]>;
  readonly #features: Statement<[string, number, number], RestrictedFeature>;
  readonly #featureCount: Statement<[string], number>;
  readonly #allow: Statement<[string, string]>;
  readonly #allowAll: Statement<[string]>;

  constructor(db: Database) {
    this.#find = db.prepare<[string], number>('SELECT 1 FROM role WHERE name = ?').pluck();
    this.#add = db.prepare('INSERT OR IGNORE INTO role (name) VALUES (?)');
    this.#delete = db.prepare('DELETE FROM role WHERE name = ?');
    this.#restrict = db.prepare(
      `INSERT OR IGNORE INTO restricted_feature (role, key, title, description, path, created_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.#features = db.prepare(
      `SELECT key, title, description, path, created_at AS createdAt FROM restricted_feature WHERE role = ?
         ORDER BY key LIMIT ? OFFSET ?`,
    );
    this.#featureCount = db.prepare<[string], number>('SELECT count(*) FROM restricted_feature WHERE role = ?').pluck();
    this.#allow = db.prepare('DELETE FROM restricted_feature WHERE role = ? AND key = ?');
    this.#allowAll = db.prepare('DELETE FROM restricted_feature WHERE role = ?');
  }

  has(role: string): boolean {
    return this.#find.get(role) !== undefined;
  }

  add(role: string): void {
    this.#add.run(role);
  }

  /** With its restrictions. What becomes of its users is `People`'s. */
  delete(role: string): void {
    this.#delete.run(role);
  }

  restrict(role: string, { key, title, description, path, createdAt }: RestrictedFeature): void {
    this.#restrict.run(role, key, title, description, path, createdAt);
  }

  /** By key. */
  restrictedFeatures(role: string, { offset, count }: Page): RestrictedFeature[] {
    return this.#features.all(role, count, offset);
  }

  restrictedFeatureCount(role: string): number {
    return this.#featureCount.get(role) ?? 0;
  }

  allow(role: string, key: string): void {
    this.#allow.run(role, key);
  }

  allowAll(role: string): void {
    this.#allowAll.run(role);
  }
}
